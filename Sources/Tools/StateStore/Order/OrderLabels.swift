/// Numbers that keep the order of a stored list. A row keeps its label when others are inserted or
/// removed, so that a change writes only a few rows.
///
/// If there is no room between two labels, the labels around them are spread again, in the smallest
/// aligned range of numbers that is not too full (Bender, Cole, Demaine, Farach-Colton and Zito:
/// Two simplified algorithms for maintaining order in a list, 2002). An insert changes O(log n)
/// labels, amortised. Pure.
enum OrderLabels {
  /// Labels are at least 0 and below this number.
  static let limit: Int64 = 1 << bits

  private static let bits = 62
  /// The distance between labels at the ends of a list, where most rows are added.
  private static let endStride: Int64 = 1 << 32

  /// The number of rows that a range of 2^level labels may have: (4/3)^level.
  private static let capacities: [Int] = (0...bits).map { level in
    Int((0..<level).reduce(1.0) { capacity, _ in capacity * 4 / 3 })
  }

  /// Returns the labels of a new list, with room between them and more of it at both ends.
  static func spread(_ count: Int) -> [Int64] {
    let stride = limit / 2 / Int64(count + 1)
    return (0..<count).map { limit / 4 + stride * (Int64($0) + 1) }
  }

  /// Returns labels for the rows of a list that have none, in ascending order, and for those whose
  /// label has to change. `label` returns nil for a row without one. Throws `StateError.damaged` if the
  /// labels contradict the order of the list.
  static func assign(_ missing: [Int], count: Int, label: (Int) throws -> Int64?) throws -> [Int: Int64] {
    try withoutActuallyEscaping(label) { label in
      var pass = Pass(count: count, label: label)
      var index = 0
      while index < missing.count {
        let start = missing[index]
        var end = start
        while index < missing.count, missing[index] == end, pass.assigned[end] == nil {
          index += 1
          end += 1
        }
        if end == start { index += 1 } else { try pass.place(start..<end) }
      }
      return pass.assigned
    }
  }

  private struct Pass {
    let count: Int
    let label: (Int) throws -> Int64?
    var assigned: [Int: Int64] = [:]

    func current(_ index: Int) throws -> Int64? { try assigned[index] ?? label(index) }

    /// Labels a run of rows that have no labels. The rows around it have some.
    mutating func place(_ run: Range<Int>) throws {
      let left = run.lowerBound > 0 ? try current(run.lowerBound - 1) : nil
      let right = run.upperBound < count ? try current(run.upperBound) : nil
      if (left == nil && run.lowerBound > 0) || (right == nil && run.upperBound < count) {
        throw StateError.damaged
      }
      if let left, let right, left >= right { throw StateError.damaged }
      guard let anchor = left ?? right else {
        for (index, label) in zip(run, OrderLabels.spread(run.count)) { assigned[index] = label }
        return
      }
      let room = (right ?? limit) - (left ?? -1)
      var stride = room / Int64(run.count + 1)
      if left == nil || right == nil { stride = min(stride, endStride) }
      if stride < 1 { return try relabel(run, around: anchor) }
      let first = left.map { $0 + stride } ?? (anchor - stride * Int64(run.count))
      for (offset, index) in run.enumerated() { assigned[index] = first + stride * Int64(offset) }
    }

    /// Spreads the labels of the smallest range around a label that has room for a run.
    private mutating func relabel(_ run: Range<Int>, around anchor: Int64) throws {
      var rows = run
      for level in 1...bits {
        let size: Int64 = 1 << Int64(level)
        let low = anchor & ~(size - 1)
        rows = try extended(rows, low..<low + size)
        if rows.count > capacities[level], level < bits { continue }
        let stride = size / Int64(rows.count)
        if stride < 1 { break }
        for (offset, index) in rows.enumerated() {
          assigned[index] = low + stride / 2 + stride * Int64(offset)
        }
        return
      }
      throw StateError.damaged
    }

    /// Returns the rows together with the adjacent ones that have no label or one in a range.
    private func extended(_ rows: Range<Int>, _ labels: Range<Int64>) throws -> Range<Int> {
      var start = rows.lowerBound
      var end = rows.upperBound
      while start > 0, let label = try current(start - 1), label >= labels.lowerBound { start -= 1 }
      while end < count {
        if let label = try current(end), label >= labels.upperBound { break }
        end += 1
      }
      return start..<end
    }
  }
}
