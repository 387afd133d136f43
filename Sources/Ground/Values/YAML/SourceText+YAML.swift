/// Rejects the texts for which libyaml needs quadratic time, before libyaml reads them.
///
/// Three parts of libyaml are quadratic:
/// - At each run of spaces or line breaks it clears a buffer as long as the longest run so far.
/// - For each tag it copies the prefix of the `%TAG` directive.
/// - It compares each `%TAG` directive with all earlier ones.
extension SourceText {
  private static let harmlessSize = 64 << 10
  /// The limit for the bytes of buffers that libyaml clears: about one second of work.
  private static let maxClearedBytes = 8 << 30
  private static let maxDirectiveLength = 1_024
  private static let maxDirectiveCount = 64

  func checkForLibYAML(_ range: Range<Int>) throws(TextError) {
    try checkDirectives(range)
    try checkBlankRuns(range)
  }

  /// Checks the directives, which are before the document, between comments and empty lines.
  func checkDirectives(_ range: Range<Int>) throws(TextError) {
    var count = 0
    var start = range.lowerBound
    while start < range.upperBound {
      var text = start
      while text < range.upperBound,
        bytes[text] == " " || bytes[text] == "\t"
      { text += 1 }
      var end = text
      while end < range.upperBound, ![0x0A, 0x0D].contains(bytes[end]) { end += 1 }
      if text == start, bytes[text] == "%" {
        count += 1
        if count > SourceText.maxDirectiveCount || end - start > SourceText.maxDirectiveLength {
          throw error(
            at: start,
            "The file has more than \(SourceText.maxDirectiveCount) directives (lines that begin with %), or one longer than \(SourceText.maxDirectiveLength) bytes. Remove this line."
          )
        }
      } else if text < end, bytes[text] != "#" {
        return
      }
      start = end + 1
    }
  }

  func checkBlankRuns(_ range: Range<Int>) throws(TextError) {
    if range.count <= SourceText.harmlessSize { return }
    let bytes = UnsafeRawBufferPointer(rebasing: self.bytes[range])
    var longest = 0..<0
    var runs = 0
    var index = 0
    while index < bytes.count {
      let start = index
      while index < bytes.count {
        let isBlank = bytes[index] == 0x20 || bytes[index] == 0x09
        let length = isBlank ? 1 : bytes.breakLength(at: index)
        if length == 0 { break }
        index += length
      }
      if index > start { runs += 1 }
      if index - start > longest.count { longest = start..<index }
      index += 1
    }
    if longest.count > SourceText.maxClearedBytes / max(runs, 1) {
      throw error(
        at: range.lowerBound + longest.lowerBound,
        "\(longest.count) spaces and line breaks in a row are too many for a text of this length. Remove them."
      )
    }
  }
}
