package import Terminal

extension SeededGenerator {
  /// Returns a size of up to so many columns and rows, sometimes 0.
  package mutating func screenSize(columns: Int, rows: Int) -> ScreenSize {
    ScreenSize(columns: below(columns + 1), rows: below(rows + 1))
  }

  package mutating func style() -> Style {
    oneIn(3) ? Style() : Style(one(of: Style.Ink.allCases), on: one(of: Style.Paper.allCases))
  }

  /// Returns a text as lists have them, or a hostile one.
  package mutating func lineText() -> String {
    let texts = [
      "", " ", "plain text", "Zoë Åström", "日本語の名前", "Привет", "→ … ─│", "שלום עולם", "مرحبا", "नमस्ते क्‍ष", "한국어",
      "👩‍👩‍👧‍👦 👍🏽 🇫🇷 1️⃣ ❤️",
      "e\u{301}o\u{308}",
      "\u{1F1EB}", "\u{1F1F7}", "\u{903}", "\u{200D}", "a\u{200D}b", "\u{1161}",
      String(repeating: "x", count: 60),
    ]
    return oneIn(2) ? hostileText() : one(of: texts)
  }

  package mutating func styledLine() -> StyledLine {
    StyledLine((0...below(4)).map { _ in StyledLine.Piece(lineText(), style()) })
  }

  /// Changes some of a canvas at random, also outside of it. Often moves rows, as a list does.
  package mutating func change(_ canvas: inout Canvas) {
    let (columns, rows) = (canvas.size.columns, canvas.size.rows)
    for _ in 0..<(oneIn(2) ? below(3) : 0) {
      let first = below(rows + 1)
      let distance = 1 + (oneIn(2) ? 0 : below(rows + 1))
      canvas.move(first..<first + below(rows + 3), by: oneIn(2) ? distance : -distance)
    }
    for _ in 0...below(4) {
      let row = below(rows + 2) - 1
      let first = below(columns + 2) - 1
      let range = first..<first + below(columns + 3)
      switch below(6) {
      case 0: canvas.paint(one(of: Style.Paper.allCases), row: row, columns: range)
      case 1:
        canvas.clear(ScreenArea(rows: row..<row + below(3), columns: range), paper: oneIn(2) ? .plain : .bar)
      default:
        canvas.write(
          styledLine(), row: row, columns: range, paper: oneIn(2) ? nil : one(of: Style.Paper.allCases))
      }
    }
    canvas.cursor = CellPosition(row: below(max(rows, 1)), column: below(max(columns, 1)))
  }
}

extension Canvas {
  /// Returns a canvas that has only this row, to compare rows. It is empty if the canvas does not
  /// have the row.
  package func onlyRow(_ row: Int) -> Canvas {
    var canvas = Canvas(ScreenSize(columns: size.columns, rows: self[row: row].isEmpty ? 0 : 1))
    canvas.cells = Array(self[row: row])
    return canvas
  }

  /// Gives the characters that begin in some columns another background, and keeps their texts and
  /// inks.
  package mutating func paint(_ paper: Style.Paper, row: Int, columns: Range<Int>) {
    guard row >= 0, row < size.rows else { return }
    let start = row * size.columns
    var isPainted = false
    for column in 0..<size.columns {
      if !cells[start + column].isContinuation { isPainted = columns.contains(column) }
      if isPainted { cells[start + column].style.paper = paper }
    }
  }
}
