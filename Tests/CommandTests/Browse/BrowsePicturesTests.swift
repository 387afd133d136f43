import Foundation
import TestSupport
import Testing

@testable import TerminalView

/// The pictures of `docs/browse.md` are what the built program shows. `make pictures` rewrites them.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Machine.has("tmux"), "needs tmux"))
struct BrowsePicturesTests {
  private static let isRewriting = ProcessInfo.processInfo.environment["NOTES_WATCH_PICTURES"] != nil

  @Test(arguments: BrowsePicture.all) func `a picture is what the program shows`(picture: BrowsePicture) async throws {
    try expect(.picture(picture.name), "```text\n\(await picture.lines().joined(separator: "\n"))\n```\n")
  }

  @Test func `the page has the keys of every action`() throws {
    let rows = BrowseAction.allCases.map { action in
      "| \(action.defaultKeys.map { "`\($0)`" }.joined(separator: ", ")) | `\(action.rawValue)` | \(action.summary) |\n"
    }
    #expect(rows.count > 20)
    try expect(.table("keys"), "| keys | name | action |\n| --- | --- | --- |\n\(rows.joined())")
  }

  private func expect(_ part: BrowsePage.Part, _ text: String) throws {
    var page = try BrowsePage()
    if BrowsePicturesTests.isRewriting { try page.set(part, text) }
    #expect(page.part(part) == text, "run make pictures, and look at what changed")
  }
}
