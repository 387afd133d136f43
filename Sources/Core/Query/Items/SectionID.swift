import Values

/// The identifier of a section: the text of the value that its items share. Two are equal if their
/// bytes are.
public struct SectionID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The text of the value.
  public let description: String

  /// Creates the identifier of the section whose items have a value with this text.
  public init(_ text: String) {
    description = text
  }

  /// Creates an identifier from a literal.
  public init(stringLiteral text: String) {
    description = text
  }

  /// Returns true if both ids have the same bytes.
  public static func == (a: SectionID, b: SectionID) -> Bool { a.description.hasSameBytes(as: b.description) }
  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { description.hashBytes(into: &hasher) }
}
