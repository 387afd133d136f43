import Testing

@testable import Terminal

@Suite struct TerminalOptionsTests {
  @Test func `a height is a number of rows or a percentage`() {
    #expect(TerminalHeight(parsing: "12") == .rows(12))
    #expect(TerminalHeight(parsing: "40%") == .percent(40))
    for text in ["", "0", "-3", "%", "101%", "0%", "+5", "12x", "99999999999999999999"] {
      #expect(TerminalHeight(parsing: text) == nil, "\(text)")
    }
  }

  @Test func `a height fits the window`() {
    #expect(TerminalHeight.percent(40).rows(of: 50) == 20)
    #expect(TerminalHeight.percent(1).rows(of: 50) == 3)
    #expect(TerminalHeight.rows(90).rows(of: 24) == 24)
    #expect(TerminalHeight.rows(2).rows(of: 24) == 3)
    #expect(TerminalHeight.rows(.max).rows(of: 1) == 1)
  }
}
