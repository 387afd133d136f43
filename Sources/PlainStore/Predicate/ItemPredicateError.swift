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
    self.message = String(message.map(ItemPredicateError.visible))
    self.text = text
  }
}

extension ItemPredicateError: CustomStringConvertible {
  /// Two lines: what surrounds the place, and below it a caret and the message.
  public var description: String {
    let characters = Array(text)
    let start = max(0, min(column - 1, characters.count) - 40)
    let end = min(characters.count, column + 39)
    let line = (start > 0 ? "…" : "") + characters[start..<end].map(ItemPredicateError.visible) + (end < characters.count ? "…" : "")
    let indent = String(repeating: " ", count: column - 1 - start + (start > 0 ? 1 : 0))
    return "\(line)\n\(indent)^ column \(column): \(message)"
  }

  /// What would move the cursor or turn the text around takes one plain place instead.
  private static func visible(_ character: Character) -> Character {
    character.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.value == 0x200D
      default: true
      }
    } ? character : (character == "\t" || character == "\n" ? " " : "\u{FFFD}")
  }
}
