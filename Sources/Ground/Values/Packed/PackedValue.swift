/// A value in one block of bytes, as a store keeps it for each item.
///
/// A million items as trees of `Value` would need tens of millions of small allocations; a packed
/// item needs one. Fields are found by skipping what precedes them, equality compares bytes, and a
/// text search scans the bytes as they are.
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
  public var isMap: Bool { bytes.first == PackedTag.map.rawValue }

  /// Calls `body` with the text of each scalar at any depth, in order, until it returns false.
  /// Skips keys and nulls.
  package func forEachScalarText(_ body: (UnsafeRawBufferPointer) -> Bool) {
    bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw)
      _ = reader.visitScalarTexts(body)
    }
  }
}

extension PackedValue: CustomStringConvertible {
  /// The value as JSON.
  public var description: String { value.description }
}
