import Files
import Glibc

struct TerminalPrompt {
  let input: CInt
  let output: CInt

  static let standard = TerminalPrompt(input: STDIN_FILENO, output: STDERR_FILENO)

  var isInteractive: Bool { isatty(input) == 1 && isatty(output) == 1 }

  /// An empty answer means `default`, the end of the input no.
  func confirm(_ question: String, default isDefault: Bool) -> Bool {
    write("\(question) [\(isDefault ? "Y/n" : "y/N")] ")
    guard let answer = readAnswer() else { return false }
    guard let first = answer.first else { return isDefault }
    return first == UInt8(ascii: "y") || first == UInt8(ascii: "Y")
  }

  func writeLine(_ text: String) { write(text, "\n") }

  /// A failed write is ignored, because there is no other place to report it.
  private func write(_ text: String, _ end: String = "") {
    var text = DisplayText.safe(text) + end
    text.withUTF8 { _ = Glibc.write(output, $0.baseAddress, $0.count) }
  }

  private func readAnswer() -> [UInt8]? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(input, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return line.isEmpty ? nil : line }
      if byte == UInt8(ascii: "\n") { return line }
      // No answer is longer; the rest of the line is skipped.
      if line.count < 64 { line.append(byte) }
    }
  }
}
