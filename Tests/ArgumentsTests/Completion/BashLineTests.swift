import TestSupport
import Testing

@testable import notes_watch

@Suite struct BashLineTests {
  /// The default of `COMP_WORDBREAKS` in bash.
  private static let breaks = " \t\n\"'@><=;|&(:"

  @Test(arguments: [
    ("nw ", ["nw"], "", ""), ("nw li", ["nw"], "li", ""), ("nw a\\ b", ["nw"], "a b", ""),
    ("nw 'a b", ["nw"], "a b", ""),
    ("nw \"a $b\\$c\" x", ["nw", "a $b$c"], "x", ""), ("nw --sort=-na", ["nw"], "--sort=-na", "--sort="),
    ("nw a\\=b", ["nw"], "a=b", ""), ("nw 'a=b'c", ["nw"], "a=bc", ""), ("nw a='b c", ["nw"], "a=b c", "a="),
    ("nw a=b'c", ["nw"], "a=bc", "a=b"), ("nw $'it\\'s", ["nw"], "it's", ""),
    ("A=1 B=2 nw x", ["nw"], "x", ""),
    ("nw a\\", ["nw"], "a", ""),
  ])
  func `a line is split as bash splits it`(text: String, words: [String], current: String, kept: String) {
    let line = BashLine(text, breaks: Self.breaks)
    #expect(line.words == words)
    #expect(line.current == current)
    #expect(line.kept == kept)
  }

  @Test(arguments: [
    ("nw a", "a b$c", "a\\ b\\$c"), ("nw \"a", "a b$c!d", "a b\\$c\"\\!\"d"), ("nw \"a", "a!", "a\"\\!\"\""),
    ("nw 'a", "a'b", "a'\\''b"),
    ("nw $'a", "a'b\\", "a\\'b\\\\"),
    ("nw ", "~x", "\\~x"), ("nw x", "x~", "x~"), ("nw --sort=n", "--sort=name", "name"),
    ("nw ü", "ü ö", "ü\\ ö"),
  ])
  func `a word is quoted for the place where bash puts it`(text: String, word: String, replacement: String) {
    #expect(BashLine(text, breaks: Self.breaks).replacement(for: word) == replacement)
  }

  @Test func `a word that does not begin with what stays has no replacement`() {
    #expect(BashLine("nw a=", breaks: Self.breaks).replacement(for: "b=c") == nil)
  }

  /// bash itself is the oracle: it reads each line that a completion made.
  @Test(arguments: Randomness.seeds(1)) func `bash reads a completed word as the candidate`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let characters = Array("ab -=:@,./\\'\"$`!*?[]{}()<>|&;#~^%+é漢")
    var script = "set -f\n"
    var words: [String] = []
    for _ in 0..<300 {
      let word = String((0...random.below(8)).map { _ in random.one(of: characters) })
      let typed = word.prefix(random.below(word.count + 1))
      let quote = random.one(of: ["", "'", "\"", "$'"])
      // The start of the word as a person types it, with an open quote.
      let raw =
        switch quote {
        case "'": "'" + typed.replacing("'", with: "'\\''")
        case "\"": "\"" + typed.map { "\"\\$`".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        case "$'": "$'" + typed.map { "'\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        default: typed.map { $0.isLetter ? "\($0)" : "\\\($0)" }.joined()
        }
      let line = BashLine("nw \(raw)", breaks: Self.breaks)
      let replacement = try #require(line.replacement(for: word))
      #expect(line.current == String(typed), "\(seedNote(seed))")
      guard let tail = Self.tail(of: raw, quote) else { continue }
      words.append(word)
      // As readline does, which does not close the quote again.
      let end = quote.isEmpty || replacement.hasSuffix(quote.suffix(1)) ? "" : quote.suffix(1)
      script += "printf '%s\\n' \(tail)\(replacement)\(end)\n"
    }
    let folder = try TemporaryFolder(["script": script])
    #expect(
      try folder.shell("bash --norc script").split(separator: "\n").map(String.init) == words,
      "\(seedNote(seed))")
    #expect(words.count > 50)
  }

  /// Returns the part of a typed word that bash keeps. Nil if the word has a break outside of quotes,
  /// where bash and this test would need the same parser.
  private static func tail(of raw: String, _ quote: String) -> String? {
    quote == "'" && raw.dropFirst().contains("'") ? nil : quote
  }
}
