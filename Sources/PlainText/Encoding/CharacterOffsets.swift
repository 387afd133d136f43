/// The byte at which each character of a text begins, for any number of questions: libyaml counts characters.
struct CharacterOffsets {
  private let source: SourceText
  private let range: Range<Int>
  /// Of every 64th character; empty where a character is a byte.
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

  /// Constant time. The end for a character behind it.
  subscript(character: Int) -> Int {
    guard !source.isASCII else { return min(range.lowerBound + character, range.upperBound) }
    guard character / 64 < offsets.count else { return range.upperBound }
    return min(source.offset(ofCharacter: character % 64, from: offsets[character / 64]), range.upperBound)
  }
}
