public import Query
import Values

/// Decodes a user's own types directly from values, so that numbers and dates arrive as they are
/// written in the file.
///
/// - Integers must fit. A number without a fraction is an integer in any notation. `Double` is the
///   nearest number, `Decimal` has the digits as written.
/// - `Date` is decoded from ISO 8601 dates and times (UTC if they have no zone), `String` from
///   these as written, and `URL` from strings.
/// - The values of a case of an enumeration are read with and without the keys `_0`, `_1`, … of the standard
///   library; a case without values may be its name.
/// - Keys at the root that begin with `@` are the pseudo-fields: `case path = "@path"`.
/// - At the root of a `PlainModel`, one more key is the id of the item (see `ItemKeys`).
struct ValueDecoder {
  /// Deeper values are refused. A type that contains itself is decoded by recursion, and no file
  /// may exhaust the stack.
  static let maxDepth = 200

  let value: Value
  let codingPath: [any CodingKey]
  /// The item whose pseudo-fields can be decoded; nil below the root.
  let item: Item?
  let isModel: Bool
  /// True if the value is the id of the item: a string, which is also decoded as a number.
  let isItemID: Bool
  /// Collects the links of the item; nil if nobody asks for them.
  let links: FoundLinks?
  /// Ends the decoding at the first container; nil unless only the keys of a model are asked for.
  var firstKeys: FirstKeys?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ item: Item, links: FoundLinks? = nil) {
    self.init(item.fields.value, at: [], of: item, links: links)
  }

  init(_ value: Value) { self.init(value, at: [], links: nil) }

  init(_ item: Item, defaults: Fields, links: FoundLinks? = nil) {
    let fields = item.fields.value.fields ?? [:]
    self.init(.map(fields.filled(with: defaults)), at: [], of: item, isModel: true, links: links)
  }

  private init(
    _ value: Value, at codingPath: [any CodingKey], of item: Item? = nil, isModel: Bool = false,
    isItemID: Bool = false, links: FoundLinks?
  ) {
    self.value = value
    self.codingPath = codingPath
    self.item = item
    self.isModel = isModel
    self.isItemID = isItemID
    self.links = links
  }

  func inside(_ value: Value, _ key: any CodingKey, isItemID: Bool = false) -> ValueDecoder {
    ValueDecoder(value, at: codingPath + [key], isItemID: isItemID, links: links)
  }

  /// Returns a decoder of another value at the same place.
  func inside(_ value: Value) -> ValueDecoder { ValueDecoder(value, at: codingPath, links: links) }

  func decodeWhole<Whole: Decodable>(_ type: Whole.Type) throws -> Whole {
    if let scalar = type as? any CodableScalar.Type, let whole = try decodeScalar(scalar) as? Whole {
      return whole
    }
    if codingPath.count > ValueDecoder.maxDepth {
      let context = DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "This is nested deeper than \(ValueDecoder.maxDepth) levels.")
      throw DecodingError.dataCorrupted(context)
    }
    return try Whole(from: self)
  }

  func decodeScalar<Scalar: CodableScalar>(_ type: Scalar.Type) throws -> Scalar {
    if let scalar = Scalar(value) ?? (isItemID ? Scalar(Value(plain: value.text)) : nil) { return scalar }
    throw mismatch(type, Scalar.expected)
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let found =
      value == .null ? "nothing" : value.isScalar ? "\(value.kindName) `\(value.text)`" : value.kindName
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "Expected \(expected), found \(found).")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension Item {
  /// Decodes the item as your own type. The keys are the item's fields and the pseudo-fields
  /// (`@id`, `@path`, `@modified`, …).
  ///
  /// ```swift
  /// struct Color: Decodable { var name: String, hex: String }
  /// let color = try item.decode(Color.self)
  /// ```
  ///
  /// For a `PlainModel` the key `id` is the id of the item. Its `changes` are made first, and its
  /// `defaults` serve missing fields.
  ///
  /// - Throws: The errors of the type's `init(from:)`. The decoder itself throws only
  ///   `DecodingError`, with a sentence.
  public func decode<Object: Decodable>(_ type: Object.Type) throws -> Object {
    try decode(type, links: nil)
  }

  func decode<Object: Decodable>(_ type: Object.Type, links: FoundLinks?) throws -> Object {
    if let model = type as? any PlainModel.Type, let object = try decodeModel(model, links) as? Object {
      return object
    }
    return try ValueDecoder(self, links: links).decodeWhole(type)
  }

  /// - Throws: `DecodingError` also if the model has another id than the item: saving it would change
  ///   another file.
  private func decodeModel<Object: PlainModel>(_ type: Object.Type, _ links: FoundLinks?) throws -> Object {
    let migration = ModelMigration(of: type).edits(of: self)
    if let error = migration.error { throw error }
    let item = migration.applied(to: self)
    let object = try ValueDecoder(item, defaults: Object.defaults, links: links).decodeWhole(type)
    let found = object.itemID
    if found == id { return object }
    let context = DecodingError.Context(
      codingPath: [],
      debugDescription:
        "The id of this `\(Object.self)` is `\(found)`, but the id of its item is `\(id)`. Rename the item, or change `itemID` of the type."
    )
    throw DecodingError.dataCorrupted(context)
  }
}
