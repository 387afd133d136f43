import Foundation
import TestSupport
import Testing

@testable import TerminalView

/// The pictures of `docs/browse.md` are what the built program shows. `make pictures` rewrites them.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Machine.has("tmux"), "needs tmux"))
struct BrowsePicturesTests {
  private static let isRewriting = ProcessInfo.processInfo.environment["NOTES_WATCH_PICTURES"] != nil

  @Test(arguments: BrowsePicture.all) func `a picture is what the program shows`(picture: BrowsePicture) async throws {
    let lines = try await picture.lines()
    var page = try BrowsePage()
    if BrowsePicturesTests.isRewriting { try page.set(picture.name, lines) }
    #expect(page.picture(picture.name) == lines, "run make pictures, and look at what changed")
  }

  @Test func `the page has the keys of every action`() throws {
    let page = try BrowsePage().text
    for action in BrowseAction.allCases {
      let keys = action.defaultKeys.map { "`\($0)`" }.joined(separator: ", ")
      #expect(page.contains("| \(keys) | `\(action.rawValue)` | \(action.summary) |"))
    }
  }
}
