import Foundation
import Terminal
import Testing

@testable import Browse

@Suite struct BrowseActionTests {
  @Test func `the page about browse has each action with its keys and its summary`() throws {
    var top = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { top.deleteLastPathComponent() }
    let page = try String(contentsOf: top.appendingPathComponent("docs/browse.md"), encoding: .utf8)
    for action in BrowseAction.allCases {
      let keys = action.defaultKeys.map { "`\($0)`" }.joined(separator: ", ")
      let row = "| `\(action.rawValue)` | \(keys) | \(action.summary) |"
      #expect(page.contains("\n\(row)\n"), "\(row)")
    }
  }

  @Test func `each group of the help has actions`() {
    for group in BrowseAction.Group.allCases {
      #expect(BrowseAction.allCases.contains { $0.group == group }, "\(group)")
    }
  }
}
