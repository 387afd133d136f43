import Files
import Values

/// An error in a predicate, with its column.
///
/// ```swift
/// do {
///   _ = try ItemPredicate("rating + 1 > 3")
/// } catch {
///   print(error)
///   // rating + 1 > 3
///   //        ^ column 8: expected a comparison such as =, AND, OR or the end, but found `+` here; there is no arithmetic
/// }
/// ```
public struct ItemPredicateError: Error, Sendable, Hashable {
  /// The column of the error in characters, from 1. It is one past the end if the predicate ends
  /// too early.
  public let column: Int
  /// The message: the expected and the actual text, and advice. It has no control characters.
  public let message: String
  /// The predicate as it was written.
  public let text: String

  init(column: Int, message: String, text: String) {
    self.column = column
    self.message = DisplayText.safe(message)
    self.text = text
  }

  /// Creates an error at an offset in Unicode scalars.
  init(offset: Int, message: String, text: String) {
    self.init(column: String(text.unicodeScalars.prefix(offset)).count + 1, message: message, text: text)
  }
}

extension ItemPredicateError: CustomStringConvertible {
  /// Two lines: the text around the error, and below it a caret and the message.
  public var description: String {
    let characters = Array(text)
    let place = min(column - 1, characters.count)
    let start = max(0, place - 40)
    let end = min(characters.count, column + 39)
    let before = (start > 0 ? "…" : "") + DisplayText.safe(String(characters[start..<place]))
    let line =
      before + DisplayText.safe(String(characters[place..<end])) + (end < characters.count ? "…" : "")
    let indent = String(repeating: " ", count: DisplayText.width(of: before))
    return "\(line)\n\(indent)^ column \(column): \(message)"
  }
}
