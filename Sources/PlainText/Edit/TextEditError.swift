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
public struct TextEditError: Error, Sendable, Hashable {
  /// The kind of a refusal.
  public enum Reason: String, Sendable {
    /// The text cannot be read.
    case unreadable
    /// There is no value at the path.
    case missing
    /// The key to add exists already.
    case exists
    /// The path requires a list or a map where there is another value.
    case wrongKind
    /// The path leads through an alias, so the value is elsewhere.
    case alias
    /// A merge key provides the value.
    case mergeKey
    /// Aliases elsewhere refer to this value.
    case anchor
    /// The page has front matter that is not YAML.
    case foreignFrontMatter
    /// The format cannot express this value or key here.
    case unwritable
    /// The result would not read as the old values with only this change.
    case unverified
  }

  /// The kind of the refusal.
  public let reason: Reason
  /// The path of the edit, as it was written.
  public let path: String
  /// The line of the value at the path, or of the deepest existing value above it. From 1, as in
  /// `TextError`.
  public let line: Int
  /// The column of that value, from 1, in Unicode scalars.
  public let column: Int
  /// Complete sentences that say what is wrong and what to do.
  public let message: String
}

extension TextEditError: CustomStringConvertible {
  /// The error as `line:column: path: message`.
  public var description: String { "\(line):\(column): \(path): \(message)" }
}
