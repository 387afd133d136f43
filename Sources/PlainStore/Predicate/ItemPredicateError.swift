import PlainText

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
  /// The column of the error in characters, from 1. It is one past the end if the predicate ends too
  /// early.
  public let column: Int
  /// The message: the expected and the actual text, and advice. It has no control characters.
  public let message: String
  /// The predicate as it was written.
  public let text: String

  init(column: Int, message: String, text: String) {
    self.column = column
    self.message = String(message.map(ItemPredicateError.visible))
    self.text = text
  }
}

extension ItemPredicateError: CustomStringConvertible {
  /// Two lines: the text around the error, and below it a caret and the message.
  public var description: String {
    let characters = Array(text)
    let start = max(0, min(column - 1, characters.count) - 40)
    let end = min(characters.count, column + 39)
    let line = (start > 0 ? "…" : "") + characters[start..<end].map(ItemPredicateError.visible) + (end < characters.count ? "…" : "")
    let indent = String(repeating: " ", count: column - 1 - start + (start > 0 ? 1 : 0))
    return "\(line)\n\(indent)^ column \(column): \(message)"
  }

  /// Replaces characters that move the cursor or change the direction of the text.
  private static func visible(_ character: Character) -> Character {
    character.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.value == 0x200D
      default: true
      }
    } ? character : (character == "\t" || character == "\n" ? " " : "\u{FFFD}")
  }
}
