import Testing
import Values

@Suite struct YAMLReaderTests {
  @Test(arguments: [
    ("", "null"), ("# nothing\n", "null"), ("---\n", "null"), ("---\n...\n", "null"), ("~", "null"),
    ("hi", #""hi""#), ("[]", "[]"),
    ("{}", "{}"),
    ("a:\n- 1\n- 2\nb: {c: d}", #"{"a":[1,2],"b":{"c":"d"}}"#), ("[a: 1, b]", #"[{"a":1},"b"]"#),
    ("a:\nb:\n", #"{"a":null,"b":null}"#),
    ("? a\n? b\n: 1", #"{"a":null,"b":1}"#), ("%YAML 1.2\n---\na: 1\n...\n# end\n", #"{"a":1}"#),
    ("--- {a: 1}\n...\n...\n", #"{"a":1}"#),
    ("a: 'no'\nb: no\nc: |\n  12\nd: >-\n  true\n", #"{"a":"no","b":"no","c":"12\n","d":"true"}"#),
    ("a: \"\\U0001F600\\x41\\0\"", #"{"a":"😀A\u0000"}"#),
    ("a: b # c\nd: 'it''s'", #"{"a":"b","d":"it's"}"#), ("a: 1\r\nb: 2\r\n", #"{"a":1,"b":2}"#),
    ("a: x\n  y\n\n  z", #"{"a":"x y\nz"}"#),
    ("d: 2024-01-31\ne: '2024-01-31'", #"{"d":"2024-01-31","e":"2024-01-31"}"#), ("\"a\": 1", #"{"a":1}"#),
  ])
  func `a YAML text has its values`(_ text: String, _ expected: String) throws {
    #expect(try json(text) == expected)
  }

  @Test func `dates are dates with and without quotes`() throws {
    let value = try read("a: 2024-01-31\nb: '2024-01-31'\nc: !!str 2024-01-31")
    for key in ["a", "b", "c"] { #expect(value[key] == Value(text: "2024-01-31")) }
    guard case .date = value["a"] else { return #expect(Bool(false), "a should be a date") }
  }

  @Test func `an anchor name can be used again`() throws {
    #expect(
      try json("a: &x [1, {b: 2}]\nc: *x\nd: [*x, *x]")
        == #"{"a":[1,{"b":2}],"c":[1,{"b":2}],"d":[[1,{"b":2}],[1,{"b":2}]]}"#)
    #expect(try json("a: &x 1\nb: *x\nc: &x 2\nd: *x") == #"{"a":1,"b":1,"c":2,"d":2}"#)
    #expect(try json("a: &x\nb: *x") == #"{"a":null,"b":null}"#)
    #expect(try json("- &x {a: &y [1]}\n- *y\n- *x") == #"[{"a":[1]},[1],{"a":[1]}]"#)
  }

  @Test func `an alias without a complete anchor is a problem`() {
    #expect(place("a: 1\nb: *x") == "2:4")
    #expect(place("a: *x\nb: &x 1") == "1:4")
    #expect(
      failure("a: &x [1, *x]")?.description.hasPrefix(
        "1:11: This alias is inside the value that it refers to") == true)
    #expect(place("a: &x {b: &y {c: [*x]}}") == "1:19")
    #expect(place("&x *x: 1") != "")
  }

  @Test func `aliases cannot expand beyond the limit`() {
    let levels = (1..<30).map {
      "l\($0): &l\($0) [\(Array(repeating: "*l\($0 - 1)", count: 10).joined(separator: ", "))]\n"
    }
    #expect(failure("l0: &l0 [x, x]\n" + levels.joined())?.message.contains("add more than") == true)
    let limits = ReadLimits(expandedSize: 3)
    #expect(failure("a: &a 'b'\nc: *a", limits: limits) == nil)
    #expect(place("a: &a 'b'\nc: *a\nd: *a", limits: limits) == "3:4")
  }

  @Test func `aliases cannot nest beyond the limit`() {
    let deep = (1...9).map {
      "l\($0): &l\($0) \(String(repeating: "[", count: 200))*l\($0 - 1)\(String(repeating: "]", count: 200))\n"
    }
    #expect(failure("l0: &l0 x\n" + deep[..<4].joined()) == nil)
    #expect(failure("l0: &l0 x\n" + deep.joined())?.message.contains("deeper than 1000 levels") == true)
  }

  @Test func `a second document is a problem`() {
    #expect(place("a: 1\n---\nb: 2\n") == "2:1")
    #expect(place("a: 1\n...\n---\nb: 2\n") == "3:1")
    #expect(place("a: 1\n...\nb: 2\n") == "3:1")
    #expect(place("é: 1\n...\n%YAML 1.2\n---\nb: 2\n") == "3:1")
    #expect(failure("---\na: 1\n---\n")?.message.contains("second document") == true)
  }

  @Test func `many keys and anchors are read in linear time`() throws {
    let count = 100_000
    let value = try read((0..<count).map { "k\($0): &a\($0) \($0)\n" }.joined() + "last: *a\(count - 1)")
    #expect(value["last"] == .number(.integer(count - 1)))
    #expect(place((0..<count).map { "k\($0): 1\n" }.joined() + "k77: 2\n") == "\(count + 1):1")
  }
}
