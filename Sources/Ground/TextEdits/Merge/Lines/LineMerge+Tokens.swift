/// Lines that are merged token by token.
///
/// A comment is one token, and so is a word with its punctuation: two changes to the same number or
/// to the same comment are in conflict.
extension LineMerge {
  /// Merges a chunk of one line that both sides changed. Returns nil if both changed the same token, or
  /// if the chunk has more lines.
  static func line(of chunk: HunkMerge<TextLine>.Chunk) -> TextLine? {
    guard case .open = chunk.kind, chunk.base.count == 1, chunk.ours.count == 1, chunk.theirs.count == 1
    else { return nil }
    var base = tokens(of: chunk.base[0])
    let (ours, theirs) = (tokens(of: chunk.ours[0]), tokens(of: chunk.theirs[0]))
    if let comma = finalComma(ours), finalComma(theirs) == comma, finalComma(base) == nil {
      // Both sides appended an element after this one.
      base.insert(comma, at: base.last.map(isLineBreak) == true ? base.count - 1 : base.count)
    }
    let merged = HunkMerge(Versions(base, ours, theirs)) { SequenceAlignment($0, $1).pairs }
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
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"),
      UInt8(ascii: "\""), UInt8(ascii: "'"):
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
        bytes[start] == UInt8(ascii: "#") && (start == 0 || self.kind(bytes[start - 1]) == .blank)
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
