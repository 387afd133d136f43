/// Rows that the terminal itself moves up or down as a block, so that they are not written again.
struct RowShift {
  /// The rows that take part: those that move, and those that they cover.
  let rows: Range<Int>
  /// The number of rows by which they move; negative for up.
  let distance: Int

  /// A search compares at most this number of pairs of rows.
  private static let maxComparisons = 100_000

  /// Returns the shift that brings the most changed rows of a canvas to where a new one of the same
  /// size has them; nil if there is none.
  ///
  /// Rows are compared by their texts, in parts: a cursor or a mark that moves at the same time is
  /// drawn afterwards. Costs one pass over the cells, and one comparison per pair of rows.
  static func find(from old: Canvas, to new: Canvas) -> RowShift? {
    let count = new.size.rows
    let texts = (0..<count).map { row in
      let old = RowText(old[row: row])
      let new = RowText(new[row: row])
      return (old: old, new: new, likeness: new.likeness(to: old))
    }
    guard texts.count(where: { $0.old != $0.new }) > 1 else { return nil }
    // The sum of the likenesses of the rows before each row.
    let kept = texts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.likeness) }
    var best: (score: Int, shift: RowShift)?
    for size in stride(from: 1, through: min(count - 1, maxComparisons / count), by: 1) {
      for distance in [size, -size] {
        guard let (score, moved) = bestRun(texts, kept, distance), score > best?.score ?? 0 else { continue }
        let lower = min(moved.lowerBound, moved.lowerBound - distance)
        let upper = max(moved.upperBound, moved.upperBound - distance)
        best = (score, RowShift(rows: lower..<upper, distance: distance))
      }
    }
    return best?.shift
  }

  /// The old and the new text of a row, and the worth of the parts that need not be written if the
  /// row stays where it is.
  private typealias RowPair = (old: RowText, new: RowText, likeness: Int)

  /// Returns the rows for which a move by a distance saves the most, by their numbers after the
  /// move. A move leaves blank rows; what could be kept in these is subtracted.
  private static func bestRun(_ texts: [RowPair], _ kept: [Int], _ distance: Int) -> (
    score: Int, rows: Range<Int>
  )? {
    var best: (score: Int, rows: Range<Int>)?
    let first = max(distance, 0)
    var score = 0
    var start = first
    for row in first..<texts.count + min(distance, 0) {
      let lostBefore = distance > 0 ? kept[row] - kept[row - distance] : 0
      if row == first || score <= -lostBefore {
        score = -lostBefore
        start = row
      }
      score += texts[row].new.likeness(to: texts[row - distance].old) - texts[row].likeness
      let lostAfter = distance < 0 ? kept[row + 1 - distance] - kept[row + 1] : 0
      if score - lostAfter > best?.score ?? 0 { best = (score - lostAfter, start..<row + 1) }
    }
    return best
  }
}

private struct RowText: Equatable {
  private static let partColumns = 16

  /// The hash of each part; 0 for a blank one.
  private let parts: [UInt64]
  private let complete: UInt64
  private let worth: Int

  init(_ cells: ArraySlice<Canvas.Cell>) {
    var parts: [UInt64] = []
    var complete = UInt64(0)
    var worth = 0
    for start in stride(from: cells.startIndex, to: cells.endIndex, by: RowText.partColumns) {
      var hash = UInt64(1)
      var isBlank = true
      for cell in cells[start..<min(start + RowText.partColumns, cells.endIndex)] {
        cell.mixText(into: &hash)
        if !cell.isSpace { isBlank = false }
      }
      parts.append(isBlank ? 0 : hash)
      complete = (complete ^ hash) &* 0x9E37_79B9_7F4A_7C15
      worth += RowText.worth(ofPart: isBlank ? 0 : hash)
    }
    self.parts = parts
    self.complete = complete
    self.worth = worth
  }

  /// The worth of the parts that need not be written if the row is drawn over another one.
  func likeness(to other: RowText) -> Int {
    if complete == other.complete { return worth }
    var likeness = 0
    for index in parts.indices where parts[index] == other.parts[index] {
      likeness += RowText.worth(ofPart: parts[index])
    }
    return likeness
  }

  /// The worth of a part that need not be written: small for a blank one, which few bytes erase.
  private static func worth(ofPart hash: UInt64) -> Int { hash == 0 ? 1 : 8 }
}
