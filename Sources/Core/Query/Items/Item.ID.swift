package import Files
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
package import Values

extension Item {
  /// The id that identifies an item from one snapshot to the next: its path without the extension,
  /// or the values of the fields that the data set's `id-field` names.
  ///
  /// A string is an id as it is, as a literal, with interpolations, or as data:
  ///
  /// ```swift
  /// let name = "50% off"
  /// let offers: [Item.ID] = ["friends/ada", "sale/\(name)", Item.ID(name)]
  /// ```
  ///
  /// Ids are compared byte for byte. The description is the printed form, which the command, the
  /// JSON Lines and predicates use: `%` is `%25`, and control characters and bytes that are not
  /// UTF-8 are `%XX`. Use `init(printed:)` to read it.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The printed form: `50%25 off` for the id `50% off`. For an occurrence, the text that
    /// `init(_:in:)` makes.
    package let stored: String

    package init(bytes: some Sequence<UInt8>) {
      stored = RelativePath(bytes: bytes).description
    }

    /// Creates the id of a value: a string is the id exactly, an integer its decimal digits, a UUID is in
    /// lowercase. No character has a special meaning.
    public init(_ value: some ItemIDConvertible) { self = value.itemID }

    /// Creates an id from its printed form, or from what a person types: `%25` is `%`. A `%` that
    /// begins no such escape means itself.
    public init(printed text: String) {
      self.init(bytes: RelativePath.decode(text.utf8))
    }

    /// Makes an id of the values of the id fields. Several values are joined by `/`; a `/` or `\`
    /// within one of them is escaped with `\`, so that they stay distinct.
    package init(parts: [String]) {
      let slash = UInt8(ascii: "/")
      let backslash = UInt8(ascii: "\\")
      let texts = parts.map { part in
        part.utf8.flatMap { parts.count > 1 && ($0 == slash || $0 == backslash) ? [backslash, $0] : [$0] }
      }
      self.init(bytes: texts.joined(separator: CollectionOfOne(slash)))
    }

    /// Makes the id of a path: the path without its extension.
    package init(path: RelativePath) {
      let text = path.description
      stored =
        path.withUTF8 { bytes in
          bytes.lastIndex(of: UInt8(ascii: ".")).map { dot in
            String(unsafeUninitializedCapacity: dot) { $0.initialize(fromContentsOf: bytes[..<dot]) }
          }
        } ?? text
    }

    /// The id as a string, exactly as it is; nil if the bytes of the file's name are not UTF-8. For
    /// an occurrence, the string of its item.
    public var text: String? {
      let printed = item.stored
      return printed.utf8.contains(UInt8(ascii: "%"))
        ? String(validating: RelativePath.decode(printed.utf8), as: UTF8.self) : printed
    }

    /// Returns true if both ids have the same bytes.
    public static func == (a: ID, b: ID) -> Bool { a.stored.hasSameBytes(as: b.stored) }
    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { stored.hashBytes(into: &hasher) }
  }
}

/// A type whose values are ids of items: strings, integers, UUIDs, ids, and enumerations or structs with such
/// a raw value. Wherever an id is expected, one of these is an id.
///
/// ```swift
/// struct ISBN: RawRepresentable, Hashable, Codable, Sendable, ItemIDConvertible { var rawValue: String }
/// try await store.delete(ISBN(rawValue: "9780262033848"))
/// ```
public protocol ItemIDConvertible {
  /// The id of the item.
  var itemID: Item.ID { get }
}

extension ItemIDConvertible where Self: RawRepresentable, RawValue: ItemIDConvertible {
  /// The id of the raw value.
  public var itemID: Item.ID { rawValue.itemID }
}

extension ItemIDConvertible where Self: BinaryInteger {
  /// The decimal digits of the number.
  public var itemID: Item.ID { Item.ID(bytes: String(self).utf8) }
}

extension Item.ID: ItemIDConvertible {
  /// The id itself.
  public var itemID: Item.ID { self }
}

extension String: ItemIDConvertible {
  /// The id that is exactly this string.
  public var itemID: Item.ID { Item.ID(bytes: utf8) }
}

