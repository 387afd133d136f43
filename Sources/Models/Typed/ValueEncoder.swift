import Values

/// An encoder of a user's own types, directly to values: the counterpart of `ValueDecoder`.
///
/// - The keys of a map have the order in which the type encodes them. A set is a list in a fixed
///   order, and a dictionary has its keys in order, so that equal values have equal encodings.
/// - A case of an enumeration with values is written as people write it: `country: [SE]` instead of the
///   `country: {_0: [SE]}` of the standard library. Labels are keys, several values without labels are a
///   list, and a case without values is its name.
/// - A string is always `Value.string`, even if it is a date, and a `Date` is `Value.date`, so that
///   only dates are written in the style of other dates.
/// - At the root of a model, the item's id and the pseudo-fields are not encoded.
struct ValueEncoder: Encoder {
  /// Deeper values are refused: a type that contains itself is encoded by recursion.
  static let maxDepth = 200

  fileprivate let slot: EncodedSlot
  let codingPath: [any CodingKey]
  let depth: Int
  let isModel: Bool
  /// The first error that a function without `throws` found.
  fileprivate let failure: EncodingFailure
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(
    _ slot: EncodedSlot, at codingPath: [any CodingKey], depth: Int, isModel: Bool, _ failure: EncodingFailure
  ) {
    self.slot = slot
    self.codingPath = codingPath
    self.depth = depth
    self.isModel = isModel
    self.failure = failure
  }

  /// - Throws: The errors of the type's `encode(to:)`, and `EncodingError` if the model is not a
  ///   map, too deep, or has a value that no file can hold.
  static func fields<Object: PlainModel>(of object: Object) throws -> Fields {
    let encoder = ValueEncoder(EncodedSlot(), at: [], depth: 0, isModel: true, EncodingFailure())
    try object.encode(to: encoder)
    if let error = encoder.failure.error { throw error }
    guard case .map(let fields) = encoder.slot.value else {
      let context = EncodingError.Context(
        codingPath: [],
        debugDescription: "`\(Object.self)` is not encoded with keys. A model is a map of fields.")
      throw EncodingError.invalidValue(object, context)
    }
    return fields
  }

