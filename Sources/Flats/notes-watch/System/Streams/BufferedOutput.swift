import Files
import Streams
import Values

/// Collects small writes into large ones, for output that is printed once. Output that is not
/// flushed when the program ends is lost.
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

  /// Writes sentences that may contain file names, and flushes.
  mutating func writeLines(_ lines: [String]) throws {
    for line in lines { try write(Array("\(DisplayText.safe(line))\n".utf8)) }
    try flush()
  }

  mutating func flush() throws {
    try output.write(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
