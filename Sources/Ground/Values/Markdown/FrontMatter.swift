/// The ranges of the front matter and of the text in a Markdown file.
///
/// Front matter begins with a first line `---` and ends with the next line `---` or `...`; spaces
/// and tabs may follow on both. Without an end line, `---` is a thematic break, as in static site
/// generators. But if a `key:` follows the first line, the end line is missing by mistake
/// (`isUnclosed`), and reading the file as text would lose all fields.
struct FrontMatter {
  let yaml: Range<Int>?
  let body: Range<Int>
  var isUnclosed = false
}

extension FrontMatter {
  init(_ bytes: UnsafeRawBufferPointer) {
    let all = 0..<bytes.count
    guard let opening = FrontMatter.line(bytes, from: 0), FrontMatter.isRule(bytes[opening.text], "-") else {
      self.init(yaml: nil, body: all)
      return
    }
    var start = opening.next
    while let next = FrontMatter.ruleCandidate(bytes, from: start),
      let line = FrontMatter.line(bytes, from: next)
    {
      if FrontMatter.isRule(bytes[line.text], "-") || FrontMatter.isRule(bytes[line.text], ".") {
        self.init(yaml: opening.next..<line.text.lowerBound, body: line.next..<bytes.count)
        return
      }
      start = line.next
    }
    let isMeant =
      FrontMatter.line(bytes, from: opening.next).map { FrontMatter.isKey(bytes[$0.text]) } ?? false
    self.init(yaml: nil, body: all, isUnclosed: isMeant)
  }

  /// Returns the start of the next line that begins with `-` or `.`, from the start of a line on.
  private static func ruleCandidate(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var start = start
    while start < bytes.count {
      if bytes[start] == "-" || bytes[start] == "." { return start }
      guard let line = line(bytes, from: start) else { return nil }
      start = line.next
    }
    return nil
  }

  /// Returns true for `title: …`: a word, a colon, and a space or the end of the line.
  static func isKey(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return false }
    let isWord = line[..<colon].allSatisfy {
      $0 >= 0x80 || $0 == "-" || $0 == "_" || isAlphanumeric($0)
    }
    return isWord && (colon + 1 == line.endIndex || line[colon + 1] == 0x20)
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case "0"..."9", "A"..."Z", "a"..."z":
      true
    default: false
    }
  }

  /// Returns the line at `start` without its line break, and the start of the next one; nil at the end.
  static func line(_ bytes: UnsafeRawBufferPointer, from start: Int) -> (text: Range<Int>, next: Int)? {
    guard start < bytes.count else { return nil }
    var end = start
    // Eight bytes at a time.
    while end + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
      let breaks =
        (word ^ 0x0A0A_0A0A_0A0A_0A0A).zeroBytes | (word ^ 0x0D0D_0D0D_0D0D_0D0D).zeroBytes
      if breaks != 0 {
        end += breaks.trailingZeroBitCount / 8
        break
      }
      end += 8
    }
    while end < bytes.count, bytes[end] != "\n", bytes[end] != "\r" { end += 1 }
    var next = end
    if next < bytes.count, bytes[next] == "\r" { next += 1 }
    if next < bytes.count, bytes[next] == "\n" { next += 1 }
    return (start..<end, next)
  }

  /// Returns true for three characters `mark`, followed only by spaces and tabs.
  static func isRule(_ line: Slice<UnsafeRawBufferPointer>, _ mark: Unicode.Scalar) -> Bool {
    let start = line.startIndex
    guard line.count >= 3, line[start] == UInt8(ascii: mark), line[start + 1] == line[start],
      line[start + 2] == line[start]
    else {
      return false
    }
    return line.dropFirst(3).allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }
}
