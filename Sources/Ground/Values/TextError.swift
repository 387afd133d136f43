import Files

/// An error in a text: what is wrong, where, and what to do.
///
/// ```swift
/// do {
///   _ = try PackedValue(reading: "a: [1, 2", as: .yaml)
/// } catch {
///   print("note.yaml:\(error)")  // note.yaml:1:4: This list is not closed. Add the missing `]`.
/// }
/// ```
public struct TextError: Error, Sendable, Hashable {
  /// The line, from 1. A line ends with LF, CRLF or CR.
  public let line: Int
  /// The column, from 1, in Unicode scalars. A byte order mark does not count.
  public let column: Int
  /// Complete sentences that say what is wrong and what to do.
  public let message: String
  /// True if aliases add more bytes than `ReadLimits` allow.
  package var isExpansion = false

  /// Creates an error at a line and a column, both from 1.
  public init(line: Int, column: Int, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  init(at place: TextPlace, _ message: String) {
    self.init(line: place.line, column: place.column, message: message)
  }
}

extension TextError: CustomStringConvertible {
  /// The error as `line:column: message`.
  public var description: String { DisplayText.safe("\(line):\(column): \(message)") }
}
