import Files

/// Pairs the equal elements of two sequences, in the order of both: patience diff by Bram Cohen.
///
/// Equal elements at both ends are paired first; then those that occur exactly once in each sequence, along a
/// longest common order; then the ranges between these pairs in the same way. At most O(n log n) per level,
/// and the number of levels is bounded.
package struct SequenceAlignment {
  package private(set) var pairs: [(first: Int, second: Int)] = []

  private static let maxLevel = 16

  package init<Element: Hashable>(_ first: [Element], _ second: [Element]) {
    var found: [(Int, Int)] = []
    SequenceAlignment.align(first, first.indices, second, second.indices, level: 0, &found)
    pairs = found.map { (first: $0.0, second: $0.1) }
  }

  /// Returns the position in `second` of each element of `first`; nil without a pair.
  package static func places<Element: Hashable>(of first: [Element], in second: [Element]) -> [Int?] {
    var places = [Int?](repeating: nil, count: first.count)
    for pair in SequenceAlignment(first, second).pairs { places[pair.first] = pair.second }
    return places
  }

  private static func align<Element: Hashable>(
    _ first: [Element], _ a: Range<Int>, _ second: [Element], _ b: Range<Int>, level: Int,
    _ pairs: inout [(Int, Int)]
  ) {
    var a = a
    var b = b
    while let i = a.first, let j = b.first, first[i] == second[j] {
      pairs.append((i, j))
      a = a.dropFirst()
      b = b.dropFirst()
    }
    var tail: [(Int, Int)] = []
    while let i = a.last, let j = b.last, first[i] == second[j] {
      tail.append((i, j))
      a = a.dropLast()
      b = b.dropLast()
    }
    defer { pairs += tail.reversed() }
    guard !a.isEmpty, !b.isEmpty, level < maxLevel else { return }
    let anchors = longestIncreasingRun(of: uniquePairs(first, a, second, b))
    guard !anchors.isEmpty else { return }
    var nextA = a.lowerBound
    var nextB = b.lowerBound
    for (i, j) in anchors {
      align(first, nextA..<i, second, nextB..<j, level: level + 1, &pairs)
      pairs.append((i, j))
      nextA = i + 1
      nextB = j + 1
    }
    align(first, nextA..<a.upperBound, second, nextB..<b.upperBound, level: level + 1, &pairs)
  }

  private static func uniquePairs<Element: Hashable>(
    _ first: [Element], _ a: Range<Int>, _ second: [Element], _ b: Range<Int>
  ) -> [(Int, Int)] {
    var places: [Element: (first: Int, firstCount: Int, second: Int, secondCount: Int)] = [:]
    for i in a {
      places[first[i], default: (0, 0, 0, 0)].first = i
      places[first[i], default: (0, 0, 0, 0)].firstCount += 1
    }
    for j in b where places[second[j]] != nil {
      places[second[j], default: (0, 0, 0, 0)].second = j
      places[second[j], default: (0, 0, 0, 0)].secondCount += 1
    }
    return places.values.filter { $0.firstCount == 1 && $0.secondCount == 1 }.map { ($0.first, $0.second) }
      .sorted { $0.0 < $1.0 }
  }

  /// Returns a longest run of pairs in which the second numbers increase (patience sorting).
  private static func longestIncreasingRun(of pairs: [(Int, Int)]) -> [(Int, Int)] {
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      let low = ends.indices.partitionPoint { pairs[ends[$0]].1 >= pair.1 }
      if low > 0 { before[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var run: [(Int, Int)] = []
    var next = ends.last ?? -1
    while next >= 0 {
      run.append(pairs[next])
      next = before[next]
    }
    return run.reversed()
  }
}

extension [(first: Int, second: Int)] {
  /// The ranges of two sequences before each of these pairs, and after the last one. Their upper
  /// bounds are the pair that follows.
  func gaps(_ first: Int, _ second: Int) -> [(first: Range<Int>, second: Range<Int>)] {
    var next = (first: 0, second: 0)
    return (self + [(first, second)]).map { pair in
      defer { next = (pair.first + 1, pair.second + 1) }
      return (next.first..<pair.first, next.second..<pair.second)
    }
  }
}
