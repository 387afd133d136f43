/// Why an edit was refused: nothing of it was done.
///
/// ```swift
/// let item = ItemText(Array("base: &b {x: 1}\nm: *b\n".utf8), as: .yaml)
/// do {
///   _ = try item.applying([.set("m.x", .null)])
/// } catch {
///   print(error)  // 2:4: m.x: This value is an alias, …
/// }
/// ```
public struct TextEditError: Error, Sendable, Hashable {
  public enum Reason: String, Sendable {
    /// The text cannot be read as it is.
    case unreadable
    /// Nothing stands at the path.
    case missing
    /// The key to be added is there already.
    case exists
    /// A list or a map was expected where something else stands.
    case wrongKind
    /// The path leads through an alias, whose value stands elsewhere.
    case alias
    /// A merge key brings what is at the path.
    case mergeKey
    /// Other places take the value from here, by its anchor.
    case anchor
    /// The page has front matter that is not YAML.
    case foreignFrontMatter
    /// The format has no way to write this value or key there.
    case unwritable
    /// What would come out does not read as the old values with just this change.
    case unverified
  }

  public let reason: Reason
  /// Of the edit, as it was written.
  public let path: String
  /// Where the path ends in the text, or the deepest part of it that is there. From 1, as in `TextError`.
  public let line: Int
  public let column: Int
  /// Full sentences: what is wrong, and what to do about it.
  public let message: String
}

extension TextEditError: CustomStringConvertible {
  /// `line:column: path: message`
  public var description: String { "\(line):\(column): \(path): \(message)" }
}

/// What a part of the editor refuses, before its place is known.
struct EditRefusal: Error {
  let reason: TextEditError.Reason
  let message: String
  /// The byte that it is about; nil: the end of the path.
  var offset: Int?

  init(_ reason: TextEditError.Reason, _ message: String, at offset: Int? = nil) {
    self.reason = reason
    self.message = message
    self.offset = offset
  }
}
