import Foundation
import TestSupport
import Testing

/// The pictures of `docs/browse.md` are what the built program shows. `make pictures` rewrites
/// them.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Machine.has("tmux"), "needs tmux"))
struct BrowsePicturesTests {
  private static let isRewriting = ProcessInfo.processInfo.environment["NOTES_WATCH_PICTURES"] != nil

  @Test(arguments: BrowsePicture.all) func `a picture is what the program shows`(picture: BrowsePicture) async throws {
    let text = "```text\n\(try await picture.lines().joined(separator: "\n"))\n```\n"
    var page = try BrowsePage()
    if BrowsePicturesTests.isRewriting { try page.set(picture.name, text) }
    #expect(page.picture(picture.name) == text, "run make pictures, and look at what changed")
  }
}
