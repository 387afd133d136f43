import SampleLists
import Store
import Streams
import Testing
import TextEdits
import Values

@testable import Printing

@Suite struct IDWriterTests {
  private func ids(_ items: [Item], isTerminal: Bool) throws -> String {
    try CollectedOutput.text {
      try IDWriter(isTerminal: isTerminal).pieces(of: try SampleList(items).snapshot).write(to: &$0)
    }
  }

  @Test func `ids are written one per line in the order of the list`() throws {
    #expect(try ids([.sample("b", [:]), .sample("friends/a", [:])], isTerminal: false) == "b\nfriends/a\n")
    #expect(try ids([], isTerminal: false) == "")
  }

  @Test func `an id never controls the terminal`() throws {
    #expect(try ids([.sample("a\u{9B}\u{1B}\u{202E}", [:])], isTerminal: true) == "a\\x9b%1B\\u202e\n")
    #expect(try ids([.sample("a\u{9B}", [:])], isTerminal: false) == "a\u{9B}\n")
  }
}
