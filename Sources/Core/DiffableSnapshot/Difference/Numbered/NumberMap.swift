/// Finds the offsets of numbers in a list of different numbers.
struct NumberMap {
  // Exactly one of these is used. An enum would retain its array with each search.

  /// A few numbers, which are searched one by one.
  private var few: [UInt32] = []
  /// The offset of each number, or -1.
  private var dense: [Int32] = []
  private var sparse: [UInt32: Int32] = [:]

  /// - Parameters:
  ///   - numbers: The numbers.
  ///   - limit: A number that is greater than each of them.
  init(_ numbers: [UInt32], below limit: Int) {
    if numbers.count <= 128 {
      few = numbers
    } else if limit <= numbers.count * 64 {
      dense = [Int32](repeating: -1, count: limit)
      for (offset, number) in numbers.enumerated() { dense[Int(number)] = Int32(offset) }
    } else {
      sparse.reserveCapacity(numbers.count)
      for (offset, number) in numbers.enumerated() { sparse[number] = Int32(offset) }
    }
  }

  /// Returns the offset of a number, or nil if it is not in the list.
  func offset(of number: UInt32) -> Int? {
    if !dense.isEmpty {
      guard Int(number) < dense.count, case let offset = Int(dense[Int(number)]), offset >= 0 else {
        return nil
      }
      return offset
    }
    return sparse.isEmpty ? few.firstIndex(of: number) : sparse[number].map { Int($0) }
  }
}
