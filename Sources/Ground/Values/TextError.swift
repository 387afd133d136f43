import Files

/// An error in a text, or in a field path: what is wrong, where, and what to do.
///
/// ```swift
/// do {
///   _ = try PackedValue(reading: "a: [1, 2", as: .yaml)
/// } catch {
///   print("note.yaml:\(error)")  // note.yaml:1:4: This list is not closed. Add the missing `]`.
/// }
/// ```
///
/// An error in a field path has the path, and a column in it:
///
/// ```swift
/// do {
///   _ = try FieldPath(parsing: "address..city")
/// } catch {
///   print(error)  // `address..city`, column 9: A key is missing here. …
/// }
/// ```
public struct TextError: Error, Hashable {
  /// The line, from 1. A line ends with LF, CRLF or CR.
  public let line: Int
  /// The column, from 1, in Unicode scalars. A byte order mark does not count.
  public let column: Int
  /// Complete sentences that say what is wrong and what to do.
  public let message: String
  /// The text of a field path that cannot be read; nil for an error in another text.
  public private(set) var path: String?
  /// True if aliases add more bytes than `ReadLimits` allow.
  package var isExpansion = false

  /// Creates an error at a line and a column, both from 1.
  public init(line: Int, column: Int, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  init(path: String, column: Int, _ message: String) {
    self.init(line: 1, column: column, message: message)
    self.path = path
  }

  init(at place: TextPlace, _ message: String) {
    self.init(line: place.line, column: place.column, message: message)
  }
}

extension TextError: CustomStringConvertible {
  /// The error as `line:column: message`; in a field path as `` `path`, column 3: message ``.
  public var description: String {
    guard let path else { return DisplayText.safe("\(line):\(column): \(message)") }
    let scalars = path.unicodeScalars
    let shown = scalars.count <= 100 ? path : String(String.UnicodeScalarView(scalars.prefix(100))) + "…"
    return DisplayText.safe("`\(shown)`, column \(column): \(message)")
  }
}

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

  /// Finds the place of the byte at `offset`, or of the end. Linear: for errors and on request only.
  init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
    var line = 1
    var lineStart = 0
    var index = 0
    while index < min(offset, bytes.count) {
      let byte = bytes[index]
      index += 1
      let isSplitCRLF =
        byte == "\r" && index < bytes.count && bytes[index] == "\n"
      if byte == "\n" || (byte == "\r" && !isSplitCRLF) {
        line += 1
        lineStart = index
      }
    }
    self.line = line
    column = 1 + bytes[lineStart..<index].characterCount
  }
}
