import TestSupport
import Testing

@testable import notes_watch

@Suite struct CandidateListTests {
  private func texts(_ words: [String], typed: String = "", ignoresCase: Bool = false) -> [String] {
    words.map { Candidate(text: $0) }.fitting(typed, ignoresCase: ignoresCase).map(\.text)
  }

  @Test func `only words that begin with the typed part stay`() {
    #expect(texts(["ab", "b", "Ab"], typed: "a") == ["ab"])
    #expect(texts(["ab", "b", "Ab"], typed: "a", ignoresCase: true) == ["ab", "Ab"])
    #expect(texts(["a", "b", "a"]) == ["a", "b"])
  }

  @Test(arguments: [
    "\u{1B}[31m", "\n", "\t", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2028}", "\u{E0041}", "\u{200B}",
  ])
  func `a word with a control character is left out`(text: String) {
    #expect(texts(["a\(text)", "b"]) == ["b"])
  }

  @Test(arguments: Randomness.seeds(20)) func `many words are thinned out and keep what they have in common`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let start = random.one(of: ["", "a", "notes/2026-"])
    let words = (0..<(150 + random.below(2_000))).map { _ in start + String(random.below(1 << 40), radix: 36)
    }
    let shown = texts(words)
    #expect(shown.count == min(Set(words).count, [Candidate].maxCount), "\(seedNote(seed))")
    #expect(Set(shown).isSubset(of: words), "\(seedNote(seed))")
    #expect(common(shown) == common(words), "\(seedNote(seed))")
  }

  private func common(_ words: [String]) -> String {
    let first = words.first ?? ""
    return words.reduce(first) { start, word in String(zip(start, word).prefix { $0 == $1 }.map(\.0)) }
  }
}
