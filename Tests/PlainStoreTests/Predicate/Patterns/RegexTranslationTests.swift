import Foundation
@testable import Store
import TestSupport
import Testing

@testable import Query

/// Regular expressions were ICU's before. Foundation, which only the tests link, still has them.
struct RegexTranslationTests {
  private static func matches(_ pattern: String, _ text: String, isCaseInsensitive: Bool = false) -> Bool? {
    try? BoundedRegex(pattern, isCaseInsensitive: isCaseInsensitive).matches(text)
  }

  private static func matchesInICU(_ pattern: String, _ text: String) -> Bool? {
    guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
    let whole = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    return whole.map { $0.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil }
  }

  @Test(
    arguments: [
      ("\\w+", "e\u{301}tude"), ("\\w+", "می\u{200c}خواهم"), ("\\w", "\u{203F}"), ("\\w", "ⅷ"), ("\\w", "²"),
      ("\\W", "²"),
      ("\\W", "\u{301}"),
      ("[\\w.]+", "e\u{301}."), ("[\\w-.]+", "a-."), ("[\\W]", "."), ("[^\\W]", "a"), ("[^\\w]", "\u{301}"),
      ("[\\d-z]", "-"),
      (".*\\bcafe\u{301}\\b.*", "le cafe\u{301}!"), ("a\\Bb", "ab"), ("a\\B\u{301}", "a\u{301}"),
      ("\\bb\\b", "b"), ("\\u00e9", "é"),
      ("\\U0001F600", "😀"), ("\\ud83d\\ude00", "😀"), ("[\\u00e0-\\u00ff]", "é"), ("\\0101", "A"),
      ("\\0377", "ÿ"), ("\\x{1F600}", "😀"),
      ("\\x41", "A"), ("(?x)[a b]", " "), ("(?x: a b ) c", "ab c"), ("(?x) a # [[ \\Q \n b", "ab"),
      ("(?x: # \\w \n a)#\\w", "a#b"),
      ("(?#[[)a", "a"), ("(?i-s)A", "a"), ("(?x-x)a b", "a b"), ("\\Q\\w\\E", "\\w"), ("[]a]", "]"),
      ("[^]a]", "b"), ("[[:alpha:]]", "é"),
      ("[a-]", "-"), ("\\p{Lu}", "É"), ("[\\p{L}-]", "-"), (".", "\u{85}"), (".", "\u{2028}"),
      ("(?m)a$\n^b", "a\nb"),
      ("(?<n>a)\\k<n>", "aa"),
      ("\\R", "\r\n"), ("\\X", "e\u{301}"), ("a++b*+", "aab"), ("(?>a+)b", "aab"), ("(a)|b\\1", "b"),
      ("\\_\\é", "_é"),
      ("\\cA\\e\\a", "\u{1}\u{1B}\u{7}"),
    ] as [(String, String)])
  func `a pattern means the same as for ICU`(_ pattern: String, _ text: String) throws {
    let expected = Self.matchesInICU(pattern, text)
    #expect(expected != nil)
    #expect(Self.matches(pattern, text) == expected)
  }

  /// Each difference is named in the documentation of predicates.
  @Test(
    arguments: [
      ("(?i)strasse", "straße", true, false), ("(?i)ﬁ", "fi", true, false), ("(?s).", "\r\n", true, false),
      ("[\\b]", "b", true, false),
      ("\\w", "Ⓐ", true, false), ("\\s", "\u{180E}", false, true),
      ("a{2", "a{2", nil, true), ("(?P<n>a)", "a", nil, true), ("\\pL", "a", nil, true),
      ("\\p{^L}", "1", nil, true),
      ("[a[bc]]", "b", true, nil), ("[a-z&&[^aeiou]]", "b", true, nil), ("[a-z--[b]]", "c", true, nil),
      ("[[:L:]]", "a", true, nil),
      ("[:alpha:]", "a", true, nil), ("\\p{Letter}", "a", true, nil), ("\\p{InGreek}", "α", true, nil),
      ("a(?<=a{1,3})", "a", true, nil),
      ("\\N{LATIN SMALL LETTER A}", "a", true, nil), ("(?w)a", "a", true, nil), ("\\y", "y", true, nil),
      ("[\\R]", "R", true, nil),
    ] as [(String, String, Bool?, Bool?)])
  func `a difference from ICU is known`(_ pattern: String, _ text: String, _ old: Bool?, _ new: Bool?) {
    #expect(Self.matchesInICU(pattern, text) == old)
    #expect(Self.matches(pattern, text) == new)
  }

  private static let atoms = [
    "a", "b", "é", "e\u{301}", "[ab]", "[^a]", "[\\w-]", "[a\\W]", "\\w", "\\W", "\\d", "\\s", ".", "\\b",
    "\\B", "(a|b)", "(?:ab|b)",
    "(?=a)", "(?!b)",
    "\\u0061", "(?i:B)", "(?x: a )", "\\.", "\\Qa.\\E", "(a)\\1", "^", "$", "_", "-", " ",
  ]
  /// No accent begins a text: before such a one, ICU has a boundary of a word.
  private static let characters = ["a", "b", "A", "B", "é", "e\u{301}", "1", " ", ".", "-", "_", "\n"]

  @Test(arguments: Randomness.seeds(4)) func `random patterns mean the same as for ICU`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var count = 0
    for _ in 0..<150 {
      let pattern = (0...random.below(5)).map { _ in
        random.one(of: Self.atoms) + random.one(of: ["", "", "", "*", "+", "?", "*?", "{1,2}"])
      }.joined()
      guard let regex = try? BoundedRegex(pattern, isCaseInsensitive: false) else { continue }
      for _ in 0..<6 {
        let text = (0..<random.below(6)).map { _ in random.one(of: Self.characters) }.joined()
        guard let expected = Self.matchesInICU(pattern, text) else { break }
        count += 1
        if regex.matches(text) != expected {
          Issue.record(
            "\(pattern.debugDescription) and \(text.debugDescription): not \(expected); \(seedNote(seed))")
        }
      }
    }
    #expect(count > 200)
  }

  @Test(arguments: Randomness.seeds(4)) func `random text as a pattern is refused or matches in time`(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let parts =
      Self.atoms + [
        "(", ")", "[", "]", "\\", "\\Q", "\\E", "(?x)", "(?", "(*", "#", "{", "}", "\\p{", "\\u", "\\U",
        "\\0", "&&", "--", "[:", ":]",
        "\u{0}", "|", "\\g{1}", "(?R)",
      ]
    for _ in 0..<400 {
      let pattern = (0...random.below(12)).map { _ in random.one(of: parts) }.joined()
      let allowance = MatchAllowance(time: .milliseconds(2), shortest: .milliseconds(1))
      _ = try? BoundedRegex(pattern, isCaseInsensitive: random.oneIn(2), allowance: allowance).matches(
        String(repeating: "ab", count: random.below(50)))
    }
  }

  @Test(arguments: [
    ("\\w+ [a[b]]", "the set at character 5"), ("\\w\\w{2,1}", "(after character 8)"),
    ("é\\w(?<=a+)", "(after character 3)"),
  ])
  func `an error names a place of the pattern as it was written`(_ pattern: String, _ part: String) {
    #expect { try BoundedRegex(pattern, isCaseInsensitive: false) } throws: { error in
      (error as? ItemPredicateError)?.message.contains(part) == true
    }
  }
}
