/// Reads packed values from a buffer, unchecked: only `PackedBuilder` writes these bytes.
package struct PackedReader {
  private let raw: UnsafeRawBufferPointer
  package private(set) var position: Int
  private let end: Int

  package init(_ raw: UnsafeRawBufferPointer) {
    self.raw = raw
    position = 0
    end = raw.count
  }

  private init(_ raw: UnsafeRawBufferPointer, _ range: Range<Int>) {
    self.raw = raw
    position = range.lowerBound
    end = range.upperBound
  }

  package var isAtEnd: Bool { position >= end }

  mutating func tag() -> PackedValue.Tag {
    defer { position += 1 }
    return PackedValue.Tag(rawValue: raw[position]) ?? .null
  }

  private mutating func varint() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = raw[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  mutating func fixed<T: FixedWidthInteger>(_ type: T.Type) -> T {
    defer { position += MemoryLayout<T>.size }
    return T(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: T.self))
  }

  package mutating func textBytes() -> UnsafeRawBufferPointer {
    let count = Int(varint())
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: raw[position..<position + count])
  }

  /// Reads a text, or its first `limit` bytes without a part of a scalar, and reduces the limit.
  private mutating func text(_ limit: inout Int) -> String {
    let bytes = textBytes()
    var count = min(bytes.count, limit)
    limit -= count
    while count > 0, count < bytes.count, bytes[count].isUTF8Continuation { count -= 1 }
    #if DEBUG
      ReadCounter.current?.recordCopy(of: count)
    #endif
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[..<count]), as: UTF8.self)
  }

  private mutating func text() -> String {
    var limit = Int.max
    return text(&limit)
  }

  /// Returns a reader for the contents of a list or map and moves this one past them.
  mutating func contents() -> PackedReader {
    let count = Int(fixed(UInt32.self))
    defer { position += count }
    return PackedReader(raw, position..<position + count)
  }

  mutating func enter() { position += 5 }

  /// Returns the first value of the root map if its key is `key` and the value is a string.
  mutating func firstString(ofKey key: StaticString) -> UnsafeRawBufferPointer? {
    enter()
    guard !isAtEnd, textBytes().equals(key), tag() == .string else { return nil }
    return textBytes()
  }

  package mutating func value() -> Value {
    var limit = Int.max
    return value(&limit)
  }

  /// Reads the next value, or its beginning: after `limit` bytes of text, strings are cut, and lists and maps
  /// end. Each element counts as one byte more, so that their number is bounded, too.
  mutating func value(_ limit: inout Int) -> Value {
    switch tag() {
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .integer: return .number(.integer(integer()))
    case .double: return .number(.double(Double(bitPattern: fixed(UInt64.self))))
    case .literal: return .number(.literal(text()))
    case .date: return .date(date())
    case .string: return .string(text(&limit))
    case .list:
      var inside = contents()
      var elements: [Value] = []
      while !inside.isAtEnd, limit > 0 {
        limit -= 1
        elements.append(inside.value(&limit))
      }
      return .list(elements)
    case .map:
      var inside = contents()
      var pairs: [(key: String, value: Value)] = []
      while !inside.isAtEnd, limit > 0 {
        // A key is complete, so that it stays unique.
        let key = inside.text()
        limit = max(limit - key.utf8.count - 1, 0)
        pairs.append((key, inside.value(&limit)))
      }
      return .map(Fields(unique: pairs))
    }
  }

  mutating func fields(limit: Int) -> Fields {
    guard case .map(var inside) = part() else { return [:] }
    var pairs: [(key: String, value: Value)] = []
    while !inside.isAtEnd {
      var limit = limit
      pairs.append((inside.text(), inside.value(&limit)))
    }
    return Fields(unique: pairs)
  }

  mutating func integer() -> Int {
    let zigzag = varint()
    return Int(truncatingIfNeeded: (zigzag >> 1) ^ (0 &- (zigzag & 1)))
  }

  mutating func dateBytes() -> UnsafeRawBufferPointer {
    position += 13
    return textBytes()
  }

  private mutating func date() -> Timestamp {
    let precision = Timestamp.Precision(rawValue: raw[position]) ?? .day
    position += 1
    let seconds = fixed(Int64.self)
    let nanoseconds = fixed(Int32.self)
    return Timestamp(text: text(), seconds: seconds, nanoseconds: nanoseconds, precision: precision)
  }

  package enum Part {
    case scalar(UnsafeRawBufferPointer)
    case list(PackedReader)
    case map(PackedReader)
  }

  package mutating func part() -> Part {
    switch PackedValue.Tag(rawValue: raw[position]) {
    case .list:
      position += 1
      return .list(contents())
    case .map:
      position += 1
      return .map(contents())
    default: return .scalar(valueBytes())
    }
  }

  package mutating func valueBytes() -> UnsafeRawBufferPointer {
    let start = position
    skip()
    return UnsafeRawBufferPointer(rebasing: raw[start..<position])
  }

  package mutating func skip() {
    switch tag() {
    case .null, .false, .true: break
    case .integer: _ = varint()
    case .double: position += 8
    case .literal, .string: _ = textBytes()
    case .date: _ = dateBytes()
    case .list, .map: _ = contents()
    }
  }

  /// Returns the value at these keys, or its beginning; see `Value.value(at:)`.
  mutating func value(at keys: ArraySlice<String>, _ limit: inout Int) -> Value? {
    guard let key = keys.first else { return value(&limit) }
    switch part() {
    case .map(var inside):
      guard inside.advance(to: key) else { return nil }
      return inside.value(at: keys.dropFirst(), &limit)
    case .list(var inside):
      var found: [Value] = []
      while !inside.isAtEnd, limit > 0 {
        let start = inside.position
        limit -= 1
        if let value = inside.value(at: keys, &limit) {
          found.append(value)
        } else {
          // An element without the key takes no room.
          limit += 1
        }
        inside.position = start
        inside.skip()
      }
      return .list(found)
    case .scalar: return nil
    }
  }

  /// Moves to the value of a map's `key`, or returns false at its end.
  package mutating func advance(to key: String) -> Bool {
    var key = key
    return key.withUTF8 { wanted in
      while !isAtEnd {
        let found = textBytes()
        if found.count == wanted.count, found.elementsEqual(wanted) { return true }
        skip()
      }
      return false
    }
  }

  package mutating func visitScalarTexts(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    let start = position
    switch tag() {
    case .string, .literal: return body(textBytes())
    case .date: return body(dateBytes())
    case .list:
      var inside = contents()
      while !inside.isAtEnd { if !inside.visitScalarTexts(body) { return false } }
      return true
    case .map:
      var inside = contents()
      while !inside.isAtEnd {
        _ = inside.textBytes()
        if !inside.visitScalarTexts(body) { return false }
      }
      return true
    case .null: return true
    case .false, .true, .integer, .double:
      position = start
      var text = value().text
      return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
  }
}
