import TestSupport
import Testing

@testable import Files

@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("a\nb\r\n\tc", #"a\nb\r\n\tc"#),
    ("\u{1B}[31mred\u{1B}[0m", #"\x1b[31mred\x1b[0m"#),
    ("bell\u{7} del\u{7F} nul\u{0}", #"bell\x07 del\x7f nul\x00"#),
    ("\u{9B}2J \u{85}", #"\x9b2J \x85"#),
    ("abc\u{202E}fed\u{2066}x\u{2069}", #"abc\u202efed\u2066x\u2069"#),
    ("\u{200E}\u{200F}\u{61C}", #"\u200e\u200f\u061c"#),
    ("a\u{2028}b\u{2029}", #"a\u2028b\u2029"#),
    (
      "\u{FEFF}bom \u{200B}zero \u{2060}joiner \u{AD}hyphen", #"\ufeffbom \u200bzero \u2060joiner \xadhyphen"#
    ),
    ("\u{E0041}tag \u{FFFE} \u{10FFFF}", #"\U000e0041tag \ufffe \U0010ffff"#),
    ("adm\u{200D}in", #"adm\u200din"#),
    (#"C:\new"#, #"C:\new"#),
    ("", ""),
  ])
  func `characters that can control a terminal are escaped`(raw: String, shown: String) {
    #expect(DisplayText.safe(raw) == shown)
    #expect(DisplayText.width(of: raw) == shown.count)
  }

  @Test(arguments: [
    "café", "cafe\u{301}", "日本語", "Zoë Åström", "שלום", "مرحبا", "नमस्ते", "क्‍ष", "می‌خواهم", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "👍🏽",
    "🇫🇷", "한국어", "e\u{FE00}",
  ])
  func `text in any script is not altered`(text: String) {
    #expect(Array(DisplayText.safe(text).unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test func `a mark without a base character is escaped`() {
    #expect(DisplayText.safe("\u{301}a") == #"\u0301a"#)
    #expect(DisplayText.safe("\n\u{301}a") == #"\n\u0301a"#)
  }

  @Test func `a Hangul vowel without a consonant is escaped`() {
    #expect(DisplayText.safe("a\u{1161}b") == #"a\u1161b"#)
    #expect(DisplayText.safe("\u{1100}\u{1161}") == "\u{1100}\u{1161}")
    #expect(DisplayText.width(of: "\u{1161}") == 6)
  }

  @Test func `the parts of a text are its characters and escapes with their widths`() {
    var parts: [String] = []
    DisplayText.forEachPart(of: "a日\ne\u{301}👍🏽") { scalars, columns in
      parts.append("\(String(scalars)) \(columns)")
      return true
    }
    #expect(parts == ["a 1", "日 2", #"\n 2"#, "e\u{301} 1", "👍🏽 2"])
  }

  @Test func `the parts of a text are read as far as asked for`() {
    var count = 0
    DisplayText.forEachPart(of: "a\u{0}\u{1}b") { _, _ in
      count += 1
      return count < 2
    }
    #expect(count == 2)
  }

  @Test func `a character with a thousand marks is cut like any text`() {
    let tower = "a" + String(repeating: "\u{301}", count: 1_000)
    #expect(DisplayText.width(of: tower, limit: 10) <= 10)
    #expect(DisplayText.safe(tower, limit: 10).utf8.count < 100)
    #expect(DisplayText.safe(tower).hasSuffix(#"\u0301\u0301"#))
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("abc", 1, "…"), ("a", 1, "a"), ("abc", 0, ""),
    ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
    ("👩‍👩‍👧‍👦👍", 3, "👩‍👩‍👧‍👦…"), ("cafe\u{301}s", 4, "caf…"), ("abc\u{301}", 3, "abc\u{301}"), ("ab\n", 3, "ab…"),
    ("a\nb", 4, #"a\nb"#),
  ])
  func `text is cut between characters, with room for the ellipsis`(raw: String, limit: Int, shown: String) {
    #expect(DisplayText.safe(raw, limit: limit) == shown)
    #expect(DisplayText.width(of: raw, limit: limit) <= limit)
    #expect(DisplayText.fits(raw, in: limit) == (raw == shown || DisplayText.safe(raw) == shown))
  }

  @Test func `a negative limit gives no text`() {
    #expect(DisplayText.safe("abc", limit: -7).isEmpty)
    #expect(DisplayText.safe("日", limit: -1).isEmpty)
    #expect(!DisplayText.fits("a", in: -1))
    #expect(DisplayText.fits("", in: -1))
  }

  @Test func `cutting a long text costs as much as the shown part`() {
    let long = String(repeating: "é", count: 1_000_000)
    #expect(DisplayText.safe(long, limit: 4) == "ééé…")
    #expect(DisplayText.width(of: long, limit: 4) == 4)
  }

  @Test func `spelled-out texts differ if their encodings differ`() {
    #expect(DisplayText.spelledOut("café") == #"caf\xe9"#)
    #expect(DisplayText.spelledOut("cafe\u{301}") == #"cafe\u0301"#)
  }

  @Test func `no text contains a control character or is wider than its limit`() {
    for seed in Randomness.seeds(2_000) {
      var random = SeededGenerator(seed: seed)
      let text = random.hostileText()
      let limit = 1 + random.below(20)
      let whole = DisplayText.safe(text)
      let cut = DisplayText.safe(text, limit: limit)
      #expect(TerminalSafety.offenders(in: whole).isEmpty, "\(seedNote(seed))")
      #expect(TerminalSafety.offenders(in: cut).isEmpty, "\(seedNote(seed))")
      #expect(DisplayText.width(of: text, limit: limit) <= limit, "\(seedNote(seed))")
      #expect(DisplayText.width(of: cut) <= limit, "\(seedNote(seed))")
      #expect(DisplayText.safe(whole) == whole, "safe text is not altered;  \(seedNote(seed))")
      #expect(
        DisplayText.fits(text, in: limit) == (DisplayText.width(of: text) <= limit), "\(seedNote(seed))")
      if DisplayText.width(of: text) <= limit { #expect(cut == whole, "\(seedNote(seed))") }
    }
  }

  @Test func `safe lines keep their line breaks`() {
    let lines = DisplayText.safeLines(Array("a\u{1B}\r\n\tb\n".utf8))
    #expect(String(decoding: lines, as: UTF8.self) == "a\\x1b\\r\n\\tb\n")
  }
}
