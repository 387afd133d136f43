import TestSupport
import Testing
import TextEdits
import Values

@Suite struct NumberPropertyTests {
  private static let formats: [(format: TextFormat, before: String, after: String)] = [
    (.yaml, "a: ", "  # b\nc: d\n"), (.yaml, "{a: ", ", c: [d]}\n"), (.yaml, "x: [", ", 2]\na: 1\n"),
    (.json, "{\"a\":", ",\"c\":1}"),
    (.markdown, "---\na: ", "\n---\ntext\n"),
  ]

  private func number(_ text: String, _ format: TextFormat = .yaml) throws -> Number {
    let value = try PackedValue(reading: format == .json ? text : "v: \(text)\n", as: format).value
    guard case .number(let number) = value["v"] ?? value else {
      throw TextError(line: 1, column: 1, message: "`\(text)` was not read as a number.")
    }
    return number
  }

  @Test func `a JSON number prints as written, from YAML and from JSON`() throws {
    for seed in Randomness.seeds(2_000) {
      var generator = SeededGenerator(seed: seed)
      let text = RandomNumber.json(using: &generator)
      let note = Comment(rawValue: "\(seedNote(seed)): \(text)")
      let number = try number(text)
      #expect(number.description == text, note)
      #expect(JSONWriter.text(of: .number(number)) == text, note)
      #expect(try self.number(text, .json) == number, note)
      #expect(Number(json: text) == number, note)
    }
  }

  @Test func `a number that only YAML has prints as a JSON number of its value`() throws {
    for seed in Randomness.seeds(500) {
      var generator = SeededGenerator(seed: seed)
      let text = RandomNumber.yamlOnly(using: &generator)
      let note = Comment(rawValue: "\(seedNote(seed)): \(text)")
      let printed = try number(text).description
      #expect(Number(json: text) == nil, note)
      #expect(try number(text) == number(printed, .json), note)
      #expect(Number(json: printed)?.description == printed, note)
    }
  }

  @Test func `packing and unpacking keeps each number`() throws {
    for seed in Randomness.seeds(1_000) {
      var generator = SeededGenerator(seed: seed)
      let text = RandomNumber.json(using: &generator)
      let value = Value.number(.literal(text))
      #expect(PackedValue(value).value == value, "\(seedNote(seed)): \(text)")
      #expect(PackedValue(value) == PackedValue(.number(try number(text))), "\(seedNote(seed)): \(text)")
    }
  }

  @Test func `both equalities, the hashes, the order and the sort keys agree`() throws {
    var sameValues = 0
    for seed in Randomness.seeds(3_000) {
      var generator = SeededGenerator(seed: seed)
      let texts = (0..<2).map { _ in RandomNumber.json(using: &generator) }
      let (a, b) = (try number(texts[0]), try number(texts[1]))
      let note = Comment(rawValue: "\(seedNote(seed)): \(texts)")
      #expect((a == b) == (texts[0] == texts[1]), note)
      if a == b { #expect(a.hashValue == b.hashValue, note) }
      let order = ValueOrder.compare(.number(a), .number(b))
      #expect(ValueOrder.compare(.number(b), .number(a)) == -order, note)
      #expect((order == 0) == a.hasSameValue(as: b), note)
      #expect((order == 0) == (a.canonical == b.canonical), note)
      #expect((order == 0) == (Value.number(a).canonical == Value.number(b).canonical), note)
      if order == 0 {
        #expect(Value.number(a).canonical.hashValue == Value.number(b).canonical.hashValue, note)
      }
      #expect(a.hasSameValue(as: a.canonical), note)
      #expect(a.canonical.canonical == a.canonical, note)
      #expect(key(a) < key(b) ? order < 0 : key(b) < key(a) ? order > 0 : order == 0, note)
      if order == 0 { sameValues += 1 }
    }
    #expect(sameValues > 0)
  }

  private func key(_ number: Number) -> SortKey {
    var builder = SortKeyBuilder()
    builder.append(.number(number))
    return builder.finish()
  }

  @Test func `setting a number writes its text, and nothing if that is there already`() throws {
    for seed in Randomness.seeds(500) {
      var generator = SeededGenerator(seed: seed)
      let (format, before, after) = generator.one(of: NumberPropertyTests.formats)
      let old =
        generator.oneIn(4) && format != .json
        ? RandomNumber.yamlOnly(using: &generator) : RandomNumber.json(using: &generator)
      let new = RandomNumber.json(using: &generator)
      let note = Comment(rawValue: "\(seedNote(seed)): \(before)\(old)\(after) to \(new)")
      let path: FieldPath = before.hasPrefix("x") ? "/x/0" : "a"
      let text = Array((before + old + after).utf8)
      let edited = try ItemText(text, as: format).applying([.set(path, .number(try number(new)))])
      let isSame = try number(old) == number(new)
      #expect(String(decoding: edited, as: UTF8.self) == before + (isSame ? old : new) + after, note)
      #expect(
        try ItemText(edited, as: format).applying([.set(path, .number(try number(new)))]) == edited, note)
    }
  }
}
