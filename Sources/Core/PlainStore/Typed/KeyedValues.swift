import Query
import Values

/// A map as a container of the standard library's decoding.
struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder
  private let fields: Fields
  /// The position of each key, for large maps: searching all keys for each would be quadratic.
  private let positions: [ExactString: Int]?
  /// The keys that are not fields, at the root of a model.
  private let itemKeys: ItemKeys<Key>?

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

  init(_ fields: Fields, of decoder: ValueDecoder) {
    self.decoder = decoder
    self.fields = fields
    itemKeys = decoder.isModel ? ItemKeys() : nil
    positions =
      fields.count < 16
      ? nil : Dictionary(fields.indices.map { (ExactString(fields[$0].key), $0) }) { first, _ in first }
  }

  private func value(_ key: Key) -> Value? {
    let name = key.stringValue
    if let item = decoder.item {
      if itemKeys?.isItemID(key) == true { return .string(item.id.text ?? item.id.description) }
      if let pseudo = PseudoField(rawValue: name) { return pseudo.value(of: item) }
    }
    return positions.map { $0[ExactString(name)].map { fields[$0].value } } ?? fields[name]
  }

  private func inside(_ key: Key) throws -> ValueDecoder {
    guard let value = value(key) else {
      let context = DecodingError.Context(
        codingPath: codingPath, debugDescription: "The field `\(key.stringValue)` is missing.")
      throw DecodingError.keyNotFound(key, context)
    }
    return decoder.inside(value, key, isItemID: itemKeys?.isItemID(key) ?? false)
  }

  func contains(_ key: Key) -> Bool { value(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try inside(key).value == .null }
  func decode<Whole: Decodable>(_ type: Whole.Type, forKey key: Key) throws -> Whole {
    try inside(key).decodeWhole(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  {
    try inside(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inside(key).unkeyedContainer()
  }

  /// The fields of a superclass are under the key `super`, as with the standard library's decoders.
  func superDecoder() throws -> any Decoder {
    decoder.inside(fields["super"] ?? .null, PathKey(stringValue: "super"))
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder.inside(value(key) ?? .null, key) }
}

extension KeyedValues {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try inside(key).decodeScalar(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try inside(key).decodeScalar(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try inside(key).decodeScalar(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try inside(key).decodeScalar(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try inside(key).decodeScalar(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try inside(key).decodeScalar(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try inside(key).decodeScalar(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try inside(key).decodeScalar(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try inside(key).decodeScalar(type) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try inside(key).decodeScalar(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try inside(key).decodeScalar(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try inside(key).decodeScalar(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try inside(key).decodeScalar(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try inside(key).decodeScalar(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try inside(key).decodeScalar(type) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try inside(key).decodeScalar(type) }
}
