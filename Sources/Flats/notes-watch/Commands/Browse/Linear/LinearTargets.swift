/// The items that a command names: by the numbers that were printed, or by the word `selected`.
enum LinearTargets: Hashable, Sendable {
  case numbers([ClosedRange<Int>])
  case selected

  /// The number of numbers that one command may name.
  private static let maxCount = 10_000

  /// Takes the numbers at the beginning of `words`: `3`, `5-7`, `1,4`; or `selected`.
  ///
  /// - Returns: The targets; nil if the first word is none.
  static func parse(_ words: inout ArraySlice<String>) -> LinearTargets? {
    if words.first?.lowercased() == "selected" {
      words.removeFirst()
      return .selected
    }
    var ranges: [ClosedRange<Int>] = []
    while let first = words.first, let parsed = LinearTargets.ranges(first) {
      ranges += parsed
      words.removeFirst()
    }
    return ranges.isEmpty ? nil : .numbers(ranges)
  }

  private static func ranges(_ word: String) -> [ClosedRange<Int>]? {
    var ranges: [ClosedRange<Int>] = []
    for part in word.split(separator: ",", omittingEmptySubsequences: true) {
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = ends.first.flatMap({ number($0) }) else { return nil }
      guard let last = ends.count == 1 ? first : number(ends[1]), first <= last else { return nil }
      ranges.append(first...last)
    }
    return ranges.isEmpty ? nil : ranges
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
  }

  /// Returns the numbers, each once; nil if there are too many.
  static func expanded(_ ranges: [ClosedRange<Int>]) -> [Int]? {
    var numbers: [Int] = []
    var known: Set<Int> = []
    for range in ranges {
      // Both ends are counts that a person typed; their difference cannot overflow.
      if range.upperBound - range.lowerBound >= maxCount { return nil }
      for number in range where known.insert(number).inserted { numbers.append(number) }
      if numbers.count > maxCount { return nil }
    }
    return numbers
  }
}
