import Files

/// An error in a predicate, with its column.
///
/// ```swift
/// let line = "rating + 1 > 3"
/// do {
///   _ = try ItemPredicate(line)
/// } catch {
///   print(error)
///   // rating + 1 > 3
///   //        ^ column 8: expected a comparison such as =, AND, OR or the end, but found `+` here; there is no arithmetic
/// }
/// ```
public struct ItemPredicateError: PlainStoreError, Hashable {
  private let offset: Int
  /// The column of the error in characters, from 1. It is one past the end if the predicate ends too early.
  package var column: Int { String(text.unicodeScalars.prefix(offset)).count + 1 }
  /// The message: the expected and the actual text, and advice. It has no control characters.
  public let message: String
  /// The predicate as it was written.
  package private(set) var text = ""

  /// Always `malformed`.
  public var code: ErrorCode { .malformed }
  /// The column in the predicate.
  public var place: ErrorPlace? { ErrorPlace(nil, column: column) }
  /// Always nil, because the message says what to do.
  public var advice: String? { nil }

  /// Creates an error at an offset in Unicode scalars, for a predicate that `of(_:)` names.
  init(at offset: Int, _ message: String) {
    self.offset = offset
    self.message = DisplayText.safe(message)
  }

  func of(_ text: String) -> ItemPredicateError {
    var error = self
    error.text = text
    return error
  }
}

extension ItemPredicateError {
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
