import Files

/// The reason why an edit was refused. No part of it was made.
///
/// ```swift
/// let item = ItemText(Array("base: &b {x: 1}\nm: *b\n".utf8), as: .yaml)
/// do {
///   _ = try item.applying([.set("m.x", .null)])
/// } catch {
///   print(error)  // 2:4: m.x: This value is the alias *b. …
/// }
/// ```
public struct TextEditError: Error, Hashable {
  /// The kind of a refusal.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The text cannot be read.
    public static let unreadable = Reason("unreadable")
    /// There is no value at the path.
    public static let missing = Reason("missing")
    /// The key to add exists already.
    public static let exists = Reason("exists")
    /// Several elements of the list have the value.
    public static let ambiguous = Reason("ambiguous")
    /// The path requires a list or a map where there is another value.
    public static let wrongKind = Reason("wrongKind")
    /// The path leads through an alias, so the value is elsewhere.
    public static let alias = Reason("alias")
    /// A merge key provides the value.
    public static let mergeKey = Reason("mergeKey")
    /// Aliases elsewhere refer to this value.
    public static let anchor = Reason("anchor")
    /// The page has front matter that is not YAML.
    public static let foreignFrontMatter = Reason("foreignFrontMatter")
    /// The format cannot express this value or key here.
    public static let unwritable = Reason("unwritable")
    /// The result would not read as the old values with only this change.
    public static let unverified = Reason("unverified")

    private let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// The name of the reason, such as `missing`.
    public var description: String { name }
  }

  /// The kind of the refusal.
  public let reason: Reason
  /// The path of the edit, as it was written.
  public private(set) var path = ""
  /// The line of the value at the path, or of the deepest existing value above it; from 1.
  public private(set) var line = 1
  /// The column of that value, from 1, in Unicode scalars.
  public private(set) var column = 1
  /// Complete sentences that say what is wrong and what to do.
  public let message: String
  /// The byte offset of the value until its place is known; nil for the end of the path.
  private(set) var offset: Int?

  /// The element that is ambiguous, as a line shows it; nil for any other refusal.
  package let element: Value?

  package init(_ reason: Reason, _ message: String, at offset: Int? = nil, element: Value? = nil) {
    self.reason = reason
    self.message = message
    self.offset = offset
    self.element = element
  }

  func at(_ edit: TextEdit, line: Int = 1, column: Int = 1) -> TextEditError {
    var error = self
    error.path = edit.path.description
    error.line = line
    error.column = column
    error.offset = nil
    return error
  }
}

extension TextEditError: CustomStringConvertible {
  /// The error as `line:column: path: message`.
  public var description: String { DisplayText.safe("\(line):\(column): \(path): \(message)") }
}
