/// Converts character numbers, which libyaml counts, to byte offsets.
///
/// Built in one pass that records every 64th character, so each conversion takes constant time. For
/// ASCII text nothing is recorded.
struct CharacterOffsets {
  private let source: SourceText
  private let range: Range<Int>
  /// The offset of every 64th character. Empty if the text is ASCII.
  private var offsets: [Int] = []

  init(_ source: SourceText, _ range: Range<Int>) {
    self.source = source
    self.range = range
    guard !source.isASCII else { return }
    var count = 0
    for offset in range where !UTF8Check.isContinuation(source.bytes[offset]) {
      if count.isMultiple(of: 64) { offsets.append(offset) }
      count += 1
    }
  }

  /// The byte offset of a character, or the end of the range if there are fewer characters.
  /// Constant time.
  subscript(character: Int) -> Int {
    guard !source.isASCII else { return min(range.lowerBound + character, range.upperBound) }
    guard character / 64 < offsets.count else { return range.upperBound }
    return min(source.offset(ofCharacter: character % 64, from: offsets[character / 64]), range.upperBound)
  }
}
