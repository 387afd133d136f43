import Glibc

/// A string to search for in text that was folded in the same way.
///
/// Uses the algorithm of Knuth, Morris and Pratt, so that the search is linear for all texts, and
/// the C library's `memchr` to find the first byte.
package struct FoldedPattern: Sendable, Hashable {
  package let folding: Folding
  package let bytes: [UInt8]
  /// The failure function: for each matched length minus one, the length of the longest proper
  /// prefix of the pattern that is also a suffix of the match.
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

  /// Returns true if `text` contains the pattern.
  ///
  /// - Parameter scratch: a buffer for the folded text. Pass the same array each time, so that it
  ///   keeps its capacity.
  package func isFound(in text: UnsafeRawBufferPointer, scratch: inout [UInt8]) -> Bool {
    scratch.removeAll(keepingCapacity: true)
    folding.fold(text, into: &scratch)
    return scratch.withUnsafeBytes { isFound(inFolded: $0) }
  }

  package func isFound(inFolded text: UnsafeRawBufferPointer) -> Bool { end(inFolded: text, from: 0) != nil }

  /// Returns the end of the first match at or after `start`; nil if there is none. Linear.
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
