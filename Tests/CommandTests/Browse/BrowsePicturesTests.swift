import Foundation
import TestSupport
import Testing

/// The pictures in the pages are what the built program shows. `make pictures` rewrites them.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Machine.has("tmux"), "needs tmux"))
struct BrowsePicturesTests {
  private static let isRewriting = ProcessInfo.processInfo.environment["NOTES_WATCH_PICTURES"] != nil

  @Test(arguments: BrowsePicture.all) func `a picture is what the program shows`(picture: BrowsePicture)
    async throws
  {
    var page = try BrowsePage(picture.page)
    if BrowsePicturesTests.isRewriting {
      return try page.set(picture.name, try await BrowsePicturesTests.steady(picture))
    }
    let printed = try #require(page.picture(picture.name).map(BrowsePicturesTests.withoutMarks))
    // After a change of what is drawn: run make pictures, and look at what changed.
    _ = try await picture.take { BrowsePicturesTests.withoutMarks($0) == printed }
  }

  /// Returns a picture when the screen has not changed for a while.
  private static func steady(_ picture: BrowsePicture) async throws -> String {
    var (last, count) = ("", 0)
    return try await picture.take { text in
      (last, count) = (text, text == last ? count + 1 : 0)
      return count == 10
    }
  }

  /// Returns a picture without the signs of changed rows: on a slow machine they may have faded.
  private static func withoutMarks(_ picture: String) -> String {
    picture.replacing(/(?m)^[+→~]/, with: " ")
  }
}
