import Files
import Terminal
import TestSupport
import Testing

@testable import Browse

@Suite struct LineWrapTests {
  private func rows(_ text: String, _ width: Int) -> [String] {
    let wrap = LineWrap(text, width: width)
    return wrap.rows.indices.map { wrap.styled($0, []).text }
  }

  @Test func `a short line is one row`() {
    #expect(rows("name: Ada", 20) == ["name: Ada"])
  }

  @Test func `an empty line is one empty row`() {
    #expect(rows("", 20) == [""])
  }

  @Test func `a line breaks after a blank`() {
    #expect(rows("the quick brown fox", 10) == ["the quick", "brown fox"])
  }

  @Test func `a long word breaks at the width`() {
    #expect(rows("abcdefghij", 4) == ["abcd", "efgh", "ij"])
  }

  @Test func `a break never leaves most of a row empty`() {
    #expect(rows("a bcdefghijklm", 8) == ["a bcdefg", "hijklm"])
  }

  @Test func `blanks at a break take no row of their own`() {
    #expect(rows("abcd      efgh", 4) == ["abcd", "efgh"])
  }

  @Test func `a tab is four spaces`() {
    #expect(rows("\tname", 20) == ["    name"])
  }

  @Test func `a wide character goes to the next row as one`() {
    #expect(rows("日本語", 5) == ["日本", "語"])
  }

  @Test func `a control character counts as its escape`() {
    #expect(rows("ab\u{1B}cd", 6).count == 2)
  }

  @Test func `a row has the styles of its part of the line`() {
    let wrap = LineWrap("key: value", width: 5)
    let spans = [TextSpan(end: 3, style: Style(.key)), TextSpan(end: 10, style: Style(.string))]
    #expect(wrap.styled(0, spans).pieces == [.init("key", Style(.key)), .init(":", Style(.string))])
    #expect(wrap.styled(1, spans).pieces == [.init("value", Style(.string))])
  }

  @Test func `rows cover the line and fit into the width`() {
    for seed in Randomness.seeds(60) {
      var generator = SeededGenerator(seed: seed)
      let text = (0..<generator.below(12)).map { _ in generator.oneIn(2) ? "word " : generator.hostileText() }
        .joined()
      let width = 8 + generator.below(40)
      let wrap = LineWrap(text, width: width)
      #expect(wrap.rows.first?.lowerBound == 0, "\(seedNote(seed))")
      #expect(wrap.rows.last?.upperBound == text.utf8.count, "\(seedNote(seed))")
      for (row, next) in zip(wrap.rows, wrap.rows.dropFirst()) {
        #expect(row.upperBound == next.lowerBound, "\(seedNote(seed))")
      }
      for row in wrap.rows.indices {
        let styled = wrap.styled(row, []).text
        // One character may be wider than the window, as several escapes.
        if styled.count > 1 { #expect(DisplayText.width(of: styled) <= width, "\(seedNote(seed))") }
      }
    }
  }
}
