/// A word quoted for a shell, for commands that messages suggest.
struct ShellWord: CustomStringConvertible {
  let description: String

  init(_ text: String) {
    let isPlain = text.utf8.allSatisfy { byte in
      byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "/._-+:,@%".utf8.contains(byte)
    }
    description = isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}
