import Values

/// An encoder of a user's own types, directly to values: the counterpart of `ValueDecoder`.
///
/// - The keys of a map have the order in which the type encodes them. A set is a list in a fixed
///   order, and a dictionary has its keys in order, so that equal values have equal encodings.
/// - A string is always `Value.string`, even if it is a date, and a `Date` is `Value.date`, so that
///   only dates are written in the style of other dates.
/// - At the root of a model, the item's id and the pseudo-fields are not encoded.
struct ValueEncoder: Encoder {
  /// Deeper values are refused: a type that contains itself is encoded by recursion.
  static let maxDepth = 200

  let slot: EncodedSlot
  let codingPath: [any CodingKey]
  /// The number of values and containers that contain this one.
  let depth: Int
  /// True at the root of a `PlainModel`.
  let isModel: Bool
  /// The first error that a function without `throws` found.
  let failure: EncodingFailure
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

  /// Returns the fields of a model.
  ///
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

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let map: EncodedMap
    switch slot.content {
    case .map(let known): map = known
    case nil:
      map = EncodedMap()
      slot.content = .map(map)
    default:
      map = EncodedMap()
      failure.record(mistake("A value is encoded twice at this place."))
    }
    return KeyedEncodingContainer(EncodedKeys(map, of: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let list: EncodedList
    switch slot.content {
    case .list(let known): list = known
    case nil:
      list = EncodedList()
      slot.content = .list(list)
    default:
      list = EncodedList()
      failure.record(mistake("A value is encoded twice at this place."))
    }
    return EncodedElements(list, of: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// Returns the encoder of a value inside this one.
  func inside(_ slot: EncodedSlot, _ key: any CodingKey) -> ValueEncoder {
    if depth == ValueEncoder.maxDepth { failure.record(tooDeep) }
    // A container that is too deep is not attached, so that the values stay small.
    let slot = depth < ValueEncoder.maxDepth ? slot : EncodedSlot()
    let path = depth < ValueEncoder.maxDepth ? codingPath + [key] : codingPath
    return ValueEncoder(slot, at: path, depth: depth + 1, isModel: false, failure)
  }

  /// Encodes a complete value into the slot.
  func encodeWhole<Whole: Encodable>(_ value: Whole) throws {
    if let error = failure.error { throw error }
    if depth > ValueEncoder.maxDepth { throw tooDeep }
    if let scalar = value as? any EncodableScalar {
      guard let encoded = scalar.encoded else {
        throw mistake("No file can hold this value of the type `\(Whole.self)`.")
      }
      slot.content = .value(encoded)
      return
    }
    try value.encode(to: ValueEncoder(slot, at: codingPath, depth: depth + 1, isModel: isModel, failure))
    if slot.content == nil { slot.content = .map(EncodedMap()) }
    if value is any UnorderedCollection {
      slot.content = .value(slot.value.inFixedOrder(hasPairs: value is any UnorderedEntries))
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
  func encodeNil() { slot.content = .value(.null) }
  func encode<Whole: Encodable>(_ value: Whole) throws { try encodeWhole(value) }
  func encode(_ value: Int128) throws { try encodeWhole(value) }
  func encode(_ value: UInt128) throws { try encodeWhole(value) }
}

/// The first error of an encoding that could not be thrown where it was found.
final class EncodingFailure {
  private(set) var error: EncodingError?

  /// Keeps an error, unless there is an earlier one.
  func record(_ error: EncodingError) { self.error = self.error ?? error }
}

/// A set or a dictionary. The order of its elements differs from one run to the next.
private protocol UnorderedCollection {}
/// A dictionary. With keys that are not strings or integers it is a list of keys and values in
/// turn.
private protocol UnorderedEntries: UnorderedCollection {}
extension Set: UnorderedCollection {}
extension Dictionary: UnorderedEntries {}

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
