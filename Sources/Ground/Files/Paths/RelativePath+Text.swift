extension RelativePath {
  private static let percent = UInt8(ascii: "%")

  /// Takes one pass if nothing needs an escape, which is the usual case.
  static func printed(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    if isPlain(bytes) {
      return String(unsafeUninitializedCapacity: bytes.count) { $0.initialize(fromContentsOf: bytes) }
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + 8)
    var index = 0
    while index < bytes.count {
      let length = UnsafeRawBufferPointer(bytes).utf8Length(at: index)
      if length == 0 || (length == 1 && mustEscape(bytes[index])) {
        escape(bytes[index], into: &text)
        index += 1
      } else {
        text.append(contentsOf: bytes[index..<index + length])
        index += length
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.allSatisfy { $0 < 0x7F && !mustEscape($0) }
  }

  /// Returns the bytes of a printed path, or `nil` if no path below a root has them.
  static func parse(_ text: String) -> [UInt8]? {
    let bytes = decode(text.utf8)
    if bytes.isEmpty { return bytes }
    if bytes.contains(0) { return nil }
    for part in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    where part.isEmpty || part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) {
      return nil
    }
    return bytes
  }

  /// Replaces each escape by its byte. A `%` that begins no escape stays as it is.
  package static func decode(_ text: String.UTF8View) -> [UInt8] {
    let text = Array(text)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == percent, index + 2 < text.count, let high = hexDigit(text[index + 1]),
        let low = hexDigit(text[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(text[index])
        index += 1
      }
    }
    return bytes
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == percent
  }

  private static func escape(_ byte: UInt8, into text: inout [UInt8]) {
    let digits: StaticString = "0123456789ABCDEF"
    text.append(percent)
    text.append(digits.utf8Start[Int(byte >> 4)])
    text.append(digits.utf8Start[Int(byte & 15)])
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the length of the UTF-8 sequence at `index`; 0 if it is malformed (RFC 3629, section 4).
  @inlinable
  package func utf8Length(at index: Int) -> Int {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch self[index] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard index + length <= count, second.contains(self[index + 1]) else { return 0 }
    for next in index + 2..<index + length where self[next] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
