import PlainText

/// Decodes a user's own types directly from values, so that numbers and dates arrive as they are
/// written in the file.
///
/// - Integers must fit. A number without a fraction is an integer in any notation. `Double` is the
///   nearest number, `Decimal` has the digits as written.
/// - `Date` is decoded from ISO 8601 dates and times (UTC if they have no zone), `String` from
///   these as written, and `URL` from strings.
/// - Keys at the root that begin with `@` are the pseudo-fields: `case path = "@path"`.
struct ValueDecoder: Decoder {
  /// Deeper values are refused. A type that contains itself is decoded by recursion, and no file
  /// may exhaust the stack.
  static let maxDepth = 200

  let value: Value
  let codingPath: [any CodingKey]
  /// The item whose pseudo-fields can be decoded; nil below the root.
  let item: Item?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ item: Item) {
    self.init(item.fields.value, at: [], of: item)
  }

  init(_ value: Value, at codingPath: [any CodingKey], of item: Item? = nil) {
    self.value = value
    self.codingPath = codingPath
    self.item = item
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let fields) = value else { throw mismatch([String: Any].self, "a map") }
    return KeyedDecodingContainer(KeyedValues(fields, of: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let elements) = value else { throw mismatch([Any].self, "a list") }
    return ListedValues(elements, of: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// Returns the decoder of a value inside this one.
  func inside(_ value: Value, _ key: any CodingKey) -> ValueDecoder { ValueDecoder(value, at: codingPath + [key]) }

  func decodeWhole<Whole: Decodable>(_ type: Whole.Type) throws -> Whole {
    if let scalar = type as? any DecodableScalar.Type, let whole = try decodeScalar(scalar) as? Whole { return whole }
    if codingPath.count > ValueDecoder.maxDepth {
      let context = DecodingError.Context(
        codingPath: codingPath, debugDescription: "This is nested deeper than \(ValueDecoder.maxDepth) levels.")
      throw DecodingError.dataCorrupted(context)
    }
    return try Whole(from: self)
  }

  func decodeScalar<Scalar: DecodableScalar>(_ type: Scalar.Type) throws -> Scalar {
    guard let scalar = Scalar(value) else { throw mismatch(type, Scalar.expected) }
    return scalar
  }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let found = value == .null ? "nothing" : value.isScalar ? "\(value.kindName) `\(value.text)`" : value.kindName
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "Expected \(expected), found \(found).")
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
  /// - Parameter type: The type to decode.
  /// - Throws: The errors of the type's `init(from:)`. The decoder itself throws only
  ///   `DecodingError`, with a sentence.
  public func decode<Object: Decodable>(_ type: Object.Type) throws -> Object { try ValueDecoder(self).decodeWhole(type) }
}