extension UUID: ItemIDConvertible {
  /// The UUID in lowercase.
  public var itemID: Item.ID { Item.ID(bytes: uuidString.lowercased().utf8) }
}

extension Int: ItemIDConvertible {}
extension Int32: ItemIDConvertible {}
extension Int64: ItemIDConvertible {}
extension UInt: ItemIDConvertible {}
extension UInt32: ItemIDConvertible {}
extension UInt64: ItemIDConvertible {}

extension Item.ID: ExpressibleByStringInterpolation {
  /// Creates an id from a literal, with or without interpolations. It is exactly this string, like
  /// `init(_:)`: `"50% off"`.
  public init(stringLiteral text: String) { self.init(bytes: text.utf8) }
}

extension Item.ID: Codable {
  /// Decodes an id from a string, which is the id as it is.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the id as a string, which is the id as it is.
  ///
  /// - Throws: `EncodingError.invalidValue` if the bytes of the id are not UTF-8.
  public func encode(to encoder: any Encoder) throws {
    guard let text else {
      let context = EncodingError.Context(
        codingPath: encoder.codingPath,
        debugDescription:
          "The id `\(description)` is not UTF-8, so it cannot be encoded as a string. Rename the file.")
      throw EncodingError.invalidValue(self, context)
    }
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// The ids of a list that shows an item in several sections (`SectionDescriptor.Grouping.element`).
///
/// In such a list each occurrence of an item has its own id: that of the item, with the section. So the ids
/// of a list stay unique, and each change names one row. Snapshots find the item by either id.
extension Item.ID {
  /// Creates the id that the value of a link names; nil if it is not a string, a number or a date.
  package init?(linkedBy value: Value) {
    switch value {
    case .string, .number, .date: self.init(value.idText)
    case .null, .bool, .list, .map: return nil
    }
  }

  /// Creates the id of an item's occurrence in a section.
  ///
  /// - Parameter id: The id of the item, or of another occurrence of it.
  package init(_ id: Item.ID, in section: SectionID) {
    // A printed id contains no NUL.
    stored = "\0\(id.item.stored)\0\(section)"
  }

  /// The id of the item: for an occurrence without its section, otherwise the id itself.
  public var item: Item.ID { occurrence?.item ?? self }

  /// The section in which the item occurs; nil for the id of an item.
  public var section: SectionID? { occurrence?.section }

  /// The printed form: `50%25 off` for the id `50% off`. For an occurrence, the item's id with the
  /// section: `ada [friends]`.
  public var description: String { occurrence.map { "\($0.item.stored) [\($0.section)]" } ?? stored }

  /// The two parts of an occurrence; nil for any other id, which costs a comparison of one byte.
  private var occurrence: (item: Item.ID, section: SectionID)? {
    guard stored.utf8.first == 0 else { return nil }
    let text = stored.utf8.dropFirst()
    guard let end = text.firstIndex(of: 0) else { return nil }
    return (
      Item.ID(stored: String(stored[text.startIndex..<end])),
      SectionID(String(stored[stored.utf8.index(after: end)...]))
    )
  }

  private init(stored: String) {
    self.stored = stored
  }

  /// Returns the id that was probably meant by one that no item has: the one with this last part, or
  /// a similar one; nil if several have this last part. An ending such as `.yml` does not count.
  /// Costs the length of all ids.
  package func nearest(among ids: some Sequence<Item.ID>) -> Item.ID? {
    guard description.utf8.count <= 200 else { return nil }
    // An item that was briefly missing may be back.
    let names = ids.filter { $0 != self }.map(\.description)
    let ending = PseudoField.split(description[...])
    let word = TextFormat(pathExtension: ending.ext) == nil ? description : ending.name
    if names.contains(word) { return Item.ID(printed: word) }
    let ends = names.lazy.filter { $0.hasSuffix("/\(word)") }.prefix(2)
    if let first = ends.first { return ends.count == 1 ? Item.ID(printed: first) : nil }
    return names.nearest(to: word).map { Item.ID(printed: $0) }
  }
}
