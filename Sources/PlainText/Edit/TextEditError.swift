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
  /// The kinds of reasons. More may be added.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The text cannot be read as it is.
    public static let unreadable = Reason(.unreadable)
    /// Nothing stands at the path.
    public static let missing = Reason(.missing)
    /// The key to be added is there already.
    public static let exists = Reason(.exists)
    /// A list or a map was expected where something else stands.
    public static let wrongKind = Reason(.wrongKind)
    /// The path leads through an alias, whose value stands elsewhere.
    public static let alias = Reason(.alias)
    /// A merge key brings what is at the path.
    public static let mergeKey = Reason(.mergeKey)
    /// Other places take the value from here, by its anchor.
    public static let anchor = Reason(.anchor)
    /// The page has front matter that is not YAML.
    public static let foreignFrontMatter = Reason(.foreignFrontMatter)
    /// The format has no way to write this value or key there.
    public static let unwritable = Reason(.unwritable)
    /// What would come out does not read as the old values with just this change.
    public static let unverified = Reason(.unverified)

    private enum Name: String {
      case unreadable, missing, exists, wrongKind, alias, mergeKey, anchor, foreignFrontMatter
      case unwritable, unverified
    }

    private let name: Name

    private init(_ name: Name) {
      self.name = name
    }

    /// The name of the reason, such as `missing`.
    public var description: String { name.rawValue }
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
