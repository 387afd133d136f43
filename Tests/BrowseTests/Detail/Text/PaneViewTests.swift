import Terminal
import TestSupport
import Testing

@testable import Browse

@Suite struct PaneViewTests {
  private func view(_ text: String, header: [String] = [], columns: Int, rows: Int) -> PaneView {
    var view = PaneView()
    view.fit(ScreenSize(columns: columns, rows: rows))
    view.show(
      PaneText(
        lines: header.map { StyledLine($0) }, document: DocumentLines(Array(text.utf8)), isAnnotated: true))
    return view
  }

  private func lines(_ view: PaneView) -> [String] {
    var canvas = Canvas(view.size)
    view.draw(into: &canvas, area: ScreenArea(rows: 0..<view.size.rows, columns: 0..<view.size.columns))
    return (0..<view.size.rows).map { row in
      var text = canvas.text(row: row)
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  @Test func `a view scrolls by rows, within its text`() {
    var view = view("a\nb\nc\nd\n", columns: 10, rows: 2)
    view.scroll(.rows(-1))
    #expect(lines(view) == ["  a", "  b"])
    view.scroll(.rows(1))
    #expect(lines(view) == ["  b", "  c"])
    view.scroll(.rows(100))
    #expect(lines(view) == ["  c", "  d"])
    #expect(view.isAtEnd)
    view.scroll(.start)
    #expect(lines(view) == ["  a", "  b"])
    view.scroll(.pages(2))
    #expect(lines(view) == ["  c", "  d"])
    view.scroll(.halves(-1))
    #expect(lines(view) == ["  b", "  c"])
  }

  @Test func `a long line takes several rows`() {
    var view = view("one two three\nx\n", header: ["H"], columns: 8, rows: 3)
    #expect(lines(view) == ["H", "  one", "  two"])
    view.scroll(.end)
    #expect(lines(view) == ["  two", "  three", "  x"])
  }

  @Test func `a resize keeps the first line`() {
    var view = view((0..<50).map { "line \($0)" }.joined(separator: "\n"), columns: 20, rows: 5)
    view.scroll(.rows(20))
    view.fit(ScreenSize(columns: 10, rows: 8))
    #expect(lines(view).first == "  line 20")
    view.fit(ScreenSize(columns: 10, rows: 45))
    #expect(lines(view).first == "  line 5")
  }

  @Test func `a newer text keeps the first line of the file`() {
    var view = view((0..<50).map { "line \($0)" }.joined(separator: "\n"), columns: 20, rows: 5)
    view.scroll(.rows(20))
    var text = view.text
    text.lines = ["changed", "changed", ""]
    view.update(text)
    #expect(lines(view).first == "  line 20")
    text.document = DocumentLines(Array("short".utf8))
    view.update(text)
    #expect(lines(view) == ["changed", "changed", "", "  short", ""])
  }

  @Test func `a line that is too long says how much is missing`() {
    let view = view(String(repeating: "x", count: DocumentLines.maxShown + 7), columns: 200, rows: 90)
    #expect(lines(view).last { !$0.isEmpty }?.hasSuffix("x … 7 more bytes") == true)
  }

  @Test func `a problem is shown below its line, at its column`() {
    var text = PaneText(document: DocumentLines(Array("a: 1\nrating: [\nb: 2\n".utf8)), isAnnotated: true)
    text.messages[1] = [(column: 8, text: "Not closed.")]
    var view = PaneView()
    view.fit(ScreenSize(columns: 30, rows: 5))
    view.show(text)
    #expect(lines(view) == ["  a: 1", "! rating: [", "          ^ Not closed.", "  b: 2", ""])
    view.fit(ScreenSize(columns: 16, rows: 5))
    #expect(lines(view) == ["  a: 1", "! rating: [", "  ^ Not closed.", "  b: 2", ""])
  }

  @Test func `changed lines have a sign, and lines have numbers where there is room`() {
    let text = PaneText(document: DocumentLines(Array("a\nb\nc\n".utf8)), isAnnotated: true, changed: [1..<2])
    var view = PaneView()
    view.fit(ScreenSize(columns: 40, rows: 3))
    view.show(text)
    #expect(lines(view) == ["  1 a", "~ 2 b", "  3 c"])
    view.fit(ScreenSize(columns: 39, rows: 3))
    #expect(lines(view) == ["  a", "~ b", "  c"])
  }

  @Test func `each row of a text is reached by scrolling, in both directions`() {
    for seed in Randomness.seeds(25) {
      var generator = SeededGenerator(seed: seed)
      let text = (0..<generator.below(30)).map { _ in
        generator.oneIn(3) ? String(repeating: "word ", count: generator.below(20)) : generator.hostileText()
      }.joined(separator: "\n")
      let (columns, rows) = (1 + generator.below(30), 1 + generator.below(12))
      var view = view(text, header: ["first", generator.hostileText()], columns: columns, rows: rows)
      var down = [lines(view)[0]]
      var positions = [view.top]
      while !view.isAtEnd, positions.count < 10_000 {
        view.scroll(.rows(1))
        down.append(lines(view)[0])
        positions.append(view.top)
      }
      #expect(view.isAtEnd, "\(seedNote(seed))")
      var up = [view.top]
      while view.top != PaneView.Position(), up.count < 10_000 {
        view.scroll(.rows(-1))
        up.append(view.top)
      }
      #expect(up.reversed() == positions, "\(seedNote(seed))")
      view.scroll(.end)
      #expect(view.top == positions.last, "\(seedNote(seed))")
    }
  }
}
