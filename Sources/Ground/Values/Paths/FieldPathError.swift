import Files

/// An error in the text of a field path, with its column.
///
/// ```swift
/// do {
///   _ = try FieldPath(parsing: "address..city")
/// } catch {
///   print(error)  // `address..city`, column 9: A key is missing here. …
/// }
/// ```
public struct FieldPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text of the path.
  public let text: String
  /// The column in the text, from 1, in Unicode scalars.
  public let column: Int
  /// Complete sentences that say what is wrong and what to write.
  public let message: String

  init(_ text: String, column: Int, _ message: String) {
    self.text = text
    self.column = column
    self.message = message
  }

  /// The error as `` `text`, column 3: message ``.
  public var description: String {
    let scalars = text.unicodeScalars
    let shown = scalars.count <= 100 ? text : String(String.UnicodeScalarView(scalars.prefix(100))) + "…"
    return DisplayText.safe("`\(shown)`, column \(column): \(message)")
  }
}
