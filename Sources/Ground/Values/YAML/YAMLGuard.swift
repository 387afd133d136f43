/// Rejects the texts for which libyaml needs quadratic time, before libyaml reads them.
///
/// Three parts of libyaml are quadratic:
/// - At each run of spaces or line breaks it clears a buffer as long as the longest run so far.
/// - For each tag it copies the prefix of the `%TAG` directive.
/// - It compares each `%TAG` directive with all earlier ones.
enum YAMLGuard {
  /// Shorter texts, in bytes, are harmless.
  private static let harmlessSize = 64 << 10
  /// The limit for the bytes of buffers that libyaml clears: about one second of work.
  private static let maxClearedBytes = 8 << 30
  private static let maxDirectiveLength = 1_024
  private static let maxDirectiveCount = 64

  /// Returns true if `check` finds nothing in a text without directives.
  static func allows(_ source: SourceText, _ range: Range<Int>) -> Bool {
    range.count <= harmlessSize || (try? checkBlankRuns(source, range)) != nil
  }

  static func check(_ source: SourceText, _ range: Range<Int>) throws(TextError) {
    try checkDirectives(source, range)
    if range.count > harmlessSize { try checkBlankRuns(source, range) }
  }

  /// Checks the directives, which are before the document, between comments and empty lines.
  static func checkDirectives(_ source: SourceText, _ range: Range<Int>) throws(TextError) {
    var count = 0
    var start = range.lowerBound
    while start < range.upperBound {
      var text = start
      while text < range.upperBound,
        source.bytes[text] == UInt8(ascii: " ") || source.bytes[text] == UInt8(ascii: "\t")
      { text += 1 }
      var end = text
      while end < range.upperBound, !isBreak(source.bytes[end]) { end += 1 }
      if text == start, source.bytes[text] == UInt8(ascii: "%") {
        count += 1
        if count > maxDirectiveCount || end - start > maxDirectiveLength {
          throw source.error(
            at: start,
            "The file has more than \(maxDirectiveCount) directives (lines that begin with %), or one longer than \(maxDirectiveLength) bytes. Remove this line."
          )
        }
      } else if text < end, source.bytes[text] != UInt8(ascii: "#") {
        return
      }
      start = end + 1
    }
  }

  private static func checkBlankRuns(_ source: SourceText, _ range: Range<Int>) throws(TextError) {
    let bytes = UnsafeRawBufferPointer(rebasing: source.bytes[range])
    var longest = 0..<0
    var runs = 0
    var index = 0
    while index < bytes.count {
      let start = index
      while index < bytes.count {
        let length = blankLength(bytes, index)
        if length == 0 { break }
        index += length
      }
      if index > start { runs += 1 }
      if index - start > longest.count { longest = start..<index }
      index += 1
    }
    if longest.count > maxClearedBytes / max(runs, 1) {
      throw source.error(
        at: range.lowerBound + longest.lowerBound,
        "\(longest.count) spaces and line breaks in a row are too many for a text of this length. Remove them."
      )
    }
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Returns the length in bytes of the space, tab or line break at `index`; 0 if there is none.
  /// U+0085, U+2028 and U+2029 are line breaks for libyaml.
  private static func blankLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
    switch bytes[index] {
    case 0x20, 0x09, 0x0A, 0x0D: 1
    case 0xC2 where bytes[index + 1] == 0x85: 2
    case 0xE2 where bytes[index + 1] == 0x80 && (bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9): 3
    default: 0
    }
  }
}
