/// Why a text could not be read, and where.
///
/// ```swift
/// do {
///   _ = try PackedValue(reading: "a: [1, 2", as: .yaml)
/// } catch {
///   print("note.yaml:\(error)")  // note.yaml:1:4: This list is never closed: its `]` is missing.
/// }
/// ```
public struct TextError: Error, Sendable, Hashable {
  /// From 1. A line ends with LF, CRLF or CR.
  public let line: Int
  /// From 1, in characters (Unicode scalars); a byte order mark is none.
  public let column: Int
  /// Full sentences: what is wrong, and what to do about it.
  public let message: String

  public init(line: Int, column: Int, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }
}

extension TextError: CustomStringConvertible {
  /// `line:column: message`
  public var description: String { "\(line):\(column): \(message)" }
}

/// A line and a column, both from 1, counted as in `TextError`.
public struct TextPlace: Sendable, Hashable {
  public let line: Int
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
  /// Of a byte, or of the end. Linear: for errors, and for those who ask.
  init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
    var line = 1
    var lineStart = 0
    var index = 0
    while index < min(offset, bytes.count) {
      let byte = bytes[index]
      index += 1
      let isSplitCRLF = byte == UInt8(ascii: "\r") && index < bytes.count && bytes[index] == UInt8(ascii: "\n")
      if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && !isSplitCRLF) {
        line += 1
        lineStart = index
      }
    }
    self.line = line
    column = 1 + UTF8Check.characterCount(in: bytes[lineStart..<index])
  }
}
