import PlainText
import TestSupport
import Testing

struct FoldedPatternTests {
  private static func isFound(_ pattern: String, in text: String, _ folding: Folding = .all) -> Bool {
    var text = text
    var scratch: [UInt8] = []
    return text.withUTF8 { FoldedPattern(pattern, folding).isFound(in: UnsafeRawBufferPointer($0), scratch: &scratch) }
  }

  @Test(arguments: [
    ("gross", "Élodie Groß"), ("ELO", "Élodie"), ("", ""), ("", "a"), ("aab", "aaab"), ("abab", "abaabab"), ("é", "cafe\u{301}"),
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
    let text = (0..<random.below(40)).map { _ in random.one(of: [0x61, 0x62] as [UInt8]) }
    let pattern = (0..<random.below(6)).map { _ in random.one(of: [0x61, 0x62] as [UInt8]) }
    let expected = (0...text.count).contains { text[$0...].starts(with: pattern) }
    let found = text.withUnsafeBytes { FoldedPattern(String(decoding: pattern, as: UTF8.self)).isFound(inFolded: $0) }
    #expect(found == expected, "NOTES_WATCH_SEED=\(seed)")
  }
}
