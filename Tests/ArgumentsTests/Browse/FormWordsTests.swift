import Store
import TestSupport
import Testing
import Values

@testable import Browse
@testable import notes_watch

/// The words that a form makes are read by the parser of `set` as they are meant.
struct FormWordsTests {
  private func fields(_ words: [String], from fields: Fields = [:]) throws -> Fields {
    try fields.applying(try [Assignment](words: words).resolved(ReadLimits()).edits(of: fields))
  }

  @Test(arguments: Randomness.seeds(300))
  func `any text of a field of strings arrives as it was typed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "=", "@", ":", "+", "-", "`", ".", "[", "]", "/", " ", "\\", "é", "0", "\"", "@id"]
    let key = (0...random.below(5)).map { _ in random.one(of: pieces) }.joined()
    let text =
      random.oneIn(2)
      ? random.hostileText()
      : random.one(of: ["1984", "true", "null", "02110", " x ", "[1]", "{}", "\"", "=1"])
    guard FieldPath(keys: [key]).isWritable, !key.hasPrefix("@") else { return }
    let words = FieldWord.words(FieldPath(keys: [key]), text, kind: .string, elementKind: nil)
    let result = try fields(words)
    #expect(result[key]?.text == text, "\(key.debugDescription), \(words); \(seedNote(seed))")
    #expect(result.count == 1, "\(words); \(seedNote(seed))")
  }

  @Test func `a list replaces the one of the defaults`() throws {
    let words = FieldWord.words("tags", "a, 7, b c", kind: .list, elementKind: .string)
    #expect(try fields(words, from: ["tags": ["old"]])["tags"] == ["a", "7", "b c"])
    #expect(try fields(FieldWord.words("tags", "[1, 2]", kind: .list, elementKind: nil))["tags"] == [1, 2])
  }

  @Test func `the words of a line are those of a shell`() throws {
    let line = LineWords(Array(#"rating=9 name="Ada Lovelace" tags:=["a b", 1] `x y`=z"#))
    #expect(
      try fields(line.words.map(\.text)) == [
        "rating": 9, "name": "Ada Lovelace", "tags": ["a b", 1], "x y": "z",
      ])
  }
}
