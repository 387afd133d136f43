import Files
public import Values

/// Finds the parts of a text that a search text matches, to highlight them.
///
/// It folds case and accents as the search does: `gross` is found in `Groß`.
///
/// ```swift
/// let highlighter = SearchHighlighter(FetchRequest(search: "ada lov"))
/// let ranges = highlighter.ranges(in: "Ada Lovelace", of: "name")  // "Ada", "Lov"
/// ```
public struct SearchHighlighter: Sendable, Hashable, CustomStringConvertible {
  private let words: [FoldedPattern]
  private let fields: [FieldPath]

  /// Creates a highlighter for the search text, the query and the search fields of a request.
  public init(_ request: FetchRequest) {
    let terms = (request.query?.terms ?? []).filter { $0.kind != .fuzzy && $0.field == nil }
    words = (ItemFilter.words(of: request.search) + terms.map { FoldedPattern($0.text) }).filter {
      !$0.bytes.isEmpty
    }
    fields = request.searchFields
  }

  /// True if there is nothing to highlight.
  package var isEmpty: Bool { words.isEmpty }

  /// The words as the search compares them, without case and accents.
  public var description: String {
    words.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: " ")
  }

  /// Returns true if each of the words is in one of some texts.
  package func match(_ texts: String...) -> Bool {
    let folded = texts.map { Folding.all.folded($0) }
    return words.allSatisfy { word in folded.contains { $0.withUnsafeBytes(word.isFound) } }
  }

  /// Returns the parts of a text that one of the words matches, in their order; parts that overlap
  /// or touch are one. A part consists of complete characters. Linear in the text for each word.
  ///
  /// - Parameter field: The field that the text is the value of; nil for any. A field that the
  ///   search does not search has no matches.
  public func ranges(in text: String, of field: FieldPath? = nil) -> [Range<String.Index>] {
    if words.isEmpty || text.isEmpty { return [] }
    if let field, !searches(field) { return [] }
    let folded = FoldedCharacters(text)
    var found: [Range<Int>] = []
    folded.bytes.withUnsafeBytes { bytes in
      for word in words {
        var start = 0
        while let end = word.end(inFolded: bytes, from: start) {
          found.append(end - word.bytes.count..<end)
          start = end
        }
      }
    }
    found.sort { $0.lowerBound < $1.lowerBound }
    var ranges: [Range<String.Index>] = []
    for range in found.map(folded.characters) {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  /// Returns true if a text may have a match. Costs less than `ranges(in:of:)`.
  func mayMatch(_ text: String) -> Bool {
    let bytes = Folding.all.folded(text)
    return bytes.withUnsafeBytes { bytes in words.contains { $0.isFound(inFolded: bytes) } }
  }

  /// Returns true if the search looks into a field, or into a part of it.
  func searches(_ field: FieldPath) -> Bool {
    guard !fields.isEmpty else { return PseudoField(field).map { $0 == .id } ?? true }
    return fields.contains {
      $0 == field || $0.keys.starts(with: field.keys) || field.keys.starts(with: $0.keys)
    }
  }
}

/// The folded bytes of a text, with the character that each of them is from.
private struct FoldedCharacters {
  private let text: String
  private(set) var bytes: [UInt8] = []
  /// The positions in `bytes` at which characters begin, and the characters; empty for ASCII, where
  /// each byte is one.
  private var starts: [(position: Int, index: String.Index)] = []

  init(_ text: String) {
    self.text = text
    guard !text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) else {
      bytes = Folding.all.folded(text)
      return
    }
    // No cluster of characters folds to other bytes beside another one.
    for index in text.indices {
      starts.append((bytes.count, index))
      bytes += Folding.all.folded(String(text[index]))
    }
  }

  func characters(_ range: Range<Int>) -> Range<String.Index> {
    guard !starts.isEmpty else {
      return text.utf8.index(
        text.startIndex, offsetBy: range.lowerBound)..<text.utf8.index(
          text.startIndex, offsetBy: range.upperBound)
    }
    let first = lastStart { $0 <= range.lowerBound }
    let last = lastStart { $0 < range.upperBound }
    return starts[first].index..<text.index(after: starts[last].index)
  }

  /// Returns the number of the last character whose position satisfies a monotonic condition, or 0.
  private func lastStart(_ condition: (Int) -> Bool) -> Int {
    max(0, starts.indices.partitionPoint { !condition(starts[$0].position) } - 1)
  }
}
