import Terminal

/// Highlights lines of Markdown with YAML front matter: headings, code, emphasis, links, quotes,
/// list signs and comments.
struct MarkdownHighlighter: Sendable, Hashable {
  /// The part of the document that the line belongs to.
  private enum Part: Sendable, Hashable {
    /// The first line, if front matter follows.
    case opening
    case frontMatter(YAMLHighlighter)
    case text
    /// Code below a fence of this character and length.
    case fence(UInt8, Int)
    case comment
  }

  private var part: Part

  /// The maximum number of bytes in which the end of a piece of inline text is looked for, so that
  /// a line of open marks costs linear time.
  private static let maxInline = 400

  /// Creates the state at the first line of a file.
  init(startOf bytes: UnsafeRawBufferPointer) {
    part = MarkdownHighlighter.hasFrontMatter(bytes) ? .opening : .text
  }

  mutating func scan(_ line: inout LineScanner) {
    switch part {
    case .opening:
      line.finish(as: .dim)
      part = .frontMatter(YAMLHighlighter())
    case .frontMatter(var yaml):
      if MarkdownHighlighter.isRule(line.bytes[...], "-") || MarkdownHighlighter.isRule(line.bytes[...], ".") {
        line.finish(as: .dim)
        part = .text
      } else {
        yaml.scan(&line)
        part = .frontMatter(yaml)
      }
    case .fence(let mark, let length): scanCode(&line, mark, length)
    case .comment: scanComment(&line)
    case .text: scanText(&line)
    }
  }

  /// Returns true if the first line is `---` and a later one ends the front matter.
  private static func hasFrontMatter(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.starts(with: "---".utf8) else { return false }
    var lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard isRule(lines[0], "-") else { return false }
    while lines.count > 1 {
      lines = lines[1].split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
      if isRule(lines[0], "-") || isRule(lines[0], ".") { return true }
    }
    return false
  }

  /// Returns true for a line of three marks and blanks.
  private static func isRule(_ line: Slice<UnsafeRawBufferPointer>, _ mark: Unicode.Scalar) -> Bool {
    line.count >= 3 && line.prefix(3).allSatisfy { $0 == mark.value } && line.dropFirst(3).allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
  }

  private mutating func scanCode(_ line: inout LineScanner, _ mark: UInt8, _ length: Int) {
    let spaces = line.spaces
    let rest = line.bytes.dropFirst(spaces)
    let marks = rest.prefix { $0 == mark }
    if spaces < 4, marks.count >= length, rest.dropFirst(marks.count).allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
      part = .text
      return line.finish(as: .dim)
    }
    line.finish(as: .string)
  }

  private mutating func scanComment(_ line: inout LineScanner) {
    if MarkdownHighlighter.containsEnd(line.bytes[...]) { part = .text }
    line.finish(as: .comment)
  }

  /// Returns true if a line contains `-->`.
  private static func containsEnd(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    var dashes = 0
    for byte in line {
      if byte == UInt8(ascii: ">"), dashes >= 2 { return true }
      dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
    }
    return false
  }

  private mutating func scanText(_ line: inout LineScanner) {
    let spaces = line.spaces
    // Lines of code are indented by four spaces; lists are too, so they get no colour.
    guard spaces < 4 else { return scanBlock(&line) }
    line.advance(spaces)
    if line.starts(with: "<!--") {
      if !MarkdownHighlighter.containsEnd(line.bytes[line.offset...].dropFirst(4)) { part = .comment }
      return line.finish(as: .comment)
    }
    guard let byte = line.next else { return }
    if byte == UInt8(ascii: "`") || byte == UInt8(ascii: "~") {
      let marks = line.bytes[line.offset...].prefix { $0 == byte }.count
      let isFence = marks >= 3 && (byte == UInt8(ascii: "~") || !line.bytes[line.offset...].dropFirst(marks).contains(byte))
      if isFence {
        part = .fence(byte, marks)
        return line.finish(as: .dim)
      }
    }
    scanBlock(&line)
  }

  /// Goes over a heading, a quote, a list item or a paragraph.
  private func scanBlock(_ line: inout LineScanner) {
    guard line.isEmitting else { return }
    line.skipBlanks()
    while line.next == UInt8(ascii: ">") {
      line.advance(as: .dim)
      line.skipBlanks()
    }
    let rest = line.bytes[line.offset...]
    let hashes = rest.prefix { $0 == UInt8(ascii: "#") }.count
    if (1...6).contains(hashes), line.isBlank(at: hashes) { return line.finish(as: .title) }
    if let length = MarkdownHighlighter.listSign(rest) { line.advance(length, as: .key) }
    MarkdownHighlighter.scanInline(&line)
  }

  /// Returns the length of a list sign: `-`, `*`, `+`, `1.` or `1)`, before a blank.
  private static func listSign(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
    let digits = text.prefix(9).prefix(while: LineBytes.isDigit).count
    guard let sign = text.dropFirst(digits).first else { return nil }
    let isSign = digits > 0 ? [UInt8(ascii: "."), UInt8(ascii: ")")].contains(sign) : "-*+".utf8.contains(sign)
    guard isSign, text.dropFirst(digits + 1).first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true else { return nil }
    return digits + 1
  }

  private static func scanInline(_ line: inout LineScanner) {
    while let byte = line.next {
      switch byte {
      case UInt8(ascii: "\\"): line.advance(2)
      case UInt8(ascii: "`"): scanPiece(&line, marks: line.bytes[line.offset...].prefix(maxInline).prefix { $0 == byte }.count, .string)
      case UInt8(ascii: "*") where line.starts(with: "**"), UInt8(ascii: "_") where line.starts(with: "__"):
        scanPiece(&line, marks: 2, .strong)
      case UInt8(ascii: "["): scanLink(&line)
      default:
        let rest = line.bytes[line.offset...].dropFirst()
        line.advance(to: rest.firstIndex(where: isInlineMark) ?? rest.endIndex)
      }
    }
  }

  private static func isInlineMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "["): true
    default: false
    }
  }

  /// Styles the text up to the closing mark, such as `**`. Without one, skips the opening mark.
  private static func scanPiece(_ line: inout LineScanner, marks: Int, _ ink: Style.Ink) {
    let mark = line.bytes[line.offset]
    let start = line.offset + marks
    let limit = min(line.bytes.count, start + maxInline)
    var (end, run) = (start, 0)
    while end < limit {
      run = line.bytes[end] == mark ? run + 1 : 0
      end += 1
      if run == marks, end == line.bytes.count || line.bytes[end] != mark { return line.advance(to: end, as: ink) }
    }
    line.advance(marks)
  }

  /// Goes over `[text](target)`, or over the bracket.
  private static func scanLink(_ line: inout LineScanner) {
    let text = line.bytes[line.offset...].prefix(maxInline)
    guard let end = text.firstIndex(of: UInt8(ascii: "]")), end + 1 < text.endIndex, line.bytes[end + 1] == UInt8(ascii: "("),
      let close = text[end...].firstIndex(of: UInt8(ascii: ")"))
    else { return line.advance() }
    line.advance(to: end + 1, as: .key)
    line.advance(to: close + 1, as: .dim)
  }
}
