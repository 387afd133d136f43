/// Assigns small numbers, reuses released ones, and stores one value below 2^31 per number in use.
///
/// Released numbers form a linked list through their own entries, so a pool shares structure as its
/// vector does.
@usableFromInline
struct NumberPool: Sendable {
  private static let freeBit: UInt32 = 1 << 31
  /// The value for "no number", also the end of the list of free numbers.
  static let none: UInt32 = freeBit - 1

  private var entries = PagedVector<UInt32>()
  private var firstFree = Self.none
  /// The number of numbers in use.
  private(set) var count = 0

  /// One more than the highest number assigned so far.
  var limit: Int { entries.count }

  subscript(number: UInt32) -> UInt32 {
    get { entries[Int(number)] }
    set { entries[Int(number)] = newValue }
  }

  func isInUse(_ number: UInt32) -> Bool {
    Int(number) < entries.count && entries[Int(number)] & Self.freeBit == 0
  }

  mutating func allocate(_ value: UInt32) -> UInt32 {
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

  /// Allocates numbers for values. No number may have been released before.
  mutating func allocate(_ values: [UInt32]) {
    entries.append(contentsOf: values)
    count += values.count
  }

  mutating func release(_ number: UInt32) {
    count -= 1
    entries[Int(number)] = firstFree | Self.freeBit
    firstFree = number
  }
}
