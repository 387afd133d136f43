/// The random name of one run of a command, which it finds in `NOTES_WATCH_RUN`.
package struct RunID: Sendable, Hashable, CustomStringConvertible {
  /// The environment variable with the name.
  package static let variable = "NOTES_WATCH_RUN"

  /// The name: 32 hexadecimal digits in lower case.
  package let description: String

  /// Makes a new name.
  init() {
    var generator = SystemRandomNumberGenerator()
    description = (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  /// Reads a name. Nil if `text` is not a name, but for example a path.
  package init?(_ text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
    description = text
  }
}
