import Glibc

/// Text to be looked for in other text that was folded the same way.
///
/// The search is that of Knuth, Morris and Pratt, which no text makes slow, with the C library's byte search for its start.
package struct FoldedPattern: Sendable, Hashable {
  package let folding: Folding
  package let bytes: [UInt8]
  /// For each length of a match broken off: how much of it is a start of the pattern again.
  private let borders: [Int]

  package init(_ text: String, _ folding: Folding = .all) {
    self.folding = folding
    bytes = folding.folded(text)
    borders = FoldedPattern.borders(of: bytes)
  }

  package static func == (a: FoldedPattern, b: FoldedPattern) -> Bool { a.folding == b.folding && a.bytes == b.bytes }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(folding)
    hasher.combine(bytes)
  }

  /// Folds `text` into `scratch` and looks there. Give the same array each time: it keeps its room.
  package func isFound(in text: UnsafeRawBufferPointer, scratch: inout [UInt8]) -> Bool {
    scratch.removeAll(keepingCapacity: true)
    folding.fold(text, into: &scratch)
    return scratch.withUnsafeBytes { isFound(inFolded: $0) }
  }

  package func isFound(inFolded text: UnsafeRawBufferPointer) -> Bool { end(inFolded: text, from: 0) != nil }

  /// Where the first match at or after `start` ends. Linear.
  package func end(inFolded text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let first = bytes.first else { return start }
    return bytes.withUnsafeBufferPointer { pattern in
      var index = start
      var matched = 0
      while index < text.count {
        if matched == 0 {
          guard let found = FoldedPattern.position(of: first, in: text, from: index) else { return nil }
          index = found + 1
          matched = 1
        } else if text[index] == pattern[matched] {
          index += 1
          matched += 1
        } else {
          matched = borders[matched - 1]
        }
        if matched == pattern.count { return index }
      }
      return nil
    }
  }

  private static func position(of byte: UInt8, in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < text.count, let base = text.baseAddress, let found = memchr(base + start, Int32(byte), text.count - start) else {
      return nil
    }
    return UnsafeRawPointer(found) - base
  }

  private static func borders(of pattern: [UInt8]) -> [Int] {
    var borders = [Int](repeating: 0, count: pattern.count)
    var length = 0
    for index in pattern.indices.dropFirst() {
      while length > 0, pattern[index] != pattern[length] { length = borders[length - 1] }
      if pattern[index] == pattern[length] { length += 1 }
      borders[index] = length
    }
    return borders
  }
}

/// The texts of one item, folded and laid end to end, so that each word of a search is one search through bytes.
///
/// ```swift
/// var text = FoldedText()
/// text.append(bytesOfTheTitle)
/// text.contains(FoldedPattern("gross"))
/// ```
package struct FoldedText: ~Copyable {
  private let folding: Folding
  private var bytes: [UInt8] = []

  package init(_ folding: Folding = .all) {
    self.folding = folding
  }

  /// Forgets the texts but keeps the room.
  package mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
  }

  package mutating func append(_ text: UnsafeRawBufferPointer) {
    folding.fold(text, into: &bytes)
    // A byte of no UTF-8 text: no word reaches from one text into the next.
    bytes.append(0xFF)
  }

  /// Whether one of the texts holds the pattern, which was folded the same way.
  package borrowing func contains(_ pattern: FoldedPattern) -> Bool {
    bytes.withUnsafeBytes { pattern.isFound(inFolded: $0) }
  }
}
