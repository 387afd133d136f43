/// A place in a text, counted as in `TextError`.
public struct TextPlace: Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int

  /// Creates a place from a line and a column, both from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place as `line:column`.
  public var description: String { "\(line):\(column)" }

  /// Finds the place of the byte at `offset`, or of the end of the text. Linear, so call it for
  /// errors and on request only.
  init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
    var line = 1
    var lineStart = 0
    var index = 0
    while index < min(offset, bytes.count) {
      let byte = bytes[index]
      index += 1
      let isSplitCRLF =
        byte == UInt8(ascii: "\r") && index < bytes.count && bytes[index] == UInt8(ascii: "\n")
      if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && !isSplitCRLF) {
        line += 1
        lineStart = index
      }
    }
    self.line = line
    column = 1 + bytes[lineStart..<index].characterCount
  }
}
