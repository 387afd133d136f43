/// A value in one block of bytes: what a store keeps of each item.
///
/// A million items as trees of `Value` would be tens of millions of small allocations; packed, an item is one, its fields are found by skipping over
/// what precedes them, equality is a comparison of bytes, and a text search runs over them as they lie.
///
/// ```swift
/// let packed = PackedValue(["name": "Ada"])
/// packed.value(at: "name")  // .string("Ada")
/// ```
public struct PackedValue: Sendable, Hashable {
  /// One value, as `PackedTag` lays it out.
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  public init(_ value: Value) {
    var builder = PackedBuilder()
    builder.append(value)
    self = builder.finish()
  }

  /// The whole value as a tree. Linear.
  public var value: Value {
    bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw)
      return reader.value()
    }
  }

  /// Whether the root is a map.
  public var isMap: Bool { bytes.first == PackedTag.map.rawValue }

  /// Calls `body` with the text of each scalar at any depth, in order, until it returns false. Keys are no scalars; a null has no text.
  package func forEachScalarText(_ body: (UnsafeRawBufferPointer) -> Bool) {
    bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw)
      _ = reader.visitScalarTexts(body)
    }
  }

  /// The same below one path only.
  package func forEachScalarText(at path: FieldPath, _ body: (UnsafeRawBufferPointer) -> Bool) {
    guard let value = value(at: path) else { return }
    PackedValue(value).forEachScalarText(body)
  }
}

/// The first byte of a packed value, and what follows it.
package enum PackedTag: UInt8 {
  case null = 0
  case `false` = 1
  case `true` = 2
  /// Zigzag varint.
  case integer = 3
  /// Eight bytes, the bit pattern, little-endian.
  case double = 4
  /// A varint length and ASCII: a number whose text is not that of an integer or a double.
  case literal = 5
  /// A precision byte, eight bytes of seconds, four of nanoseconds, then a varint length and the text.
  case date = 6
  /// A varint length and UTF-8.
  case string = 7
  /// Four bytes: the length of what follows; then the elements.
  case list = 8
  /// Four bytes: the length of what follows; then keys (a varint length and UTF-8), each with its value.
  case map = 9
}
