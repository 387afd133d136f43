import TestSupport
import Testing
import TextEdits
import Values

@Suite struct TextEditDifferenceTests {
  private func edits(_ old: Value, _ new: Value) -> [TextEdit] {
    TextEdit.edits(from: old.mapped ?? [:], to: new.mapped ?? [:])
  }

  @Test func `the edits turn one item into the other`() throws {
    for seed in Randomness.seeds(500) {
      var generator = SeededGenerator(seed: seed)
      let old = RandomSides.map(&generator)
      let new = RandomSides.changed(old, &generator)
      let text = Array(JSONWriter.text(of: old).utf8)
      let result = try ItemText(text, as: .json).applying(edits(old, new))
      #expect(
        try PackedValue(reading: result, as: .json).value == new,
        "\(seedNote(seed))\n\(old.text)\n\(new.text)\n\(edits(old, new))\n\(String(decoding: result, as: UTF8.self))"
      )
    }
  }

  @Test func `the edits contain only what changed`() {
    let old: Value = ["a": 1, "m": ["x": 1, "z": 2], "l": [1, 2, 3, 4]]
    let new: Value = ["a": 1, "m": ["x": 5, "w": 2], "l": [2, 3, 9, 4]]
    #expect(
      edits(old, new)
        == [.set("m.x", 5), .insert("m.w", 2), .remove("m.z"), .insert("l.3", 9), .remove("l.0")])
  }

  @Test func `a changed element is paired with the new one that shares most fields`() {
    let old: Value = ["l": [["n": "a", "v": 1], ["n": "b", "v": 2]]]
    let new: Value = ["l": [["n": "b", "v": 3]]]
    #expect(edits(old, new) == [.set("l.1.v", 3), .remove("l.0")])
  }

  @Test func `a long list whose elements were edited or removed keeps its comments`() throws {
    let text = "l:\n" + (0..<300).map { "- n: n\($0)  # note \($0)\n  h: 0x1F\n  v: \($0)\n" }.joined()
    let item = ItemText(Array(text.utf8), as: .yaml)
    let old = try #require(PackedValue(reading: Array(text.utf8), as: .yaml).value.fields)
    let elements: [Value] = if case .list(let elements)? = old["l"] { elements } else { [] }
    let edited = elements.map { element -> Value in
      var fields = element.fields ?? [:]
      fields["v"] = .number(.integer(0))
      return .map(fields)
    }
    let changed = try item.applying(TextEdit.edits(from: old, to: ["l": .list(edited)]))
    #expect(String(decoding: changed, as: UTF8.self) == text.replacing(/v: \d+/, with: "v: 0"))
    let half = elements.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    let shortened = String(
      decoding: try item.applying(TextEdit.edits(from: old, to: ["l": .list(half)])), as: UTF8.self)
    #expect(shortened.matches(of: /# note/).count == 150)
    #expect(shortened.matches(of: /0x1F/).count == 150)
  }

  @Test func `elements that moved are put in order, and then changed`() {
    let old: Value = ["l": [1, 2, 3, ["n": "b", "v": 2]]]
    let new: Value = ["l": [["n": "b", "v": 3], 3, 2]]
    #expect(edits(old, new) == [.remove("l.0"), .set("l", [["n": "b", "v": 2], 3, 2]), .set("l.0.v", 3)])
  }

  @Test func `any number of changed elements keep their comments`() throws {
    let text =
      "l:\n" + (0..<3_000).map { "- \($0)  # note \($0)\n" }.joined() + "m:\n"
      + (0..<1_500).map { "- {a: \($0)}\n" }.joined()
    let item = ItemText(Array(text.utf8), as: .yaml)
    let old = try #require(item.fields.get().value.fields)
    let numbers = Value.list((0..<3_000).map { .number(.integer(-$0 - 1)) })
    let maps = Value.list((0..<1_500).map { ["a": .number(.integer($0)), "b": 1] })
    let changed = try item.applying(TextEdit.edits(from: old, to: ["l": numbers, "m": maps]))
    let wanted = text.replacing(/- (\d+)/) { "- \(-(Int($0.1) ?? 0) - 1)" }.replacing(/(a: \d+)/) {
      "\($0.1), b: 1"
    }
    #expect(String(decoding: changed, as: UTF8.self) == wanted)
  }

  @Test func `a list is set as a whole if its new elements would cost too many passes`() {
    func numbers(_ range: Range<Int>) -> Value { .list(range.map { .number(.integer($0)) }) }
    func isWhole(_ old: Value, _ new: Value) -> Bool {
      edits(old, new) == [.set("l", new.mapped?["l"] ?? .null)]
    }
    #expect(!isWhole(["l": numbers(0..<10)], ["l": numbers(0..<1_010)]))
    #expect(isWhole(["l": numbers(0..<10)], ["l": numbers(0..<1_011)]))
    // Each pass reads all values of the item.
    let other = numbers(0..<1_000_000)
    #expect(!isWhole(["l": numbers(0..<10), "other": other], ["l": numbers(0..<19), "other": other]))
    #expect(isWhole(["l": numbers(0..<10), "other": other], ["l": numbers(0..<20), "other": other]))
  }
}
