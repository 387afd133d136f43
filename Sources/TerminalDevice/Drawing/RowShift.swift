/// Rows of the screen that move up or down as a block: the terminal moves them itself, so that they
/// are not written again.
struct RowShift: Hashable {
  /// The rows that take part: those that move, and those that they cover.
  let rows: Range<Int>
  /// The number of rows by which they move; negative for up.
  let distance: Int

  /// A search compares at most this number of pairs of rows.
  private static let maxComparisons = 100_000

  /// Returns the shift that brings the most changed rows to where they belong; nil if there is none.
  ///
  /// Rows are compared by their texts: a cursor or a mark that moves at the same time is drawn
  /// afterwards. Costs one pass over the cells, and one comparison per pair of rows.
  ///
  /// - Parameters:
  ///   - old: The canvas that is on the terminal.
  ///   - new: The canvas to draw, of the same size.
  static func find(from old: Canvas, to new: Canvas) -> RowShift? {
    let count = new.size.rows
    let texts = (0..<count).map { (old: RowText(old[row: $0]), new: RowText(new[row: $0])) }
    guard texts.count(where: { $0.old != $0.new }) > 1 else { return nil }
    var best: (score: Int, shift: RowShift)?
    for size in stride(from: 1, through: min(count - 1, maxComparisons / count), by: 1) {
      for distance in [size, -size] {
        guard let (score, moved) = bestRun(texts, distance), score > best?.score ?? 0 else { continue }
        let lower = min(moved.lowerBound, moved.lowerBound - distance)
        let upper = max(moved.upperBound, moved.upperBound - distance)
        best = (score, RowShift(rows: lower..<upper, distance: distance))
      }
    }
    return best?.shift
  }

  /// Returns the rows for which a distance brings the most, as they are numbered after the move.
  private static func bestRun(_ texts: [(old: RowText, new: RowText)], _ distance: Int) -> (score: Int, rows: Range<Int>)? {
    var best: (score: Int, rows: Range<Int>)?
    var (score, start) = (0, max(distance, 0))
    for row in max(distance, 0)..<texts.count + min(distance, 0) {
      let (source, target, current) = (texts[row - distance].old, texts[row].new, texts[row].old)
      score += target.likeness(to: source) - target.likeness(to: current)
      if score > best?.score ?? 0 { best = (score, start..<row + 1) }
      if score <= 0 { (score, start) = (0, row + 1) }
    }
    return best
  }
}

/// The text of a row, for comparisons.
private struct RowText: Hashable {
  /// The hash of the first third: beside the list, another pane can change.
  private var start: UInt64
  /// The hash of the complete text.
  private var complete: UInt64
  private let isBlank: Bool

  init(_ cells: ArraySlice<Canvas.Cell>) {
    (start, complete) = (0, 0)
    var isBlank = true
    let third = cells.startIndex + cells.count / 3
    for index in cells.indices {
      if index == third { start = complete }
      cells[index].mixText(into: &complete)
      if !cells[index].isSpace { isBlank = false }
    }
    self.isBlank = isBlank
  }

  /// Returns how much of a row need not be written if it is drawn over another one.
  func likeness(to other: RowText) -> Int {
    if complete == other.complete { return isBlank ? 1 : 3 }
    return start == other.start && !isBlank ? 1 : 0
  }
}
