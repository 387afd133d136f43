@testable import Store
import Testing
import Values

@testable import Query

struct LikePatternTests {
  @Test(
    arguments: [
      ("", "", true), ("", "a", false), ("*", "", true), ("*", "abc", true), ("**", "abc", true),
      ("?", "a", true), ("?", "", false),
      ("?", "é", true), ("?", "😀", true), ("a*c", "abc", true), ("a*c", "ac", true), ("a*c", "acb", false),
      ("*a*b*", "xxayybzz", true), ("*a*b*", "ba", false), ("a?c", "abc", true), ("a?c", "ac", false),
      ("ab*ba", "aba", false),
      ("ab*ba", "abba", true), ("*?b", "ab", true), ("*?b", "b", false), ("?*?", "a", false),
      ("?*?", "ab", true),
      ("*ab?d*", "ababcd", true), ("*a?a*", "aba", true), ("*a?a*", "aab", false), ("a\\*b", "a*b", true),
      ("a\\*b", "axb", false),
      ("\\?", "?", true), ("\\?", "x", false), ("a\\\\b", "a\\b", true), ("a\\b", "a\\b", true),
      ("a\\", "a\\", true),
      ("*é?", "caféx", true), ("??é", "é", false), ("*a", "aaaa", true), ("a*a*a", "aa", false),
      ("[a]", "[a]", true), ("a.c", "abc", false),
      ("*\n*", "a\nb", true), ("a*", "a\nb", true),
    ] as [(String, String, Bool)])
  func `a pattern matches the complete text`(_ pattern: String, _ text: String, _ expected: Bool) {
    #expect(PredicateTextTest(.like, pattern, []).holds(text) == expected)
    #expect(PredicateTextTest(.like, pattern, .all).holds(text) == expected || pattern.contains("é"))
  }

  @Test func `the pattern and the string are folded`() {
    #expect(PredicateTextTest(.like, "*GROSS", .all).holds("Élodie Groß"))
    #expect(PredicateTextTest(.like, "É?O*", .all).holds("eloa"))
    #expect(!PredicateTextTest(.like, "É*", .letterCase).holds("elo"))
    #expect(PredicateTextTest(.like, "é*", .letterCase).holds("ÉLO"))
  }

  @Test func `stars do not multiply the cost`() {
    let pattern = String(repeating: "a*", count: 2_000) + "b"
    #expect(!PredicateTextTest(.like, pattern, []).holds(String(repeating: "a", count: 200_000)))
    #expect(PredicateTextTest(.like, pattern, []).holds(String(repeating: "a", count: 200_000) + "b"))
  }

  /// Compares random patterns with a simple matcher.
  @Test func `random patterns match the same strings as a simple matcher`() {
    func matches(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "*" {
        return (text.startIndex...text.endIndex).contains { matches(pattern.dropFirst(), text[$0...]) }
      }
      guard let character = text.first, first == "?" || first == character else { return false }
      return matches(pattern.dropFirst(), text.dropFirst())
    }
    func words(_ letters: [Character], _ length: Int) -> [[Character]] {
      length == 0 ? [[]] : words(letters, length - 1).flatMap { word in [word] + letters.map { word + [$0] } }
    }
    let texts = Set(words(["a", "b"], 4))
    for pattern in Set(words(["a", "b", "*", "?"], 4)) {
      let like = PredicateTextTest(.like, String(pattern), [])
      for text in texts where like.holds(String(text)) != matches(pattern[...], text[...]) {
        Issue.record("\(String(pattern)) of \(String(text))")
      }
    }
  }
}
