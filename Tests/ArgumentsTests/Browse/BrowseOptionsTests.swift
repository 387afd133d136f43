import ArgumentParser
import Terminal
import Testing

@testable import notes_watch

/// The options of `browse`.
@Suite struct BrowseOptionsTests {
  private static func parse(_ line: String) throws -> BrowseCommand {
    try BrowseCommand.parse(line.split(separator: " ").map(String.init))
  }

  /// Returns the error message for a command line; nil if it is valid.
  private static func message(_ line: String) -> String? {
    do {
      _ = try parse(line)
      return nil
    } catch {
      return BrowseCommand.message(for: error)
    }
  }

  @Test(arguments: ["--multi", "--expect x", "--select-1", "--exit-0"])
  func `an option about choosing needs a form`(option: String) {
    let name = option.prefix { $0 != " " }
    #expect(BrowseOptionsTests.message("notes \(option)")?.contains("\(name) needs --print") == true)
    #expect(BrowseOptionsTests.message("notes --print id \(option)") == nil)
  }

  @Test func `a height is a number of rows or a part of the window`() throws {
    #expect(try BrowseOptionsTests.parse("notes --height 15").height == .rows(15))
    #expect(try BrowseOptionsTests.parse("notes --height 40%").height == .percent(40))
    for text in ["0", "-3", "101%", "0%", "x", "4 %", "99999999999999999999"] {
      let error = #expect(throws: (any Error).self) {
        try BrowseCommand.parse(["notes", "--height=\(text)"])
      }
      let message = error.map { BrowseCommand.message(for: $0) }
      #expect(message?.contains("is not a height") == true, "\(text)")
    }
  }

  @Test func `expected keys are names of keys`() throws {
    let keys = try BrowseOptionsTests.parse("notes --print id --expect ctrl-v,alt-enter,f2,x").choosing
      .expectedKeys()
    #expect(
      keys == [Key(.character("v"), .control), Key(.enter, .alt), Key(.function(2)), Key(.character("x"))])
    #expect(
      BrowseOptionsTests.message("notes --print id --expect x,hyper-q")?.contains(
        "`hyper-q` is not the name of a key") == true)
    #expect(
      BrowseOptionsTests.message("notes --print id --expect x,")?.contains("is not the name of a key") == true
    )
  }
}
