import TestSupport
import Testing
import TextEdits
import Values

struct FoldedPatternTests {
  private static func isFound(_ pattern: String, in text: String, _ folding: Folding = .all) -> Bool {
    folding.folded(text).withUnsafeBytes { FoldedPattern(pattern, folding).isFound(inFolded: $0) }
  }

  @Test(arguments: [
    ("gross", "Élodie Groß"), ("ELO", "Élodie"), ("", ""), ("", "a"), ("aab", "aaab"), ("abab", "abaabab"),
    ("é", "cafe\u{301}"),
    ("e", "É"), ("σ", "ς"), ("ss", "ß"), ("\0b", "a\0b"),
  ])
  func `a pattern is found in folded text`(_ pattern: String, _ text: String) {
    #expect(FoldedPatternTests.isFound(pattern, in: text))
  }

  @Test(arguments: [("a", ""), ("ab", "a"), ("aab", "abab"), ("x", "abc"), ("gros s", "groß")])
  func `a pattern is not found where it does not occur`(_ pattern: String, _ text: String) {
    #expect(!FoldedPatternTests.isFound(pattern, in: text))
  }

  @Test func `a pattern without folding must occur as it is`() {
    #expect(FoldedPatternTests.isFound("É", in: "É", []))
    #expect(!FoldedPatternTests.isFound("é", in: "É", []))
    #expect(FoldedPatternTests.isFound("é", in: "É", .letterCase))
    #expect(FoldedPatternTests.isFound("E", in: "É", .accents))
  }

  @Test func `a match does not reach from one string into the next`() {
    var texts = FoldedText()
    for var text in ["Ada", "Bob"] { text.withUTF8 { texts.append(UnsafeRawBufferPointer($0)) } }
    let found = ["ADA", "bob", "adab"].map { texts.contains(FoldedPattern($0)) }
    #expect(found == [true, true, false])
    texts.reset()
    let foundAfter = texts.contains(FoldedPattern("ada"))
    #expect(!foundAfter)
  }

  @Test(arguments: Randomness.seeds(200))
  func `a search finds what a comparison at each offset finds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Few letters make many places alike, and long texts consist of several blocks.
    let letters = Array([0x61, 0x61, 0x61, 0x62, 0x63] as [UInt8])[..<random.one(of: [2, 4, 5])]
    let text = (0..<random.below(random.one(of: [10, 40, 300]))).map { _ in random.one(of: Array(letters)) }
    let pattern = (0..<random.below(random.one(of: [4, 6, 40]))).map { _ in random.one(of: Array(letters)) }
    let start = random.below(text.count + 1)
    let expected = (start...text.count).first { text[$0...].starts(with: pattern) }.map { $0 + pattern.count }
    let found = text.withUnsafeBytes {
      FoldedPattern(String(decoding: pattern, as: UTF8.self)).end(inFolded: $0, from: start)
    }
    #expect(found == expected, "\(seedNote(seed))")
  }

  @Test func `a text in which every place looks like the pattern is searched in linear time`() {
    let text = [UInt8](repeating: 0x61, count: 200_000)
    // Each comparison would read half of the pattern.
    let half = String(repeating: "a", count: 50_000)
    let patterns = [half + "b" + half, half + "a" + half]
    let ends = patterns.map { pattern in
      text.withUnsafeBytes { FoldedPattern(pattern).end(inFolded: $0, from: 0) }
    }
    #expect(ends == [nil, 100_001])
  }

  @Test func `a match after many vain comparisons is found`() {
    let pattern = String(repeating: "a", count: 40) + "b" + String(repeating: "a", count: 40)
    let text = Array((String(repeating: "a", count: 10_000) + pattern + "c").utf8)
    let end = text.withUnsafeBytes { FoldedPattern(pattern).end(inFolded: $0, from: 0) }
    #expect(end == 10_081)
  }
}
