import TestSupport
import Testing

@testable import Terminal

@Suite struct ScreenModesTests {
  /// Returns the private modes that bytes set or reset, with the names of other changes.
  private func changes(_ bytes: [UInt8], _ end: Character) -> Set<String> {
    var found: Set<String> = []
    for part in String(decoding: bytes, as: UTF8.self).split(separator: "\u{1B}[?") {
      let digits = part.prefix { $0.isNumber }
      if !digits.isEmpty, part.dropFirst(digits.count).first == end { found.insert(String(digits)) }
    }
    return found
  }

  @Test func `each mode that is set is restored`() {
    var modes = ScreenModes()
    modes.setsClusters = true
    let set = changes(modes.entering, "h")
    #expect(set.count >= 7)
    #expect(set.isSubset(of: changes(modes.leaving, "l")))
    #expect(changes(modes.entering, "l").isSubset(of: changes(modes.leaving, "h")))
  }

  @Test func `the bytes of restoration fit into the room of the restorers`() {
    var modes = ScreenModes()
    modes.setsClusters = true
    modes.hasKeyboardProtocol = true
    modes.title = String(repeating: "x", count: 5000)
    modes.region = (10_000, CellPosition(row: 10_000, column: 10_000))
    #expect(modes.leaving.count < 512)
  }

  @Test func `a restoration ends what is incomplete`() {
    #expect(ScreenModes().leaving.starts(with: Array("\u{1B}\\".utf8)))
  }

  @Test func `a restoration resets the margins before it places the cursor`() throws {
    var modes = ScreenModes()
    modes.region = (3, CellPosition(row: 2, column: 4))
    let text = String(decoding: modes.leaving, as: UTF8.self)
    let reset = try #require(text.firstRange(of: "\u{1B}[r"))
    let cursor = try #require(text.firstRange(of: "\u{1B}[3;5H"))
    #expect(reset.upperBound <= cursor.lowerBound)
  }

  @Test func `entering again first removes the title and the flags from the stacks of the terminal`() {
    var modes = ScreenModes()
    #expect(modes.reentering == modes.entering)
    modes.hasKeyboardProtocol = true
    modes.title = "a title"
    #expect(modes.reentering == Array("\u{1B}[23;2t\u{1B}[<u".utf8) + modes.entering)
  }

  @Test func `without a mouse its modes stay alone`() {
    var modes = ScreenModes()
    modes.usesMouse = false
    let text = String(decoding: modes.entering + modes.leaving, as: UTF8.self)
    for mode in ["?1000", "?1002", "?1006"] { #expect(!text.contains(mode)) }
  }
}
