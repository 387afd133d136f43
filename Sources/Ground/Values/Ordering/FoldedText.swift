/// The strings of one item, folded and concatenated, so that a search for a word is one pass over
/// bytes.
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

  package mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
  }

  package mutating func append(_ text: UnsafeRawBufferPointer) {
    folding.fold(text, into: &bytes)
    // This byte does not occur in UTF-8, so that no match reaches from one string into the next.
    bytes.append(0xFF)
  }

  /// Calls `body` with the folded strings, each followed by a byte that does not occur in UTF-8.
  package borrowing func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes(body)
  }

  /// Returns true if one of the strings contains the pattern, which must be folded in the same way.
  package borrowing func contains(_ pattern: FoldedPattern) -> Bool {
    bytes.withUnsafeBytes { pattern.isFound(inFolded: $0) }
  }
}
