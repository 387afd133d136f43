import Values

/// A list as a container of the standard library's decoding.
struct ListedValues: UnkeyedDecodingContainer {
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

/// A coding key that no type of the caller declares.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  /// The index of a list's element, from 0.
  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

extension ListedValues {
  mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.decodeScalar(type) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try $0.decodeScalar(type) } }
}
