import Testing
import Values

@Suite struct YAMLReaderKeysTests {
  @Test(arguments: [
    ("1: x", "1"), ("1.50: x", "1.50"), ("0x1F: x", "0x1F"), ("true: x", "true"), ("~: x", "~"),
    ("null: x", "null"), ("? \n: x", ""),
    ("2024-01-31: x", "2024-01-31"),
    ("'a b': x", "a b"), ("\"\\u00e9\": x", "é"), ("!!int 5: x", "5"), ("? |\n  block\n: x", "block\n"),
    ("[]: x", nil), ("{a: 1}: x", nil),
    ("? [a]\n: x", nil),
    ("? - a\n: x", nil), ("'<<': x", "<<"), ("!!str <<: x", "<<"),
  ])
  func `a key is its text as written`(_ text: String, _ key: String?) {
    #expect((try? read(text)) == key.map { .map([$0: .string("x")]) })
  }

  @Test(arguments: [
    "a: 1\nb: 2\na: 3", "{a: 1, b: 2,\na: 3}", "1: x\n# c\n'1': y", "~: x\n\n'~': y",
    "true: x\n\n\"true\": y",
    "é: 1\nb: 2\n\"\\u00e9\": 3",
  ])
  func `equal keys are a problem`(_ text: String) {
    let error = failure(text)
    #expect(error?.message.contains("appears twice") == true)
    #expect(error?.message.contains("first at line 1, column \(text.hasPrefix("{") ? 2 : 1)") == true)
  }

  @Test func `the error for equal keys names the key and both places`() {
    #expect(
      failure("x:\n  a: 1\n  b: 2\n  a: 3")?.description
        == "4:3: The key `a` appears twice in one map, first at line 2, column 3. Keep one of them.")
  }

  @Test func `keys that look alike are different keys`() throws {
    #expect(
      try read("caf\u{E9}: 1\ncafe\u{301}: 2")
        == .map(["caf\u{E9}": .number(.integer(1)), "cafe\u{301}": .number(.integer(2))]))
    #expect(try json("{a: {b: 1}, c: {b: 2, a: 3}}") == #"{"a":{"b":1},"c":{"b":2,"a":3}}"#)
  }

  @Test func `keys can have anchors, and aliases can be keys`() throws {
    #expect(place("&k 007: a\nb: *k\n*k : c") == "3:1")
    #expect(try json("x: {&k 007: a}\nb: *k\n*k : c") == #"{"x":{"007":"a"},"b":7,"007":"c"}"#)
    #expect(try json("a: &v text\n*v : 1") == #"{"a":"text","text":1}"#)
    #expect(place("a: &v [1]\n*v : 1") == "2:1")
  }

  @Test func `front matter cannot have a key for the body`() {
    #expect(failure("---\na: 1\nbody: x\n---\n", as: .markdown)?.description.hasPrefix("3:1: ") == true)
    #expect(failure("---\na: {body: x}\n---\n", as: .markdown) == nil)
    #expect(failure("---\na: &a {body: x}\n<<: *a\n---\n", as: .markdown)?.line == 3)
    #expect(failure("body: x", as: .yaml) == nil)
  }
}
