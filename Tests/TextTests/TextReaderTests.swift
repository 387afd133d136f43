import TestSupport
import Testing
import Values

@Suite struct TextReaderTests {
  @Test(arguments: [
    ("", "1:1", "contains no value"), ("# c\n", "1:1", "contains no value"),
    ("---\n", "1:1", "contains no value"),
    ("\n\n- a", "3:1", "contains a list"), ("text", "1:1", "a single value"),
    ("# c\n~", "2:1", "a single value"), ("''", "1:1", "a single value"),
    ("a: 1\n---\nb: 2", "2:1", "second document"),
  ])
  func `the root of a YAML item must be a map`(_ text: String, _ place: String, _ part: String) {
    let error = itemFailure(text)
    #expect(error.map { "\($0.line):\($0.column)" } == place)
    #expect(error?.message.contains(part) == true, "\(error?.description ?? "read")")
  }

  @Test(arguments: [
    ("", "1:1", "contains no value"), ("\n [1]", "2:2", "contains a list"), ("null", "1:1", "a single value"),
    ("\"a\"", "1:1", "a single value"),
  ])
  func `the root of a JSON item must be a map`(_ text: String, _ place: String, _ part: String) {
    let error = itemFailure(text, as: .json)
    #expect(error.map { "\($0.line):\($0.column)" } == place)
    #expect(error?.message.contains(part) == true, "\(error?.description ?? "read")")
  }

  @Test func `an item of each format is read`() throws {
    #expect(try readItem("a: 1").text == #"{"a":1}"#)
    #expect(try readItem("{}").text == "{}")
    #expect(try readItem("{\"a\": 1}", as: .json).text == #"{"a":1}"#)
    #expect(try readItem("x", as: .markdown).text == #"{"body":"x"}"#)
  }

  @Test func `a reader that is used again reads like a new one`() throws {
    var reader = TextReader()
    for seed in Randomness.seeds(50) {
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<20 {
        let (text, format) = generator.one(of: NastyTexts.all)
        let bytes = NastyTexts.mutated(text, using: &generator)
        let fresh = Result { try PackedValue(reading: bytes, as: format) }
        let again = Result { try bytes.withUnsafeBytes { try reader.read($0, as: format) } }
        #expect((try? fresh.get()) == (try? again.get()), "\(seedNote(seed))")
      }
    }
  }

  /// Random bytes must give a value or an error with a place in the text.
  @Test func `any bytes give a value or an error with a place`() {
    for seed in Randomness.seeds(20_000) {
      var generator = SeededGenerator(seed: seed)
      let (text, format) = generator.one(of: NastyTexts.all)
      let bytes = NastyTexts.mutated(text, using: &generator)
      let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
      do {
        let packed = try PackedValue(reading: bytes, as: format)
        check(packed, format, seed)
        let located = try LocatedText(reading: bytes, as: format)
        #expect(located.root.map { $0.range.upperBound <= bytes.count } ?? true, "\(seedNote(seed))")
      } catch {
        #expect((1...lines).contains(error.line), "\(error) \(seedNote(seed))")
        #expect((1...bytes.count + 1).contains(error.column), "\(error) \(seedNote(seed))")
        #expect(error.message.hasSuffix("."), "\(error)")
      }
    }
  }

  private func check(_ packed: PackedValue, _ format: TextFormat, _ seed: UInt64) {
    let value = packed.value
    #expect(PackedValue(value) == packed, "\(seedNote(seed))")
    #expect(
      (try? read(JSONWriter.text(of: value), as: .json)).map { $0 == value || hasNoJSONForm(value) } == true,
      "\(seedNote(seed))")
  }

  private func hasNoJSONForm(_ value: Value) -> Bool {
    switch value {
    case .number(.double(let number)): !number.isFinite
    case .list(let elements): elements.contains { hasNoJSONForm($0) }
    case .map(let fields): fields.contains { hasNoJSONForm($0.value) }
    default: false
    }
  }

  @Test func `a large text is read whose packed form is much larger`() throws {
    let lists = Array(repeating: "[]", count: 30_000).joined(separator: ",")
    let values = Value.list(Array(repeating: .list([]), count: 30_000))
    #expect(try read("{\"a\": [\(lists)], \"b\": 1}", as: .json)["a"] == values)
    #expect(try read("a: [\(lists)]") == .map(["a": values]))
    #expect(place("{\"a\": [\(lists)],\n\"a\": 1}", as: .json) == "2:1")
  }
}
