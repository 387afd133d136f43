import Glibc

/// The strings of one item, folded and concatenated: a search for a word is one pass over bytes.
package struct FoldedText: ~Copyable {
  private let folding: Folding
  private var bytes: [UInt8] = []

  package init(_ folding: Folding = .all) {
    self.folding = folding
  }

  package var isEmpty: Bool { bytes.isEmpty }

  package mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
  }

  package mutating func append(_ text: UnsafeRawBufferPointer) {
    folding.fold(text, into: &bytes)
    // This byte does not occur in UTF-8, so that no match reaches from one string into the next.
    bytes.append(FoldedText.stringEnd)
  }

  /// Ends a part of the text. Like the byte between two strings, this one does not occur in UTF-8.
  package mutating func endPart() { bytes.append(FoldedText.partEnd) }

  /// Ends the strings of a part that are names, too.
  package mutating func endNames() { bytes.append(FoldedText.namesEnd) }

  package static let stringEnd: UInt8 = 0xFF
  package static let partEnd: UInt8 = 0xFE
  package static let namesEnd: UInt8 = 0xFD

  /// Returns the place of a byte in a text from `start` on, or the end of the text.
  package static func end(at byte: UInt8, in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard start < text.count, let base = text.baseAddress,
      let end = memchr(base + start, Int32(byte), text.count - start)
    else { return text.count }
    return UnsafeRawPointer(end) - base
  }

  package borrowing func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes(body)
  }

  package borrowing func contains(_ pattern: FoldedPattern) -> Bool {
    bytes.withUnsafeBytes { pattern.isFound(inFolded: $0) }
  }

  package borrowing func hasWord(beginningWith pattern: FoldedPattern) -> Bool {
    bytes.withUnsafeBytes { pattern.beginsWord(inFolded: $0) }
  }
}

/// A string to search for in text that was folded in the same way. Linear: its first and last byte are
/// compared with 16 places at once; where too many pass, the algorithm of Knuth, Morris and Pratt is used.
package struct FoldedPattern: Hashable {
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

  private init(copying other: FoldedPattern) {
    folding = other.folding
    bytes = other.bytes.withUnsafeBufferPointer { Array($0) }
    borders = other.borders.withUnsafeBufferPointer { Array($0) }
  }

  /// With memory of its own: threads that share one would wait for each other to count its references.
  package var copy: FoldedPattern { FoldedPattern(copying: self) }

  package func isFound(inFolded text: UnsafeRawBufferPointer) -> Bool { end(inFolded: text, from: 0) != nil }

  /// Returns true if a word begins with the pattern: nothing, or no letter and no digit, is before it. Linear.
  package func beginsWord(inFolded text: UnsafeRawBufferPointer) -> Bool {
    end(inFolded: text, from: 0) { start in
      var first = start
      while first > 0, start - first < 4 {
        first -= 1
        if text[first] & 0xC0 != 0x80 { break }
      }
      guard first < start, let scalar = text.scalar(at: first), let before = Unicode.Scalar(scalar.scalar)
      else { return true }
      return !before.properties.isAlphabetic && before.properties.numericType == nil
    } != nil
  }

  package func end(inFolded text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let first = bytes.first, let last = bytes.last else { return start }
    var position = start
    // The number of bytes that may be compared without a match.
    var allowance = FoldedPattern.maxComparisons * (bytes.count + max(0, text.count - start))
    typealias Block = SIMD16<UInt8>
    let firsts = Block(repeating: first)
    let lasts = Block(repeating: last)
    let lastOffset = bytes.count - 1
    while position <= text.count - lastOffset - Block.scalarCount {
      let heads = text.loadUnaligned(fromByteOffset: position, as: Block.self)
      let tails = text.loadUnaligned(fromByteOffset: position + lastOffset, as: Block.self)
      let candidates = unsafeBitCast((heads .== firsts) .& (tails .== lasts), to: SIMD2<UInt64>.self)
      if candidates[0] | candidates[1] != 0 {
        for half in 0..<2 {
          var bits = UInt64(littleEndian: candidates[half])
          while bits != 0 {
            let byte = bits.trailingZeroBitCount / 8
            let place = position + half * 8 + byte
            if isMatch(at: place, of: text) { return place + bytes.count }
            allowance -= bytes.count
            bits &= ~(0xFF << UInt64(byte * 8))
          }
        }
        if allowance < 0 { return linearEnd(inFolded: text, from: position + Block.scalarCount) }
      }
      position += Block.scalarCount
    }
    // Fewer places than a block are left.
    while position < text.count - lastOffset {
      if text[position] == first, text[position + lastOffset] == last, isMatch(at: position, of: text) {
        return position + bytes.count
      }
      position += 1
    }
    return nil
  }

  /// The number of vain comparisons per byte after which a text is searched without them.
  private static let maxComparisons = 4

  private func isMatch(at place: Int, of text: UnsafeRawBufferPointer) -> Bool {
    // The first and the last byte were compared.
    if bytes.count <= 2 { return true }
    return bytes.withUnsafeBytes { pattern in
      guard let text = text.baseAddress, let pattern = pattern.baseAddress else { return false }
      return memcmp(text + place, pattern, bytes.count) == 0
    }
  }

  /// Returns the end of the first match whose start passes a test.
  func end(inFolded text: UnsafeRawBufferPointer, from start: Int, where canStart: (Int) -> Bool) -> Int? {
    guard let end = end(inFolded: text, from: start) else { return nil }
    // The other matches may overlap this one.
    return canStart(end - bytes.count)
      ? end : linearEnd(inFolded: text, from: end - bytes.count, where: canStart)
  }

  private func linearEnd(
    inFolded text: UnsafeRawBufferPointer, from start: Int, where canStart: (Int) -> Bool = { _ in true }
  ) -> Int? {
    bytes.withUnsafeBufferPointer { pattern in
      var matched = 0
      var index = start
      while index < text.count {
        while matched > 0, text[index] != pattern[matched] { matched = borders[matched - 1] }
        if text[index] == pattern[matched] { matched += 1 }
        index += 1
        if matched == pattern.count {
          if canStart(index - pattern.count) { return index }
          matched = borders[matched - 1]
        }
      }
      return nil
    }
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
