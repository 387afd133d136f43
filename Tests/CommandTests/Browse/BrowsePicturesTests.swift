import Foundation
import TestSupport
import Testing

/// The pictures in the pages are what the built program shows. `make pictures` rewrites them.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Machine.has("tmux"), "needs tmux"))
struct BrowsePicturesTests {
  private static let isRewriting = ProcessInfo.processInfo.environment["NOTES_WATCH_PICTURES"] != nil

  @Test(arguments: BrowsePicture.all) func `a picture is what the program shows`(picture: BrowsePicture) async throws {
    let text = "```text\n\(try await picture.lines().joined(separator: "\n"))\n```\n"
    var page = try BrowsePage(picture.page)
    if BrowsePicturesTests.isRewriting { try page.set(picture.name, text) }
    let printed = page.picture(picture.name).map(BrowsePicturesTests.withoutMarks)
    #expect(printed == BrowsePicturesTests.withoutMarks(text), "run make pictures, and look at what changed")
  }

  /// Returns a picture without the signs of changed rows: on a slow machine they may have faded.
  private static func withoutMarks(_ picture: String) -> String {
    picture.replacing(/(?m)^[+→~]/, with: " ")
  }
}
