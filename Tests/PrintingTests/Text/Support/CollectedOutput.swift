import Printing
import Streams

/// Output that is kept in memory.
struct CollectedOutput: ByteOutput {
  private(set) var bytes: [UInt8] = []
  private(set) var writes = 0

  mutating func write(_ new: [UInt8]) throws {
    bytes += new
    writes += 1
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  /// Returns the text that `body` writes.
  static func text(_ body: (inout CollectedOutput) throws -> Void) rethrows -> String {
    var output = CollectedOutput()
    try body(&output)
    return output.text
  }
}

extension TextOptions {
  /// A window without colour.
  static func window(_ width: Int) -> TextOptions {
    TextOptions(width: width, usesColor: false, isTerminal: true)
  }
}
