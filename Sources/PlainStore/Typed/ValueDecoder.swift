import PlainText

/// Decodes the caller's own types from values, without a detour over JSON: numbers and dates come as they stand in the file.
///
/// - Integers must fit; a number without a fraction is one, however it is written. `Double` takes the nearest number, `Decimal` the digits as written.
/// - `Date` takes ISO 8601 dates and times (without a zone they are UTC), `String` takes them as written; `URL` takes texts.
/// - Keys at the root that begin with `@` are the pseudo-fields: `case path = "@path"`.
struct ValueDecoder: Decoder {
  /// Deeper values are refused: a type that contains itself is decoded by recursion, which no file may make run out of stack.
  static let maximumDepth = 200

  let value: Value
  let codingPath: [any CodingKey]
  /// At the root: whose pseudo-fields there are.
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

  /// What is inside of this one.
  func inside(_ value: Value, _ key: any CodingKey) -> ValueDecoder { ValueDecoder(value, at: codingPath + [key]) }

  func decodeWhole<Whole: Decodable>(_ type: Whole.Type) throws -> Whole {
    if let scalar = type as? any DecodableScalar.Type, let whole = try decodeScalar(scalar) as? Whole { return whole }
    if codingPath.count > ValueDecoder.maximumDepth {
      let context = DecodingError.Context(
        codingPath: codingPath, debugDescription: "This is nested deeper than \(ValueDecoder.maximumDepth) levels.")
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
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "Here \(expected) is expected, not \(found).")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension Item {
  /// The item as a type of the caller's own. Its keys are the item's fields, and the pseudo-fields (`@id`, `@path`, `@modified`, …).
  ///
  /// ```swift
  /// struct Color: Decodable { var name: String, hex: String }
  /// let color = try item.decode(Color.self)
  /// ```
  ///
  /// - Throws: what the type's `init(from:)` throws; of this decoder's own only `DecodingError`s, with a sentence.
  public func decode<Object: Decodable>(_ type: Object.Type) throws -> Object { try ValueDecoder(self).decodeWhole(type) }
}
