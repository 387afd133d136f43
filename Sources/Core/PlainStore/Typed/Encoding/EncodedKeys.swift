import Values

/// A map as a container of the standard library's encoding.
struct EncodedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let map: EncodedMap
  private let encoder: ValueEncoder
  /// The keys that are not fields, at the root of a model.
  private let itemKeys: ItemKeys<Key>?

  var codingPath: [any CodingKey] { encoder.codingPath }

  init(_ map: EncodedMap, of encoder: ValueEncoder) {
    self.map = map
    self.encoder = encoder
    itemKeys = encoder.isModel ? ItemKeys() : nil
  }

  /// Returns the encoder of a key's value. A value for a key that is not a field is discarded.
  private func inside(_ key: Key, isShared: Bool = false) -> ValueEncoder {
    let isField = itemKeys?.isVirtual(key) != true
    let slot =
      !isField
      ? EncodedSlot() : isShared ? map.sharedSlot(of: key.stringValue) : map.slot(of: key.stringValue)
    return encoder.inside(slot, key)
  }

  mutating func encodeNil(forKey key: Key) { inside(key).encodeNil() }
  mutating func encode<Whole: Encodable>(_ value: Whole, forKey key: Key) throws {
    try inside(key).encodeWhole(value)
  }
  mutating func encode(_ value: Int128, forKey key: Key) throws { try inside(key).encodeWhole(value) }
  mutating func encode(_ value: UInt128, forKey key: Key) throws { try inside(key).encodeWhole(value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
    -> KeyedEncodingContainer<Nested>
  {
    inside(key, isShared: true).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    inside(key, isShared: true).unkeyedContainer()
  }

  /// The fields of a superclass are under the key `super`, as with the standard library's encoders.
  mutating func superEncoder() -> any Encoder {
    encoder.inside(map.slot(of: "super"), PathKey(stringValue: "super"))
  }
  mutating func superEncoder(forKey key: Key) -> any Encoder { inside(key) }
}

/// A list as a container of the standard library's encoding.
struct EncodedElements: UnkeyedEncodingContainer {
  private let list: EncodedList
  private let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { list.slots.count }

  init(_ list: EncodedList, of encoder: ValueEncoder) {
    self.list = list
    self.encoder = encoder
  }

  /// Returns the encoder of a new element.
  private func next() -> ValueEncoder {
    let key = PathKey(intValue: list.slots.count)
    return encoder.inside(list.append(), key)
  }

  mutating func encodeNil() { next().encodeNil() }
  mutating func encode<Whole: Encodable>(_ value: Whole) throws { try next().encodeWhole(value) }
  mutating func encode(_ value: Int128) throws { try next().encodeWhole(value) }
  mutating func encode(_ value: UInt128) throws { try next().encodeWhole(value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<
    Nested
  > {
    next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}
