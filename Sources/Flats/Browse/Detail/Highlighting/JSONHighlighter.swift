import Terminal

/// Highlights a line of JSON: keys, strings, numbers and words. A string does not go over a line
/// end, so no state is carried.
enum JSONHighlighter {
  static func scan(_ line: inout LineScanner) {
    while let byte = line.next {
      switch byte {
      case UInt8(ascii: "\""):
        let end = endOfString(line.bytes, from: line.offset)
        line.advance(to: end, as: isKey(line.bytes, before: end) ? .key : .string)
      case _ where isEndOfWord(byte): line.advance()
      default:
        let rest = line.bytes[line.offset...]
        let end = rest.dropFirst().firstIndex(where: isEndOfWord) ?? line.bytes.count
        line.advance(to: end, as: LineBytes.isLiteral(rest[..<end]) ? .number : .plain)
      }
    }
  }

  private static func endOfString(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start + 1
    while end < bytes.count {
      if bytes[end] == UInt8(ascii: "\"") { return end + 1 }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }

  private static func isKey(_ bytes: UnsafeRawBufferPointer, before end: Int) -> Bool {
    bytes[min(end, bytes.count)...].first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: ":")
  }

  private static func isEndOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09: true
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"): true
    default: false
    }
  }
}

/// Highlights a line of a difference, as `git diff` prints it, by its first characters.
enum DifferenceHighlighter {
  static func scan(_ line: inout LineScanner) {
    if line.starts(with: "+++ ") || line.starts(with: "--- ") || line.starts(with: "diff ") || line.starts(with: "\\") {
      return line.finish(as: .dim)
    }
    switch line.next {
    case UInt8(ascii: "+"): line.finish(as: .inserted)
    case UInt8(ascii: "-"): line.finish(as: .deleted)
    case UInt8(ascii: "@"): line.finish(as: .header)
    default: line.finish()
    }
  }
}
