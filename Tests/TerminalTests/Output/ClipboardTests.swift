import Testing

@testable import Terminal

@Suite struct ClipboardTests {
  @Test func `a text is sent in base64, whatever it contains`() throws {
    let bytes = try #require(TerminalDevice.clipboardBytes("a\u{1B}]0;x\u{7}", isInMultiplexer: false))
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}]52;c;YRtdMDt4Bw==\u{1B}\\")
  }

  @Test func `tmux gets the text twice, once to pass on`() throws {
    let bytes = try #require(TerminalDevice.clipboardBytes("abc", isInMultiplexer: true))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "\u{1B}]52;c;YWJj\u{1B}\\\u{1B}Ptmux;\u{1B}\u{1B}]52;c;YWJj\u{1B}\u{1B}\\\u{1B}\\")
  }

  @Test func `a long text is refused`() {
    #expect(
      TerminalDevice.clipboardBytes(
        String(repeating: "x", count: TerminalDevice.maxClipboardBytes), isInMultiplexer: false) != nil)
    #expect(
      TerminalDevice.clipboardBytes(
        String(repeating: "x", count: TerminalDevice.maxClipboardBytes + 1), isInMultiplexer: false) == nil)
  }
}
