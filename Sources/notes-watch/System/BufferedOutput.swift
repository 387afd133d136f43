import PlainText
import Sinks

/// Gathers small writes into large ones, for what is printed once. What is in it when the program ends early was not to be seen yet.
struct BufferedOutput: ByteOutput {
  private static let size = 1 << 16
  private var output: StandardOutput
  private var pending: [UInt8] = []

  init(_ output: StandardOutput) {
    self.output = output
  }

  mutating func write(_ bytes: [UInt8]) throws {
    pending += bytes
    if pending.count >= BufferedOutput.size { try flush() }
  }

  /// Sentences in which names of files may stand, and all that was written before.
  mutating func writeLines(_ lines: [String]) throws {
    for line in lines { try write(Array("\(DisplayText.safe(line))\n".utf8)) }
    try flush()
  }

  mutating func flush() throws {
    try output.write(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