  /// - Throws: The errors of the type's `encode(to:)`, and `EncodingError` if no file can hold the value.
  static func value<Whole: Encodable>(of value: Whole) throws -> Value {
    let encoder = ValueEncoder(EncodedSlot(), at: [], depth: 0, isModel: false, EncodingFailure())
    try encoder.encodeWhole(value)
    if let error = encoder.failure.error { throw error }
    return encoder.slot.value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(EncodedKeys(opened(as: .map), of: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { EncodedElements(opened(as: .list), of: self) }

  private func opened(as kind: EncodedSlot.Kind) -> EncodedSlot {
    slot.kind = slot.kind ?? kind
    if slot.kind == kind { return slot }
    failure.record(mistake("A value is encoded twice at this place."))
    return EncodedSlot()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  fileprivate func inside(_ slot: EncodedSlot, _ key: any CodingKey) -> ValueEncoder {
    if depth == ValueEncoder.maxDepth { failure.record(tooDeep) }
    // A container that is too deep is not attached, so that the values stay small.
    let slot = depth < ValueEncoder.maxDepth ? slot : EncodedSlot()
    let path = depth < ValueEncoder.maxDepth ? codingPath + [key] : codingPath
    return ValueEncoder(slot, at: path, depth: depth + 1, isModel: false, failure)
  }

  func encodeWhole<Whole: Encodable>(_ value: Whole) throws {
    if let error = failure.error { throw error }
    if depth > ValueEncoder.maxDepth { throw tooDeep }
    if let scalar = value as? any CodableScalar {
      guard let encoded = scalar.encoded else {
        throw mistake("No file can hold this value of the type `\(Whole.self)`.")
      }
      slot.set(encoded)
      return
    }
    try value.encode(to: ValueEncoder(slot, at: codingPath, depth: depth + 1, isModel: isModel, failure))
    slot.kind = slot.kind ?? .map
    if slot.isCase, Mirror(reflecting: value).displayStyle == .enum { slot.simplifyCase() }
    if let type = type(of: value) as? any UnorderedCollection.Type {
      slot.set(slot.value.inFixedOrder(hasPairs: type.hasPairs))
    }
  }

  private var tooDeep: EncodingError {
    mistake("This is nested deeper than \(ValueEncoder.maxDepth) levels.")
  }

  private func mistake(_ message: String) -> EncodingError {
    .invalidValue(codingPath, EncodingError.Context(codingPath: codingPath, debugDescription: message))
  }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { slot.set(.null) }
  func encode<Whole: Encodable>(_ value: Whole) throws { try encodeWhole(value) }
  func encode(_ value: Int128) throws { try encodeWhole(value) }
  func encode(_ value: UInt128) throws { try encodeWhole(value) }
}

/// The first error of an encoding that could not be thrown where it was found.
private final class EncodingFailure {
  private(set) var error: EncodingError?

  func record(_ error: EncodingError) { self.error = self.error ?? error }
}

/// A set or a dictionary. The order of its elements differs from one run to the next.
private protocol UnorderedCollection {
  /// True for a dictionary. With keys that are not strings or integers it is a list of keys and
  /// values in turn.
  static var hasPairs: Bool { get }
}

extension Set: UnorderedCollection { fileprivate static var hasPairs: Bool { false } }
extension Dictionary: UnorderedCollection { fileprivate static var hasPairs: Bool { true } }

extension Value {
  /// Returns this map in the order of its keys, or this list in the order of its elements' texts.
  ///
  /// - Parameter hasPairs: True for a list that has a key and a value in turn.
  fileprivate func inFixedOrder(hasPairs: Bool) -> Value {
    switch self {
    case .map(let fields):
      return .map(
        fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.reduce(into: Fields()) {
          $0.append($1.value, unique: $1.key)
        })
    case .list(let elements):
      let size = hasPairs && elements.count.isMultiple(of: 2) ? 2 : 1
      let parts = stride(from: 0, to: elements.count, by: size).map {
        (text: elements[$0].text, elements: elements[$0..<$0 + size])
      }
      return .list(parts.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.flatMap(\.elements))
    default: return self
    }
  }
}

private struct EncodedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let map: EncodedSlot
  private let encoder: ValueEncoder
  private let itemKeys: ItemKeys<Key>?

  var codingPath: [any CodingKey] { encoder.codingPath }

  init(_ map: EncodedSlot, of encoder: ValueEncoder) {
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

private struct EncodedElements: UnkeyedEncodingContainer {
  private let list: EncodedSlot
  private let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { list.parts.count }

  init(_ list: EncodedSlot, of encoder: ValueEncoder) {
    self.list = list
    self.encoder = encoder
  }

  private func next() -> ValueEncoder {
    let key = PathKey(intValue: list.parts.count)
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

/// A place for a value that is being encoded. A map or a list keeps the places of its parts, because
/// a type may fill them in any order.
private final class EncodedSlot {
  enum Kind { case scalar, map, list }

  var kind: Kind?
  private var scalar = Value.null
  /// The parts of a map, or those of a list, which have no keys.
  private(set) var parts: [(key: String, slot: EncodedSlot)] = []
  private var positions: [ExactString: Int] = [:]

  func set(_ value: Value) {
    kind = .scalar
    scalar = value
  }

  /// The encoded value. If nothing was encoded, it is an empty map, as with the standard library's
  /// encoders. The depth is limited by `ValueEncoder.maxDepth`.
  var value: Value {
    switch kind {
    case .scalar: scalar
    case .list: .list(parts.map(\.slot.value))
    case .map, nil: .map(parts.reduce(into: Fields()) { $0.append($1.slot.value, unique: $1.key) })
    }
  }

  /// True if this may be a case with its values: a map with one key, whose value is a map.
  var isCase: Bool { kind == .map && parts.count == 1 && [.map, nil].contains(parts[0].slot.kind) }

  /// Writes the values of a case without the keys that the standard library makes up for them.
  func simplifyCase() {
    let values = parts[0].slot
    if values.parts.isEmpty { return set(.string(parts[0].key)) }
    guard values.parts.indices.allSatisfy({ values.parts[$0].key == CaseKey.name($0) }) else { return }
    if values.parts.count > 1 { return values.kind = .list }
    // The value of a key `_0` could not be told from one without it, nor an empty map from no value.
    let value = values.parts[0].slot
    if case .map(let fields) = value.value,
      fields.isEmpty || fields.contains(where: { CaseKey.isName($0.key) })
    {
      return
    }
    parts[0].slot = value
  }

  /// Returns the slot of a key: a new one, which replaces that of an earlier value.
  func slot(of key: String) -> EncodedSlot {
    guard let position = positions[ExactString(key)] else {
      positions[ExactString(key)] = parts.count
      return append(key)
    }
    let slot = EncodedSlot()
    parts[position].slot = slot
    return slot
  }

  /// Returns the slot of a key for a nested container: the one that is there, or a new one.
  func sharedSlot(of key: String) -> EncodedSlot {
    positions[ExactString(key)].map { parts[$0].slot } ?? slot(of: key)
  }

  func append(_ key: String = "") -> EncodedSlot {
    let slot = EncodedSlot()
    parts.append((key, slot))
    return slot
  }
}
