/// Writes one packed value, part by part in reading order.
package struct PackedBuilder {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// A buffer larger than this is released, so that one large file does not occupy memory for good.
  private static let maxRetainedCapacity = 1 << 20

  /// Removes all bytes but keeps the capacity for the next value.
  package mutating func reset() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= PackedBuilder.maxRetainedCapacity)
  }

  /// Returns the value in an array of exactly its size.
  package func finish() -> PackedValue {
    PackedValue(bytes: bytes.withUnsafeBytes { Array($0) })
  }

  package var count: Int { bytes.count }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { bytes.withUnsafeBytes(body) }

  package mutating func appendNull() { append(PackedTag.null) }
  package mutating func append(_ flag: Bool) { append(flag ? PackedTag.true : .false) }

  package mutating func append(_ integer: Int) {
    append(PackedTag.integer)
    append(varint: UInt64(bitPattern: Int64((integer << 1) ^ (integer >> (Int.bitWidth - 1)))))
  }

  package mutating func append(_ double: Double) {
    append(PackedTag.double)
    append(fixed: double.bitPattern)
  }

  package mutating func append(literal: UnsafeRawBufferPointer) {
    append(PackedTag.literal)
    append(text: literal)
  }

  /// Appends a string, or a date if `string` is one. The bytes must be valid UTF-8.
  package mutating func append(string: UnsafeRawBufferPointer) {
    guard let moment = Timestamp.parse(string) else {
      append(PackedTag.string)
      append(text: string)
      return
    }
    append(PackedTag.date)
    bytes.append(moment.precision.rawValue)
    append(fixed: moment.seconds)
    append(fixed: moment.nanoseconds)
    append(text: string)
  }

  /// Appends a key and returns its range in `bytes`.
  @discardableResult
  package mutating func append(key: UnsafeRawBufferPointer) -> Range<Int> {
    append(text: key)
    return bytes.count - key.count..<bytes.count
  }

  /// The result of `begin` for a list or map that is the root.
  static let rootStart = 5

  /// Begins a list or a map. Pass the result to `end` after its contents.
  package mutating func begin(_ container: PackedTag) -> Int {
    append(container)
    append(fixed: 0 as UInt32)
    return bytes.count
  }

  package mutating func end(_ start: Int) {
    let count = UInt32(bytes.count - start)
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: count.littleEndian, toByteOffset: start - 4, as: UInt32.self) }
  }

  /// Appends a value, or a key with its value, that another builder wrote.
  package mutating func append(packed: UnsafeRawBufferPointer) { bytes.append(contentsOf: packed) }

  /// Appends a copy of bytes that were written before, for an alias.
  package mutating func appendCopy(of range: Range<Int>) {
    bytes.append(contentsOf: Array(bytes[range]))
  }

  /// Removes all bytes from `count` on.
  package mutating func truncate(to count: Int) { bytes.removeSubrange(count...) }

  package mutating func append(_ value: Value) {
    switch value {
    case .null: appendNull()
    case .bool(let flag): append(flag)
    case .number(let number): append(number)
    case .date(let date): withBytes(of: date.text) { $0.append(string: $1) }
    case .string(let text): withBytes(of: text) { $0.append(string: $1) }
    case .list(let elements):
      let start = begin(.list)
      for element in elements { append(element) }
      end(start)
    case .map(let fields):
      let start = begin(.map)
      for (key, value) in fields {
        withBytes(of: key) { $0.append(key: $1) }
        append(value)
      }
      end(start)
    }
  }

  /// Appends a number in its normalized form: packed values are compared by bytes, so each text
  /// must have one form.
  private mutating func append(_ number: Number) {
    switch number.normalized {
    case .integer(let integer): append(integer)
    case .double(let double): append(double)
    case .literal(let text): withBytes(of: text) { $0.append(literal: $1) }
    }
  }

  private mutating func withBytes(of text: String, _ body: (inout PackedBuilder, UnsafeRawBufferPointer) -> Void) {
    var text = text
    text.withUTF8 { body(&self, UnsafeRawBufferPointer($0)) }
  }

  private mutating func append(_ tag: PackedTag) { bytes.append(tag.rawValue) }

  private mutating func append(text: UnsafeRawBufferPointer) {
    append(varint: UInt64(text.count))
    bytes.append(contentsOf: text)
  }

  private mutating func append(varint: UInt64) {
    var rest = varint
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func append<T: FixedWidthInteger>(fixed value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
