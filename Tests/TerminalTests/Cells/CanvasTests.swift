import Files
import TestSupport
import Testing

@testable import Terminal

@Suite struct CanvasTests {
  private func canvas(_ columns: Int, _ line: StyledLine, paper: Style.Paper? = nil)
    -> Canvas
  {
    var canvas = Canvas(ScreenSize(columns: columns, rows: 1))
    canvas.write(line, row: 0, columns: 0..<columns, paper: paper)
    return canvas
  }

  @Test func `a new canvas is blank`() {
    let canvas = Canvas(ScreenSize(columns: 3, rows: 2))
    #expect(canvas.cells.map(\.text) == Array(repeating: " ", count: 6))
  }

  @Test func `a wide character covers two cells`() {
    let canvas = canvas(5, "a日b")
    #expect(canvas.cells.map(\.text) == ["a", "日", "", "b", " "])
    #expect(canvas.cells.map(\.isContinuation) == [false, false, true, false, false])
  }

  @Test func `a control character is written as its escape, one character per cell`() {
    #expect(canvas(6, "\u{1B}[m").cells.map(\.text) == ["\\", "x", "1", "b", "[", "m"])
  }

  @Test func `a line that is too wide ends in an ellipsis`() {
    #expect(canvas(4, "abcdef").text(row: 0) == "abc…")
    #expect(canvas(4, StyledLine([.init("ab"), .init("cd"), .init("ef")])).text(row: 0) == "abc…")
    #expect(canvas(4, StyledLine([.init("ab"), .init("cd"), .init("")])).text(row: 0) == "abcd")
    #expect(canvas(4, "a日本").text(row: 0) == "a日…")
  }

  @Test func `writing returns the column after the text`() {
    var canvas = Canvas(ScreenSize(columns: 8, rows: 1))
    #expect(canvas.write("a日", row: 0, columns: 2..<8) == 5)
    #expect(canvas.write("a", row: 3, columns: 2..<8) == 2)
  }

  @Test func `a background fills the columns and the pieces without one`() {
    let line = StyledLine([.init("a"), .init("b", Style(.match, on: .selected))])
    #expect(
      canvas(4, line, paper: .cursor).cells.map(\.style.paper) == [.cursor, .selected, .cursor, .cursor])
  }

  @Test func `a painted row keeps its texts, and wide characters have one background`() {
    var canvas = canvas(5, "a日b")
    canvas.paint(.cursor, row: 0, columns: 0..<2)
    #expect(canvas.cells.map(\.style.paper) == [.cursor, .cursor, .cursor, .plain, .plain])
    canvas.paint(.bar, row: 0, columns: 2..<9)
    #expect(canvas.cells.map(\.style.paper) == [.cursor, .cursor, .cursor, .bar, .bar])
    #expect(canvas.text(row: 0) == "a日b ")
  }

  @Test func `half of a wide character that is overwritten becomes blank`() {
    var canvas = canvas(4, "日本")
    canvas.write("x", row: 0, columns: 1..<2)
    #expect(canvas.cells.map(\.text) == [" ", "x", "本", ""])
    canvas.write("y", row: 0, columns: 2..<3)
    #expect(canvas.cells.map(\.text) == [" ", "x", "y", " "])
  }

  @Test func `cells with equivalent texts in different encodings are not equal`() {
    #expect(canvas(6, "\u{F900}") != canvas(6, "\u{8C48}"))
    #expect(canvas(9, "a\u{301}\u{323}") != canvas(9, "a\u{323}\u{301}"))
  }

  @Test func `a character of many parts is not written where it can reach over the last column`() {
    #expect(canvas(4, "ab👩‍👩‍👧‍👦").text(row: 0) == "ab… ")
    #expect(canvas(20, "ab👩‍👩‍👧‍👦").cells[2].text == "👩‍👩‍👧‍👦")
  }

  @Test func `a character that some terminals add to the cell before it is an escape`() {
    #expect(canvas(12, "\u{600}5").text(row: 0) == #"\u06005     "#)
    #expect(canvas(12, StyledLine([.init("a"), .init("\u{903}")])).text(row: 0) == #"a\u0903     "#)
    #expect(canvas(12, "क\u{903}").cells[0].text == "क\u{903}")
  }

  @Test func `a letter with a skin tone is no escape`() {
    #expect(canvas(12, "y\u{1F3FB}\u{616}").cells[0].text == "y\u{1F3FB}\u{616}")
  }

  @Test func `a long line costs as much as what is shown`() {
    #expect(canvas(4, StyledLine(String(repeating: "x", count: 1_000_000))).text(row: 0) == "xxx…")
    #expect(canvas(4, StyledLine(String(repeating: "é", count: 1_000_000))).text(row: 0) == "ééé…")
  }

  @Test func `a line on the canvas is the safe text`() {
    for seed in Randomness.seeds(500) {
      var random = SeededGenerator(seed: seed)
      // Without those that are escapes on the canvas alone.
      let scalars = random.lineText().unicodeScalars.filter {
        ![.format, .spacingMark].contains($0.properties.generalCategory)
      }
      let text = String(String.UnicodeScalarView(scalars))
      let limit = random.below(30)
      var canvas = Canvas(ScreenSize(columns: 100, rows: 1))
      canvas.write(StyledLine(text), row: 0, columns: 0..<limit)
      let shown = DisplayText.safe(text, limit: limit)
      let rest = String(repeating: " ", count: 100 - DisplayText.width(of: text, limit: limit))
      #expect(
        canvas.text(row: 0).unicodeScalars.elementsEqual((shown + rest).unicodeScalars), "\(seedNote(seed))")
    }
  }

  @Test func `writing changes nothing outside of its columns but halves of wide characters`() {
    for seed in Randomness.seeds(500) {
      var random = SeededGenerator(seed: seed)
      var canvas = Canvas(random.screenSize(columns: 30, rows: 3))
      for _ in 0..<3 { random.change(&canvas) }
      let before = canvas
      let (row, first) = (random.below(3), random.below(20))
      let columns = first..<first + random.below(12)
      canvas.write(random.styledLine(), row: row, columns: columns)
      for (index, cell) in canvas.cells.enumerated() where cell != before.cells[index] {
        if index / canvas.size.columns == row, columns.contains(index % canvas.size.columns) { continue }
        #expect(cell.text == " ", "\(seedNote(seed))")
      }
      #expect(areComplete(canvas), "\(seedNote(seed))")
    }
  }

  /// Returns true if each character has as many cells as it is wide.
  private func areComplete(_ canvas: Canvas) -> Bool {
    (0..<canvas.size.rows).allSatisfy { row in
      var rest = canvas[row: row]
      while let cell = rest.popFirst() {
        if cell.isContinuation { return false }
        let covered = rest.prefix { $0.isContinuation }
        if covered.count + 1 != DisplayWidth.columns(of: cell.text.unicodeScalars) { return false }
        rest = rest.dropFirst(covered.count)
      }
      return true
    }
  }
}
