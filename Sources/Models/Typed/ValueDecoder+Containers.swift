import Query
import Values

extension ValueDecoder: Decoder {
  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try firstKeys?.stop(at: type)
    var value = value
    // The name of a case without values.
    if case .string(let name) = value, !isModel, CaseKey.isKey(name, of: type) { value = [name: [:]] }
    guard case .map(let fields) = value else { throw mismatch([String: Any].self, "a map") }
    return KeyedDecodingContainer(KeyedValues(fields, of: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let elements) = value else { throw mismatch([Any].self, "a list") }
    return ListedValues(elements, of: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder
  private let fields: Fields
  /// The position of each key, for large maps: searching all keys for each would be quadratic.
  private let positions: [ExactString: Int]?
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
    let decoder = try inside(key)
    return try decoder.inside(CaseKey.values(in: decoder.value, keyedBy: type)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inside(key).unkeyedContainer()
  }

  /// The fields of a superclass are under the key `super`, as with the standard library's decoders.
  func superDecoder() throws -> any Decoder {
    decoder.inside(fields["super"] ?? .null, PathKey(stringValue: "super"))
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder.inside(value(key) ?? .null, key) }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try inside(key).decodeScalar(type) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try inside(key).decodeScalar(type) }
}

private struct ListedValues: UnkeyedDecodingContainer {
  private let decoder: ValueDecoder
  private let elements: [Value]
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(_ elements: [Value], of decoder: ValueDecoder) {
    self.decoder = decoder
    self.elements = elements
  }

  /// Decodes the next element, and advances only if that succeeds.
  private mutating func next<Element>(_ decode: (ValueDecoder) throws -> Element) throws -> Element {
    let key = PathKey(intValue: currentIndex)
    guard !isAtEnd else {
      let context = DecodingError.Context(
        codingPath: codingPath + [key],
        debugDescription: "The list ends after \(elements.count) elements; another is expected.")
      throw DecodingError.valueNotFound(Element.self, context)
    }
    let element = try decode(decoder.inside(elements[currentIndex], key))
    currentIndex += 1
    return element
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Whole: Decodable>(_ type: Whole.Type) throws -> Whole {
    try next { try $0.decodeWhole(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
    -> KeyedDecodingContainer<Nested>
  {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}

/// The keys `_0`, `_1`, … that the standard library makes up for the values of a case without labels.
enum CaseKey {
  static func name(_ index: Int) -> String { "_\(index)" }

  static func isName(_ key: String) -> Bool {
    key.utf8.first == UInt8(ascii: "_") && Int(key.dropFirst()) != nil
  }

  /// Returns true if a type of keys has a key. A type that takes any string has none.
  static func isKey<Key: CodingKey>(_ name: String, of type: Key.Type) -> Bool {
    Key(stringValue: name) != nil && Key(stringValue: "\u{0}") == nil
  }

  /// Returns the values of a case with these keys, whether or not they are written.
  static func values<Key: CodingKey>(in value: Value, keyedBy type: Key.Type) -> Value {
    guard isKey(name(0), of: type) else { return value }
    switch value {
    case .map(let fields) where fields.isEmpty || fields.contains { isName($0.key) }: return value
    case .list(let elements) where isKey(name(1), of: type):
      return .map(Fields(unique: elements.enumerated().map { (name($0), $1) }))
    default: return [name(0): value]
    }
  }
}

/// A coding key that no type of the caller declares.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

extension ListedValues {
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try $0.decodeScalar(type) } }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }
  func decode<Whole: Decodable>(_ type: Whole.Type) throws -> Whole { try decodeWhole(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try decodeScalar(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeScalar(type) }
}

/// The coding keys at the root of a `PlainModel` that are not fields of the file.
///
/// The key `id` is the id of the item, unless the type has a coding key for `@id`. Then that one is
/// the item's id, and `id` is a field like any other.
struct ItemKeys<Key: CodingKey> {
  private let idKey: String

  init() {
    idKey = Key(stringValue: PseudoField.id.rawValue) == nil ? "id" : PseudoField.id.rawValue
  }

  func isItemID(_ key: Key) -> Bool { key.stringValue.hasSameBytes(as: idKey) }

  func isVirtual(_ key: Key) -> Bool { isItemID(key) || PseudoField(rawValue: key.stringValue) != nil }
}

extension Fields {
  /// Returns these fields with those of `defaults` that are missing, map by map.
  func filled(with defaults: Fields) -> Fields {
    defaults.reduce(into: self) { fields, pair in
      guard let own = fields[pair.key] else {
        fields.append(pair.value, unique: pair.key)
        return
      }
      if case (.map(let own), .map(let other)) = (own, pair.value) {
        fields[pair.key] = .map(own.filled(with: other))
      }
    }
  }
}
