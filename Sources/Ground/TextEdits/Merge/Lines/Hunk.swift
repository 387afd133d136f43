/// A range of a sequence that one side replaced. Either range can be empty.
struct Hunk {
  let base: Range<Int>
  let side: Range<Int>

  /// The hunks between the pairs of two sequences. A pair of different elements is a separate hunk.
  static func between<Element: Equatable>(
    _ base: [Element], _ side: [Element], _ pairs: [(first: Int, second: Int)]
  ) -> [Hunk] {
    var hunks: [Hunk] = []
    var next = (base: 0, side: 0)
    for pair in pairs + [(first: base.count, second: side.count)] {
      if next.base < pair.first || next.side < pair.second {
        hunks.append(Hunk(base: next.base..<pair.first, side: next.side..<pair.second))
      }
      if pair.first < base.count, base[pair.first] != side[pair.second] {
        hunks.append(Hunk(base: pair.first..<pair.first + 1, side: pair.second..<pair.second + 1))
      }
      next = (pair.first + 1, pair.second + 1)
    }
    return hunks
  }
}
