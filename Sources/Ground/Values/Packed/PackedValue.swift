/// A value in one block of bytes, as a store keeps it for each item.
///
/// A million items as trees of `Value` would need tens of millions of small allocations; a packed item
/// needs one. Fields are found by skipping, equality compares bytes, and a search scans them as they are.
///
/// ```swift
/// let packed = PackedValue(["name": "Ada"])
/// packed.value(at: "name")  // .string("Ada")
/// ```
public struct PackedValue: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Packs a value. Linear.
  public init(_ value: Value) {
    var builder = PackedBuilder()
    builder.append(value)
    self = builder.finish()
  }

  /// The complete value as a tree. Linear.
  public var value: Value {
    bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw)
      return reader.value()
    }
  }

  /// True if the root is a map.
  public var isMap: Bool { bytes.first == PackedValue.Tag.map.rawValue }

  /// Calls `body` with the text of each scalar at any depth, in order, until it returns false.
  /// Skips keys and nulls.
  package func forEachScalarText(_ body: (UnsafeRawBufferPointer) -> Bool) {
    bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw)
      _ = reader.visitScalarTexts(body)
    }
  }

  /// The keys of the map, each with a byte after it that does not occur in UTF-8.
  package var joinedKeys: [UInt8] {
    bytes.withUnsafeBytes { raw in
      var keys: [UInt8] = []
      var reader = PackedReader(raw)
      guard case .map(var fields) = reader.part() else { return keys }
      while !fields.isAtEnd {
        keys.append(contentsOf: fields.textBytes())
        keys.append(FoldedText.stringEnd)
        fields.skip()
      }
      return keys
    }
  }
}

extension PackedValue {
  /// Returns true if a packed value is a scalar, but neither null nor an empty string.
  package static func isFilledScalar(_ value: UnsafeRawBufferPointer) -> Bool {
    switch value.first.flatMap(Tag.init) {
    case .null, .list, .map, nil: false
    case .string: value.count > 2
    case .false, .true, .integer, .double, .literal, .date: true
    }
  }
}

extension PackedValue: CustomStringConvertible {
  /// The value as JSON.
  public var description: String { value.description }
}

extension PackedValue {
  /// The first byte of a packed value; it determines what follows.
  package enum Tag: UInt8 {
    case null = 0
    case `false` = 1
    case `true` = 2
    /// A zigzag varint.
    case integer = 3
    /// Eight bytes: the little-endian bit pattern.
    case double = 4
    /// A varint length and ASCII: a number that keeps its text.
    case literal = 5
    /// A precision byte, eight bytes of seconds, four bytes of nanoseconds, a varint length and the text.
    case date = 6
    /// A varint length and UTF-8.
    case string = 7
    /// Four bytes with the length of what follows; then the elements.
    case list = 8
    /// Four bytes with the length of what follows; then the keys (a varint length and UTF-8), each
    /// with its value.
    case map = 9
  }
}
