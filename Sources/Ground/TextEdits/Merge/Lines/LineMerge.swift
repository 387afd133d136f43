/// A three-way merge of lines that treats changes to adjacent lines as independent.
///
/// Lines of the two versions are paired if they are equal, else if they differ only in spaces at
/// either end or in a final comma, else if they have the same key. A line that both sides changed
/// is merged token by token.
struct LineMerge {
  enum InsertionOrder: CaseIterable {
    case oursFirst
    case theirsFirst
    case united
  }

  typealias Chunk = SequenceMerge<TextLine>.Chunk

  /// The parts of the merge. Different insertions at the same place are in conflict.
  let chunks: [Chunk]

  init(_ texts: Versions<[TextLine]>) {
    chunks = SequenceMerge(texts, pairs: LineMerge.pairs).chunks.map { chunk in
      var chunk = chunk
      chunk.settled = chunk.settled ?? LineMerge.line(of: chunk).map { [$0] }
      return chunk
    }
  }

  /// Returns the parts with insertions at one place in this order; nil leaves them in conflict.
  func chunks(_ order: InsertionOrder?) -> [Chunk] {
    guard let order else { return chunks }
    return chunks.map { chunk in
      var chunk = chunk
      chunk.settled = chunk.settled ?? LineMerge.insertions(of: chunk, order)
      return chunk
    }
  }

  /// The clean results, one for each order of insertions. Empty if there are other conflicts.
  var results: [[TextLine]] {
    let hasInsertions = chunks.contains { $0.base.isEmpty && $0.settled == nil }
    return (hasInsertions ? InsertionOrder.allCases : [.oursFirst]).compactMap { chunks($0).settled }
  }

  private static func insertions(of chunk: Chunk, _ order: InsertionOrder) -> [TextLine]? {
    guard chunk.base.isEmpty else { return nil }
    switch order {
    case .oursFirst: return chunk.ours + chunk.theirs
    case .theirsFirst: return chunk.theirs + chunk.ours
    case .united:
      return [Chunk].between(chunk.ours, chunk.theirs).flatMap { $0.settled ?? $0.ours + $0.theirs }
    }
  }

  /// The part of two lines that has to be equal.
  private enum Level: Int, CaseIterable {
    case line
    case content
    case key
    /// Equal lines again, between the pairs of the other levels.
    case lineBetween
  }

  private static func pairs(_ first: [TextLine], _ second: [TextLine]) -> [(first: Int, second: Int)] {
    var pairs: [(first: Int, second: Int)] = []
    for level in Level.allCases {
      var refined: [(first: Int, second: Int)] = []
      for (a, b) in pairs.gaps(first.count, second.count) {
        if !a.isEmpty, !b.isEmpty {
          let own = a.map { identity(of: first[$0], level, unique: 2 * $0) }
          let other = b.map { identity(of: second[$0], level, unique: 2 * $0 + 1) }
          refined += SequenceAlignment(own, other).pairs.map {
            (first: a.lowerBound + $0.first, second: b.lowerBound + $0.second)
          }
        }
        refined.append((a.upperBound, b.upperBound))
      }
      pairs = refined.dropLast()
    }
    return pairs
  }

  private enum LineIdentity: Hashable {
    case bytes(ArraySlice<UInt8>)
    case unique(Int)
  }

  private static func identity(of line: TextLine, _ level: Level, unique: Int) -> LineIdentity {
    switch level {
    case .line, .lineBetween: return .bytes(line.bytes[...])
    case .content:
      let content = line.trimmed
      return content.isEmpty ? .unique(unique) : .bytes(content)
    case .key: return line.label.map(LineIdentity.bytes) ?? .unique(unique)
    }
  }
}

package struct TextLine: Hashable {
  package let bytes: [UInt8]

  static func split(_ text: String) -> [TextLine] { split(Array(text.utf8)) }

  /// Splits after each LF. A line that ends with CRLF keeps both bytes.
  package static func split(_ bytes: [UInt8]) -> [TextLine] {
    var lines: [TextLine] = []
    var start = 0
    for index in bytes.indices where bytes[index] == 0x0A {
      lines.append(TextLine(bytes: Array(bytes[start...index])))
      start = index + 1
    }
    if start < bytes.count { lines.append(TextLine(bytes: Array(bytes[start...]))) }
    return lines
  }

  static func joined(_ lines: [TextLine]) -> String {
    String(decoding: lines.flatMap(\.bytes), as: UTF8.self)
  }

  /// The line without indentation, whitespace at its end and a final comma.
  var trimmed: ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte <= 0x20 }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }),
      let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    let isComma = bytes[end] == "," && end > start
    return bytes[start..<(isComma ? end : end + 1)]
  }

  /// True if the line is a comment in YAML. In the text of Markdown, headings look the same.
  var isComment: Bool { trimmed.first == "#" }

  /// The key of a field: the text before the first colon; nil without one, and for comments.
  var label: ArraySlice<UInt8>? {
    let line = trimmed
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line.first != "#" else {
      return nil
    }
    return line[..<colon]
  }
}

