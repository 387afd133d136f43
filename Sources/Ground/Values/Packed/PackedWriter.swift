/// Writes a packed value into a buffer of a fixed size, at a fraction of the cost of appending to an
/// array. A value that does not fit is dropped, and `isFull` becomes true: the caller starts again
/// with a larger one.
struct PackedWriter {
  /// The largest size of anything but a text: that of a date, with the length of its text.
  static let maxHeaderSize = 24
  /// The bytes before a text of usual length: a tag, and a varint for 128 to 16,383 bytes.
  private static let usualHeaderSize = 3

  private let buffer: UnsafeMutableRawBufferPointer
  private(set) var count: Int
  private(set) var isFull = false

  init(_ buffer: UnsafeMutableRawBufferPointer, count: Int) {
    self.buffer = buffer
    self.count = count
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  mutating func appendNull() { append(tag: .null) }
  mutating func append(_ flag: Bool) { append(tag: flag ? .true : .false) }

  mutating func append(_ integer: Int) {
    append(tag: .integer)
    append(varint: UInt64(bitPattern: Int64((integer << 1) ^ (integer >> (Int.bitWidth - 1)))))
  }

  mutating func append(_ double: Double) {
    append(tag: .double)
    append(fixed: double.bitPattern)
  }

  mutating func append(literal: UnsafeRawBufferPointer) { append(.literal, literal) }

  mutating func append(string: UnsafeRawBufferPointer) {
    guard let moment = Timestamp.parse(string) else { return append(.string, string) }
    append(moment)
    append(varint: UInt64(string.count))
    append(packed: string)
  }

  @discardableResult
  mutating func append(key: UnsafeRawBufferPointer) -> Range<Int> {
    append(varint: UInt64(key.count))
    let start = count
    append(packed: key)
    return start..<count
  }

  mutating func begin(_ container: PackedValue.Tag) -> Int {
    append(tag: container)
    append(fixed: 0 as UInt32)
    return count
  }

  mutating func end(_ start: Int) {
    guard !isFull, start >= 4 else { return }
    buffer.storeBytes(of: UInt32(count - start).littleEndian, toByteOffset: start - 4, as: UInt32.self)
  }

  /// Appends packed bytes, or a part of a string between `beginString` and `endString`.
  mutating func append(packed: UnsafeRawBufferPointer) {
    guard let place = reserve(packed.count) else { return }
    UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyMemory(from: packed)
  }

  mutating func append(byte: UInt8) {
    guard let place = reserve(1) else { return }
    buffer[place] = byte
  }

  mutating func appendCopy(of range: Range<Int>) {
    append(packed: UnsafeRawBufferPointer(rebasing: buffer[range]))
  }

  mutating func append(_ value: Value) {
    switch value {
    case .null: appendNull()
    case .bool(let flag): append(flag)
    case .number(let number): append(number)
    case .date(let date): append(text: date.text)
    case .string(let text): append(text: text)
    case .list(let elements):
      let start = begin(.list)
      for element in elements { append(element) }
      end(start)
    case .map(let fields):
      let start = begin(.map)
      for (var key, value) in fields {
        key.withUTF8 { _ = append(key: UnsafeRawBufferPointer($0)) }
        append(value)
      }
      end(start)
    }
  }

  private mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(string: UnsafeRawBufferPointer($0)) }
  }

  /// Appends a number in its one form: packed values are compared by bytes.
  private mutating func append(_ number: Number) {
    switch number.normalized {
    case .integer(let integer): append(integer)
    case .double(let double): append(double)
    case .literal(var text): text.withUTF8 { append(literal: UnsafeRawBufferPointer($0)) }
    }
  }

  /// Begins a string that is written in parts. Pass the result to `endString`.
  mutating func beginString() -> Int {
    _ = reserve(PackedWriter.usualHeaderSize)
    return count
  }

  /// Ends a string, which is a date if its text is one.
  mutating func endString(_ start: Int) {
    guard !isFull else { return }
    let length = count - start
    let moment = Timestamp.parse(UnsafeRawBufferPointer(rebasing: buffer[start..<count]))
    // Written before the text, which is moved if this is not as long as was reserved.
    withUnsafeTemporaryAllocation(byteCount: PackedWriter.maxHeaderSize, alignment: 1) { header in
      var writer = PackedWriter(header, count: 0)
      if let moment { writer.append(moment) } else { writer.append(tag: .string) }
      writer.append(varint: UInt64(length))
      replaceHeader(of: start, length, with: writer.bytes)
    }
  }

  private mutating func replaceHeader(of start: Int, _ length: Int, with header: UnsafeRawBufferPointer) {
    let old = start - PackedWriter.usualHeaderSize
    count = old
    guard let place = reserve(header.count + length) else { return }
    if header.count != PackedWriter.usualHeaderSize {
      let text = UnsafeRawBufferPointer(rebasing: buffer[start..<start + length])
      UnsafeMutableRawBufferPointer(rebasing: buffer[(place + header.count)...]).copyMemory(from: text)
    }
    UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyMemory(from: header)
  }

  private mutating func reserve(_ size: Int) -> Int? {
    guard !isFull, size <= buffer.count - count else {
      isFull = true
      return nil
    }
    defer { count += size }
    return count
  }

  private mutating func append(tag: PackedValue.Tag) { append(byte: tag.rawValue) }

  private mutating func append(_ tag: PackedValue.Tag, _ text: UnsafeRawBufferPointer) {
    append(tag: tag)
    append(varint: UInt64(text.count))
    append(packed: text)
  }

  private mutating func append(_ moment: Timestamp.Moment) {
    append(tag: .date)
    append(byte: moment.precision.rawValue)
    append(fixed: moment.seconds)
    append(fixed: moment.nanoseconds)
  }

  private mutating func append(varint: UInt64) {
    var rest = varint
    while rest >= 0x80 {
      append(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(byte: UInt8(rest))
  }

  private mutating func append<T: FixedWidthInteger & BitwiseCopyable>(fixed value: T) {
    guard let place = reserve(MemoryLayout<T>.size) else { return }
    buffer.storeBytes(of: value.littleEndian, toByteOffset: place, as: T.self)
  }
}
