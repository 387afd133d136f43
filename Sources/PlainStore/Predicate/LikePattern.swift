import PlainText

/// A text with `*` for any characters and `?` for one (a Unicode scalar); `\*`, `\?` and `\\` are these characters themselves.
///
/// Each part between stars is taken at the first place where it fits, which is enough, so that nothing is tried twice:
/// linear, or where a part has a `?` in it, the text's length times the part's.
struct LikePattern: Sendable {
  private let folding: Folding
  /// What stands between the stars: one more than there are stars.
  private let parts: [Part]

  private struct Part: Sendable {
    var pieces: [Piece] = []
  }

  private enum Piece: Sendable {
    case text(FoldedPattern)
    case anyScalar
  }

  init(_ pattern: String, _ folding: Folding) {
    self.folding = folding
    var parts = [Part()]
    var text = String.UnicodeScalarView()
    func endText() {
      if !text.isEmpty { parts[parts.count - 1].pieces.append(.text(FoldedPattern(String(text), folding))) }
      text = String.UnicodeScalarView()
    }
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        if !"*?\\".unicodeScalars.contains(scalar) { text.append("\\") }
        text.append(scalar)
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "*":
        endText()
        parts.append(Part())
      case "?":
        endText()
        parts[parts.count - 1].pieces.append(.anyScalar)
      default: text.append(scalar)
      }
    }
    if isEscaped { text.append("\\") }
    endText()
    self.parts = parts
  }

  func matches(_ text: String) -> Bool {
    if folding.isEmpty {
      var text = text
      return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }
    return folding.folded(text).withUnsafeBytes { matches($0) }
  }

  /// The first part stands at the start and the last at the end; those between follow each other somewhere.
  private func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    guard var position = LikePattern.end(of: parts[0], in: text, at: 0) else { return false }
    if parts.count == 1 { return position == text.count }
    for part in parts[1..<parts.count - 1] {
      guard let end = LikePattern.firstEnd(of: part, in: text, from: position) else { return false }
      position = end
    }
    guard let start = LikePattern.start(of: parts[parts.count - 1], in: text, endingAt: text.count) else { return false }
    return start >= position
  }

  private static func end(of part: Part, in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
    var position = start
    for piece in part.pieces {
      switch piece {
      case .text(let pattern):
        guard text[position...].starts(with: pattern.bytes) else { return nil }
        position += pattern.bytes.count
      case .anyScalar:
        guard position < text.count else { return nil }
        position = next(text, position)
      }
    }
    return position
  }

  private static func start(of part: Part, in text: UnsafeRawBufferPointer, endingAt end: Int) -> Int? {
    var position = end
    for piece in part.pieces.reversed() {
      switch piece {
      case .text(let pattern):
        guard text[..<position].suffix(pattern.bytes.count).elementsEqual(pattern.bytes) else { return nil }
        position -= pattern.bytes.count
      case .anyScalar:
        guard position > 0 else { return nil }
        position -= 1
        while position > 0, text[position] & 0xC0 == 0x80 { position -= 1 }
      }
    }
    return position
  }

  private static func firstEnd(of part: Part, in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if part.pieces.isEmpty { return start }
    if part.pieces.count == 1, case .text(let pattern) = part.pieces[0] { return pattern.end(inFolded: text, from: start) }
    var position = start
    while position < text.count {
      if let end = end(of: part, in: text, at: position) { return end }
      position = next(text, position)
    }
    return nil
  }

  private static func next(_ text: UnsafeRawBufferPointer, _ position: Int) -> Int {
    var position = position + 1
    while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
    return position
  }
}
