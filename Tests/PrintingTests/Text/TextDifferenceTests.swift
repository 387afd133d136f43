import SampleLists
import Files
import TestSupport
import Testing
import Values

@testable import Printing

@Suite struct TextDifferenceTests {
  private func shown(_ old: Value, _ new: Value, limit: Int = 24) -> String {
    let difference = old.difference(to: new, limit: limit)
    return
      "\(DisplayText.safe(difference.old, limit: limit)) → \(DisplayText.safe(difference.new, limit: limit))"
  }

  @Test func `short values are complete`() {
    #expect(shown(.int(8), .int(9)) == "8 → 9")
    #expect(shown(.string("friends"), .string("family")) == "friends → family")
    #expect(shown(.null, .bool(true)) == "null → true")
    #expect(shown(.list([.int(1)]), .list([.int(1), .int(2)])) == "[1] → [1,2]")
  }

  @Test func `an invisible value is quoted`() {
    #expect(shown(.string(""), .string("a ")) == #""" → "a ""#)
    #expect(shown(.string(" "), .string("a\n")) == #"" " → a\n"#)
  }

  @Test func `values that look the same are distinguished`() {
    #expect(shown(.string("8"), .int(8)) == #""8" → 8"#)
    #expect(shown(.string("café"), .string("cafe\u{301}")) == #"caf\xe9 → cafe\u0301"#)
  }

  @Test func `a long text is shown around the difference`() {
    let old = "It is a truth universally acknowledged, that a single man in possession of a good fortune"
    let new = "It is a truth universally acknowledged, that a married man in possession of a good fortune"
    #expect(shown(.string(old), .string(new)) == "…that a single man in… → …that a married man in…")
  }

  @Test func `a line added at the end is shown with the end of the old text`() {
    let old = String(repeating: "A line.\n", count: 1_000)
    #expect(shown(.string(old), .string(old + "One more.\n")) == #"…line.\n → …line.\nOne more.\n"#)
  }

  @Test func `a text that changed completely is shown from its start`() {
    let difference = shown(
      .string(String(repeating: "a", count: 50)), .string(String(repeating: "b", count: 50)), limit: 10)
    #expect(difference == "aaaaaaaaa… → bbbbbbbbb…")
  }

  @Test func `no character is cut`() {
    let tail = String(repeating: "y", count: 40)
    #expect(
      shown(.string("xxxxxxxxxxxxxé" + tail), .string("xxxxxxxxxxxxxè" + tail), limit: 16)
        == "…xxxxxxéyyyyyy… → …xxxxxxèyyyyyy…")
    let joined = shown(
      .string(String(repeating: "e\u{301}", count: 30) + "1" + tail),
      .string(String(repeating: "e\u{301}", count: 30) + "2" + tail))
    #expect(!joined.contains(#"\u"#))
  }

  @Test func `both sides are safe to show and differ`() {
    for seed in Randomness.seeds(500) {
      var random = SeededGenerator(seed: seed)
      let (old, new) = (
        random.hostileText() + random.hostileText(), random.hostileText() + random.hostileText()
      )
      let limit = 4 + random.below(30)
      let difference = Value.string(old).difference(to: .string(new), limit: limit)
      #expect(
        old.utf8.elementsEqual(new.utf8) || !difference.old.utf8.elementsEqual(difference.new.utf8),
        "\(seedNote(seed))")
      #expect(
        TerminalSafety.offenders(in: shown(.string(old), .string(new), limit: limit)).isEmpty,
        "\(seedNote(seed))")
    }
  }
}