extension [LineMerge.Chunk] {
  var isOpen: Bool { contains { $0.settled == nil } }

  var settled: [TextLine]? { isOpen ? nil : ours }

  var ours: [TextLine] { flatMap { $0.settled ?? $0.ours } }

  var theirs: [TextLine] { flatMap { $0.settled ?? $0.theirs } }

  static func between(_ ours: [TextLine], _ theirs: [TextLine]) -> [LineMerge.Chunk] {
    var chunks: [LineMerge.Chunk] = []
    for gap in SequenceAlignment(ours, theirs).pairs.gaps(ours.count, theirs.count) {
      let own = [TextLine](ours[gap.first])
      let other = [TextLine](theirs[gap.second])
      if !own.isEmpty || !other.isEmpty { chunks.append(LineMerge.Chunk(ours: own, theirs: other)) }
      let common = [TextLine](ours[gap.first.upperBound...].prefix(1))
      if !common.isEmpty { chunks.append(LineMerge.Chunk(ours: common, theirs: common, settled: common)) }
    }
    return chunks
  }

  func text(with markers: TextMerge.Markers) -> [UInt8] {
    reduce(into: []) { written, chunk in
      if let lines = chunk.settled {
        written += lines.flatMap(\.bytes)
      } else {
        write(chunk.ours, chunk.theirs, markers, to: &written)
      }
    }
  }

  private func write(
    _ ours: [TextLine], _ theirs: [TextLine], _ markers: TextMerge.Markers, to written: inout [UInt8]
  ) {
    let hasCRLF = (ours + theirs).contains { $0.bytes.suffix(2).elementsEqual([0x0D, 0x0A]) }
    let lineBreak = [UInt8]((hasCRLF ? "\r\n" : "\n").utf8)
    func closeLine() { if let last = written.last, last != 0x0A { written += lineBreak } }
    func mark(_ character: Character, _ label: String) {
      closeLine()
      written +=
        [UInt8](String(repeating: character, count: markers.size).utf8)
        + [UInt8]((label.isEmpty ? "" : " " + label).utf8) + lineBreak
    }
    mark("<", markers.ours)
    written += ours.flatMap(\.bytes)
    mark("=", "")
    written += theirs.flatMap(\.bytes)
    mark(">", markers.theirs)
  }
}

/// A comment is one token, and so is a word with its punctuation: two changes to the same number or to the
/// same comment are in conflict.
extension LineMerge {
  /// Merges a line that both sides changed; nil if they changed the same token, or for several lines.
  private static func line(of chunk: Chunk) -> TextLine? {
    guard chunk.settled == nil, chunk.base.count == 1, chunk.ours.count == 1, chunk.theirs.count == 1
    else { return nil }
    var base = tokens(of: chunk.base[0])
    let ours = tokens(of: chunk.ours[0])
    let theirs = tokens(of: chunk.theirs[0])
    if let comma = finalComma(ours), finalComma(theirs) == comma, finalComma(base) == nil {
      // Both sides appended an element after this one.
      base.insert(comma, at: base.last.map(isLineBreak) == true ? base.count - 1 : base.count)
    }
    let merged = SequenceMerge(Versions(base, ours, theirs))
    var bytes: [UInt8] = []
    for chunk in merged.chunks {
      guard let tokens = chunk.settled else { return nil }
      bytes += tokens.joined()
    }
    return TextLine(bytes: bytes)
  }

  private static func isLineBreak(_ token: Token) -> Bool { token.first.map(kind) == .lineBreak }

  private static func finalComma(_ tokens: [Token]) -> Token? {
    tokens.last { !isLineBreak($0) }.flatMap { $0.elementsEqual([UInt8(ascii: ",")]) ? $0 : nil }
  }

  private typealias Token = ArraySlice<UInt8>

  private enum TokenKind {
    case blank
    case lineBreak
    case mark
    case word
  }

  private static func kind(_ byte: UInt8) -> TokenKind {
    switch byte {
    case 0x0A, 0x0D: .lineBreak
    case 0x20, 0x09: .blank
    case ",", ":", "[", "]", "{", "}", "\"", "'":
      .mark
    default: .word
    }
  }

  private static func tokens(of line: TextLine) -> [Token] {
    let bytes = line.bytes
    let end = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
    var tokens: [Token] = []
    var start = 0
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      tokens.append(bytes[..<3])
      start = 3
    }
    while start < end {
      let kind = kind(bytes[start])
      let startsComment =
        bytes[start] == "#" && (start == 0 || self.kind(bytes[start - 1]) == .blank)
      let next =
        startsComment
        ? end : bytes[start..<end].dropFirst().firstIndex { kind == .mark || self.kind($0) != kind } ?? end
      tokens.append(bytes[start..<next])
      start = next
    }
    if end < bytes.count { tokens.append(bytes[end...]) }
    return tokens
  }
}
