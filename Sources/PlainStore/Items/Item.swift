public import DirectoryWatch
package import LinuxFiles
public import PlainText

/// One item as it was read: immutable, so that a snapshot which holds it never changes.
///
/// Two readings of one file are two `Item`s; which of their differences matter is for the view to say (`FetchRequest.fields`).
public final class Item: Sendable, Identifiable {
  public let id: ID
  /// Where its file is, below the root.
  public let path: RelativePath
  /// The state of the file when it was read.
  package let stamp: FileStamp
  /// All of its fields: a map.
  public let fields: PackedValue

  package init(id: ID, path: RelativePath, stamp: FileStamp, fields: PackedValue) {
    self.id = id
    self.path = path
    self.stamp = stamp
    self.fields = fields
  }

  /// The value at a path, or of a pseudo-field (`@modified`); nil if it is missing.
  public func value(at path: FieldPath) -> Value? { PseudoField(path)?.value(of: self) ?? fields.value(at: path) }
}

extension Item {
  /// What makes an item the same one in the next snapshot: its path without the extension, or the fields that the data set's `id-field` names.
  ///
  /// Compared byte for byte. The text is as printed: `%` is `%25`, and control characters and bytes that are not UTF-8 are `%XX`.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// From bytes as they are in a file name or a value.
    package init(bytes: some Sequence<UInt8>) {
      description = RelativePath(bytes: bytes).description
    }

    /// From text as it is printed, or as a person types it.
    public init(printed text: String) {
      description = RelativePath(printed: text)?.description ?? text
    }

    /// From the texts of the fields that make it. Those of several are joined by `/`, and stay apart: a `/` or `\` within one stands behind a `\`.
    package init(parts: [String]) {
      let (slash, backslash) = (UInt8(ascii: "/"), UInt8(ascii: "\\"))
      let texts = parts.map { part in
        part.utf8.flatMap { parts.count > 1 && ($0 == slash || $0 == backslash) ? [backslash, $0] : [$0] }
      }
      self.init(bytes: texts.joined(separator: CollectionOfOne(slash)))
    }

    /// The path without the extension.
    package init(path: RelativePath) {
      let text = path.description
      description = text.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(text[..<$0]) } ?? text
    }

    public static func == (a: ID, b: ID) -> Bool { a.description.hasSameBytes(as: b.description) }
    public func hash(into hasher: inout Hasher) { description.hashBytes(into: &hasher) }
  }
}

extension Item.ID: ExpressibleByStringLiteral {
  /// Creates an id from a literal in its printed form: `"friends/ada"`. The same as `init(printed:)`.
  public init(stringLiteral text: StaticString) { self.init(printed: text.description) }
}
