/// Hands out small numbers, takes them back, and keeps one number below 2^31 with each that is in use.
///
/// Free numbers form a list through their own entries, so that a pool is as persistent as the vector it stands on.
@usableFromInline
struct NumberPool: Sendable {
  private static let freeBit: UInt32 = 1 << 31
  /// Stands for "no number", as a value and as the end of the list of free numbers.
  static let none: UInt32 = freeBit - 1

  private var entries = PagedVector<UInt32>()
  private var firstFree = Self.none
  /// How many numbers are in use.
  private(set) var count = 0

  /// One more than the highest number ever handed out.
  var limit: Int { entries.count }

  subscript(number: UInt32) -> UInt32 {
    get { entries[Int(number)] }
    set { entries[Int(number)] = newValue }
  }

  func isInUse(_ number: UInt32) -> Bool {
    Int(number) < entries.count && entries[Int(number)] & Self.freeBit == 0
  }

  mutating func take(_ value: UInt32) -> UInt32 {
    count += 1
    guard firstFree != Self.none else {
      entries.append(value)
      return UInt32(entries.count - 1)
    }
    let number = firstFree
    firstFree = entries[Int(number)] & ~Self.freeBit
    entries[Int(number)] = value
    return number
  }

  mutating func giveBack(_ number: UInt32) {
    count -= 1
    entries[Int(number)] = firstFree | Self.freeBit
    firstFree = number
  }
}
