import FoundationEssentials

extension TerminalDevice {
  /// The most bytes of a text for the clipboard. Many terminals accept no more than 100,000 bytes of base64.
  static let maxClipboardBytes = 74_994

  /// Returns the bytes that send a text to the clipboard of the terminal (OSC 52); nil if it is too long.
  ///
  /// - Parameter isInMultiplexer: True inside of tmux: it gets the text, and another copy that it
  ///   passes on to the terminal, where it is allowed to.
  static func clipboardBytes(_ text: String, isInMultiplexer: Bool) -> [UInt8]? {
    guard text.utf8.count <= maxClipboardBytes else { return nil }
    let sequence = "\u{1B}]52;c;" + Data(text.utf8).base64EncodedString() + "\u{1B}\\"
    guard isInMultiplexer else { return Array(sequence.utf8) }
    return Array(
      (sequence + "\u{1B}Ptmux;" + sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\").utf8)
  }
}
