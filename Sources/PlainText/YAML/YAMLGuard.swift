/// Refuses, before libyaml sees them, the few texts on which it takes quadratic time.
///
/// It clears a buffer as long as the longest run of blanks or line breaks at each further run, copies the prefix of a `%TAG` line for each tag,
/// and compares every such line with all before it.
enum YAMLGuard {
  /// Bytes up to which the quadratic cases are too short to matter.
  private static let harmlessSize = 64 << 10
  /// Bytes of buffers cleared: about a second's worth.
  private static let mostClearing = 8 << 30
  private static let longestDirective = 1_024
  private static let mostDirectives = 64

  static func check(_ source: SourceText, _ range: Range<Int>) throws(TextError) {
    try checkDirectives(source, range)
    if range.count > harmlessSize { try checkBlankRuns(source, range) }
  }

  /// Directives stand before the document, between comments and empty lines.
  static func checkDirectives(_ source: SourceText, _ range: Range<Int>) throws(TextError) {
    var count = 0
    var start = range.lowerBound
    while start < range.upperBound {
      var text = start
      while text < range.upperBound, source.bytes[text] == UInt8(ascii: " ") || source.bytes[text] == UInt8(ascii: "\t") { text += 1 }
      var end = text
      while end < range.upperBound, !isBreak(source.bytes[end]) { end += 1 }
      if text == start, source.bytes[text] == UInt8(ascii: "%") {
        count += 1
        if count > mostDirectives || end - start > longestDirective {
          throw source.error(
            at: start, "At most \(mostDirectives) lines that begin with % are read, of \(longestDirective) bytes each. Leave this one out.")
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
    if longest.count > mostClearing / max(runs, 1) {
      throw source.error(
        at: range.lowerBound + longest.lowerBound,
        "\(longest.count) blanks and line breaks in a row are too many for a text of this length. Take them out.")
    }
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// In bytes, of the blank or line break there; U+0085, U+2028 and U+2029 are breaks to libyaml. 0 where there is none.
  private static func blankLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
    switch bytes[index] {
    case 0x20, 0x09, 0x0A, 0x0D: 1
    case 0xC2 where bytes[index + 1] == 0x85: 2
    case 0xE2 where bytes[index + 1] == 0x80 && (bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9): 3
    default: 0
    }
  }
}
