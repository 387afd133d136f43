import PlainText

/// Why a text is no predicate, and where.
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
  /// Where, counted in characters from 1; one more than the text has where it ended too early.
  public let column: Int
  /// What was expected, what stands there, and where it helps, what to write. Safe to print.
  public let message: String
  /// The predicate.
  public let text: String

  init(column: Int, message: String, text: String) {
    self.column = column
    self.message = DisplayText.safe(message)
    self.text = text
  }
}

extension ItemPredicateError: CustomStringConvertible {
  /// Two lines: what surrounds the place, and below it a caret and the message.
  public var description: String {
    let characters = Array(text)
    let place = min(column - 1, characters.count)
    let start = max(0, place - 40)
    let end = min(characters.count, column + 39)
    let before = (start > 0 ? "…" : "") + DisplayText.safe(String(characters[start..<place]))
    let line = before + DisplayText.safe(String(characters[place..<end])) + (end < characters.count ? "…" : "")
    let indent = String(repeating: " ", count: DisplayText.width(of: before))
    return "\(line)\n\(indent)^ column \(column): \(message)"
  }
}
