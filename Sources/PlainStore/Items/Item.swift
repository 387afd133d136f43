public import DirectoryWatch
package import LinuxFiles
public import PlainText

/// One item as it was read. It is immutable, so a snapshot that holds it never changes.
///
/// Reading a file twice gives two `Item`s. The view decides which of their differences matter
/// (`FetchRequest.fields`).
public final class Item: Sendable, Identifiable {
  /// The id that identifies the item in every list.
  public let id: ID
  /// The path of the item's file, relative to the root.
  public let path: RelativePath
  /// The size and times of the file when it was read.
  package let stamp: FileStamp
  /// The fields of the item: a map.
  public let fields: PackedValue

  package init(id: ID, path: RelativePath, stamp: FileStamp, fields: PackedValue) {
    self.id = id
    self.path = path
    self.stamp = stamp
    self.fields = fields
  }

  /// Returns the value at a path, or of a pseudo-field such as `@modified`; nil if it is missing.
  public func value(at path: FieldPath) -> Value? { PseudoField(path)?.value(of: self) ?? fields.value(at: path) }
}

extension Item {
  /// The id that identifies an item from one snapshot to the next: its path without the extension,
  /// or the values of the fields that the data set's `id-field` names.
  ///
  /// Ids are compared byte for byte. The description is the printed form: `%` is `%25`, and control
  /// characters and bytes that are not UTF-8 are `%XX`.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The printed form; for an occurrence, the text that `init(_:in:)` makes.
    let stored: String

    /// Makes an id of bytes as they are in a file name or a value.
    package init(bytes: some Sequence<UInt8>) {
      stored = RelativePath(bytes: bytes).description
    }

    /// Makes an id of a printed one, or of what a person types.
    public init(printed text: String) {
      stored = RelativePath(printed: text)?.description ?? text
    }

    /// Makes an id of the values of the id fields. Several values are joined by `/`; a `/` or `\`
    /// within one of them is escaped with `\`, so that they stay distinct.
    package init(parts: [String]) {
      let (slash, backslash) = (UInt8(ascii: "/"), UInt8(ascii: "\\"))
      let texts = parts.map { part in
        part.utf8.flatMap { parts.count > 1 && ($0 == slash || $0 == backslash) ? [backslash, $0] : [$0] }
      }
      self.init(bytes: texts.joined(separator: CollectionOfOne(slash)))
    }

    /// Makes the id of a path: the path without its extension.
    package init(path: RelativePath) {
      let text = path.description
      stored = text.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(text[..<$0]) } ?? text
    }

    public static func == (a: ID, b: ID) -> Bool { a.stored.hasSameBytes(as: b.stored) }
    public func hash(into hasher: inout Hasher) { stored.hashBytes(into: &hasher) }
  }
}

extension Item.ID: ExpressibleByStringLiteral {
  /// Creates an id from a literal in its printed form: `"friends/ada"`. The same as
  /// `init(printed:)`.
  public init(stringLiteral text: StaticString) { self.init(printed: text.description) }
}
