import Terminal
import Testing

@testable import Browse

@Suite struct PaneViewDifferenceTests {
  private let difference = Array("--- a/ada.yaml\n+++ b/ada.yaml\n@@ -1 +1 @@\n-rating: 5\n+rating: 6\n".utf8)

  @Test func `a refused action shows the difference until a key closes it`() {
    var driver = ScreenDriver(["ada.yaml": "rating: 6\n"], columns: 60, rows: 20)
    driver.send(.outcome(ActionOutcome("ada changed since.", isFailure: true, difference: difference)))
    #expect(driver.lines.contains("ada changed since."))
    #expect(driver.lines.contains { $0.hasSuffix("-rating: 5") })
    #expect(driver.lines.contains { $0.hasSuffix("+rating: 6") })
    driver.press("esc")
    #expect(!driver.lines.contains { $0.hasSuffix("-rating: 5") })
  }

  @Test(arguments: ["q", "esc"]) func `a difference is closed by the keys that leave`(key: String) {
    var pane = PaneView("No.", difference: difference)
    let closes = pane.closes(by: .key(Key(named: key)), .standard)
    #expect(closes)
  }

  @Test func `a long difference scrolls`() {
    let lines = (0..<100).map { "+line \($0)" }.joined(separator: "\n")
    var driver = ScreenDriver(["ada.yaml": "rating: 6\n"], columns: 60, rows: 20)
    driver.send(.outcome(ActionOutcome("No.", isFailure: true, difference: Array(lines.utf8))))
    driver.press("G")
    #expect(driver.lines.contains { $0.hasSuffix("+line 99") })
    driver.press("g")
    #expect(driver.lines.contains("No."))
  }

  @Test func `a difference has added and removed lines`() throws {
    let pane = PaneView("No.", difference: difference + Array(" c\n".utf8))
    let document = try #require(pane.text.document)
    var inks: [Style.Ink] = []
    document.forEachLine(from: 0) { line in
      inks += document.spans(of: line.range).map(\.style.ink)
      return true
    }
    #expect(inks == [.dim, .dim, .header, .deleted, .inserted, .plain])
  }
}
