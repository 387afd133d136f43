import Values

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }
  func decode<Whole: Decodable>(_ type: Whole.Type) throws -> Whole { try decodeWhole(type) }
  func decode(_ type: Bool.Type) throws -> Bool { try decodeScalar(type) }
  func decode(_ type: String.Type) throws -> String { try decodeScalar(type) }
  func decode(_ type: Double.Type) throws -> Double { try decodeScalar(type) }
  func decode(_ type: Float.Type) throws -> Float { try decodeScalar(type) }
  func decode(_ type: Int.Type) throws -> Int { try decodeScalar(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decodeScalar(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decodeScalar(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decodeScalar(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decodeScalar(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try decodeScalar(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decodeScalar(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decodeScalar(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decodeScalar(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decodeScalar(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decodeScalar(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeScalar(type) }
}
