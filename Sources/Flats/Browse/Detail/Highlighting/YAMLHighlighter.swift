import Terminal

/// Highlights lines of YAML: keys, quoted texts, block texts, numbers, comments, anchors and tags.
///
/// Scans one line at a time, and keeps quoted and block texts that continue on the next line. It
/// does not parse: a line that is not valid YAML is highlighted too.
struct YAMLHighlighter: Sendable, Hashable {
  /// A string that continues after the end of a line.
  private enum Open: Sendable, Hashable {
    case nothing
    case singleQuotes, doubleQuotes
    /// A block text below a key or a dash in this column.
    case block(below: Int)
  }

  private var open = Open.nothing
  /// The number of open brackets and braces.
  private var depth = 0

  private static let maxDepth = 1_000

  mutating func scan(_ line: inout LineScanner) {
    switch open {
    case .block(let column):
      if line.isRestBlank || line.spaces > column { return line.finish(as: .string) }
      open = .nothing
    case .singleQuotes, .doubleQuotes: scanQuoted(&line, isKeyAllowed: false)
    case .nothing: break
    }
    if line.offset == 0, scanMarker(&line) { return }
    scanTokens(&line)
  }

  /// Goes over a line that separates documents, or a directive.
  private mutating func scanMarker(_ line: inout LineScanner) -> Bool {
    if line.starts(with: "---") || line.starts(with: "..."), line.isBlank(at: 3) {
      depth = 0
      line.advance(3, as: .dim)
      return false
    }
    guard line.next == UInt8(ascii: "%"), depth == 0 else { return false }
    line.finish(as: .dim)
    return true
  }

  private mutating func scanTokens(_ line: inout LineScanner) {
    /// The column that a block text has to exceed.
    var column = line.offset == 0 ? -1 : 0
    var isAtStart = true
    while true {
      line.skipBlanks()
      guard let byte = line.next else { return }
      let start = line.offset
      switch byte {
      case UInt8(ascii: "#") where start == 0 || line.isBlank(at: -1):
        return line.finish(as: .comment)
      case UInt8(ascii: "-") where isAtStart && depth == 0 && line.isBlank(at: 1),
        UInt8(ascii: "?") where depth == 0 && line.isBlank(at: 1):
        column = start
        line.advance(as: .dim)
        continue
      case UInt8(ascii: "|") where depth == 0, UInt8(ascii: ">") where depth == 0:
        if scanBlockHeader(&line, below: column) { return }
        _ = scanPlain(&line)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        open = byte == UInt8(ascii: "'") ? .singleQuotes : .doubleQuotes
        if scanQuoted(&line, isKeyAllowed: true) { column = start }
      case UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"):
        scanProperty(&line)
        continue
      default:
        if scanSign(byte, &line) { break }
        if scanPlain(&line) { column = start }
      }
      isAtStart = false
    }
  }

  /// Goes over a bracket, a comma or a colon.
  private mutating func scanSign(_ byte: UInt8, _ line: inout LineScanner) -> Bool {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth = min(depth + 1, YAMLHighlighter.maxDepth)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(depth - 1, 0)
    case UInt8(ascii: ",") where depth > 0: break
    case UInt8(ascii: ":") where depth > 0 || line.isBlank(at: 1): break
    default: return false
    }
    line.advance()
    return true
  }

  /// Goes over the header of a block text: `|`, `>-`, `|2+ # comment`.
  private mutating func scanBlockHeader(_ line: inout LineScanner, below column: Int) -> Bool {
    var length = 1
    while length < 3, let byte = line.peek(length),
      byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || LineBytes.isDigit(byte)
    { length += 1 }
    guard line.isBlank(at: length) else { return false }
    line.advance(length, as: .dim)
    line.skipBlanks()
    guard line.isAtEnd || line.next == UInt8(ascii: "#") else { return true }
    line.finish(as: .comment)
    open = .block(below: column)
    return true
  }

  /// Goes over an anchor, an alias or a tag.
  private func scanProperty(_ line: inout LineScanner) {
    let rest = line.bytes[line.offset...]
    line.advance(to: rest.firstIndex { $0 == 0x20 || $0 == 0x09 || depth > 0 && YAMLHighlighter.isFlowSign($0) } ?? rest.endIndex, as: .dim)
  }

  /// Goes over a text in quotes, or the rest of one. Returns true if it is a key.
  @discardableResult
  private mutating func scanQuoted(_ line: inout LineScanner, isKeyAllowed: Bool) -> Bool {
    let isSingle = open == .singleQuotes
    let quote = isSingle ? UInt8(ascii: "'") : UInt8(ascii: "\"")
    var end = line.offset + (isKeyAllowed ? 1 : 0)
    while end < line.bytes.count {
      let byte = line.bytes[end]
      if byte == quote {
        // A doubled quote is one in the text.
        guard isSingle, end + 1 < line.bytes.count, line.bytes[end + 1] == quote else { break }
        end += 1
      } else if byte == UInt8(ascii: "\\"), !isSingle {
        end += 1
      }
      end += 1
    }
    guard end < line.bytes.count else {
      line.finish(as: .string)
      return false
    }
    open = .nothing
    end += 1
    let rest = line.bytes[end...]
    let colon = rest.firstIndex { $0 != 0x20 && $0 != 0x09 }
    let isKey = isKeyAllowed && colon.map { line.bytes[$0] == UInt8(ascii: ":") } ?? false
    line.advance(to: end, as: isKey ? .key : .string)
    return isKey
  }

  /// Goes over a text without quotes. Returns true if it is a key.
  private func scanPlain(_ line: inout LineScanner) -> Bool {
    let bytes = line.bytes
    var end = line.offset
    var (isKey, last) = (false, end)
    while end < bytes.count {
      let byte = bytes[end]
      let isBeforeBlank = end + 1 >= bytes.count || bytes[end + 1] == 0x20 || bytes[end + 1] == 0x09
      if byte == UInt8(ascii: ":"), isBeforeBlank || depth > 0 && YAMLHighlighter.isFlowSign(bytes[end + 1]) {
        isKey = true
        break
      }
      if depth > 0, YAMLHighlighter.isFlowSign(byte) { break }
      if byte == UInt8(ascii: "#"), end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { break }
      end += 1
      if byte != 0x20, byte != 0x09 { last = end }
    }
    let text = bytes[line.offset..<last]
    line.advance(to: last, as: isKey ? .key : line.isEmitting && LineBytes.isLiteral(text) ? .number : .plain)
    return isKey
  }

  private static func isFlowSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ","): true
    default: false
    }
  }
}
