import Terminal
import Values

/// The styles of a file, from the places that the parser found: keys, strings, numbers, comments,
/// anchors and tags; and headings and code of a Markdown text.
struct Highlights {
  /// The spans of the file, which follow each other from its first byte.
  private(set) var spans: [TextSpan] = []
  private let bytes: [UInt8]

  init(of text: LocatedText) {
    bytes = text.bytes
    // Not recursive, so that nesting cannot exhaust the stack. The next part is the last one here.
    var parts: [(key: Range<Int>?, value: LocatedValue)] = text.root.map { [(nil, $0)] } ?? []
    while let part = parts.popLast() {
      if let key = part.key {
        addSigns(to: key.lowerBound)
        add(key, .key)
      }
      addSigns(to: part.value.range.lowerBound)
      switch part.value.content {
      case .alias: add(part.value.range, .dim)
      case .list(let elements): parts += elements.reversed().map { (nil, $0) }
      case .map(let entries): parts += entries.reversed().map { ($0.keyRange, $0.value) }
      case .scalar(let scalar): add(scalar, part.value)
      }
    }
    addSigns(to: bytes.count)
  }

  private var end: Int { spans.last?.end ?? 0 }

  private mutating func add(_ range: Range<Int>, _ ink: Style.Ink) {
    if range.lowerBound > end { extend(to: range.lowerBound, .plain) }
    if range.upperBound > end { extend(to: range.upperBound, ink) }
  }

  private mutating func extend(to end: Int, _ ink: Style.Ink) {
    if spans.last?.style == Style(ink) { spans.removeLast() }
    spans.append(TextSpan(end: end, style: Style(ink)))
  }

  private mutating func add(_ scalar: Value, _ value: LocatedValue) {
    switch value.style {
    case .singleQuoted, .doubleQuoted: add(value.range, .string)
    case .literal, .folded:
      // The first line is the header: `|-2 # comment`.
      let header = bytes[value.range].prefix { $0 != 0x0A }
      add(header.startIndex..<(header.firstIndex(where: Highlights.isBlank) ?? header.endIndex), .dim)
      addSigns(to: header.endIndex)
      add(header.endIndex..<value.range.upperBound, .string)
    case .body: addMarkdown(value.range)
    case .plain, .block, .flow, .pair, .alias:
      switch scalar {
      case .null, .bool, .number: add(value.range, .number)
      default: add(value.range, .plain)
      }
    }
  }

  /// Dashes, anchors, tags, comments and the lines around front matter: no sign is part of a string there.
  private mutating func addSigns(to limit: Int) {
    var index = end
    while index < limit {
      let rest = bytes[index..<limit]
      switch bytes[index] {
      case UInt8(ascii: "#"): add(index..<Highlights.end(of: rest, 0x0A), .comment)
      case UInt8(ascii: "%"): add(index..<Highlights.end(of: rest, 0x0A), .dim)
      case UInt8(ascii: "&"), UInt8(ascii: "!"):
        add(index..<(rest.firstIndex(where: Highlights.isBlank) ?? limit), .dim)
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: "."): add(index..<index + 1, .dim)
      default: add(index..<index + 1, .plain)
      }
      index = end
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  private static func end(of bytes: ArraySlice<UInt8>, _ mark: UInt8) -> Int {
    bytes.firstIndex(of: mark) ?? bytes.endIndex
  }

  private mutating func addMarkdown(_ range: Range<Int>) {
    /// The backquotes or tildes that opened a block of code.
    var fence: ArraySlice<UInt8>?
    var start = range.lowerBound
    while start < range.upperBound {
      let line = bytes[start..<Highlights.end(of: bytes[start..<range.upperBound], 0x0A)]
      let text = line.drop(while: Highlights.isBlank)
      let marks = text.prefix { $0 == text.first }
      let isFence = marks.count >= 3 && (marks.first == UInt8(ascii: "`") || marks.first == UInt8(ascii: "~"))
      if let open = fence {
        let isEnd = marks.starts(with: open) && text.dropFirst(marks.count).allSatisfy(Highlights.isBlank)
        add(line.indices, isEnd ? .dim : .string)
        if isEnd { fence = nil }
      } else if isFence, !text.dropFirst(marks.count).contains(UInt8(ascii: "`")) {
        fence = marks
        add(line.indices, .dim)
      } else if marks.first == UInt8(ascii: "#"), marks.count <= 6,
        text.dropFirst(marks.count).first.map(Highlights.isBlank) ?? true
      {
        add(line.indices, .title)
      } else {
        addInline(text)
      }
      start = line.endIndex + 1
    }
    add(range, .plain)
  }

  private mutating func addInline(_ line: ArraySlice<UInt8>) {
    var rest = line
    while let start = rest.firstIndex(where: { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "*") }) {
      let marks = rest[start...].prefix { $0 == rest[start] }
      rest = rest[marks.endIndex...]
      guard marks.count <= 2, marks.first == UInt8(ascii: "`") || marks.count == 2 else { continue }
      guard let close = rest.firstRange(of: marks) else { return }
      add(start..<close.upperBound, marks.first == UInt8(ascii: "`") ? .string : .strong)
      rest = rest[close.upperBound...]
    }
  }
}
