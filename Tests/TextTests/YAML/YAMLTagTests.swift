import Testing
import Values

@Suite struct YAMLTagTests {
  @Test(arguments: [
    ("!!str 12", #""12""#), ("!!str", #""""#), ("!!str null", #""null""#), ("!!int '12'", "12"),
    ("!!int 0x1F", "31"),
    ("!!int 12345678901234567890", "12345678901234567890"), ("!!float 1", "1"), ("!!float 3.10", "3.10"),
    ("!!float .5", "0.5"),
    ("!!float 1e400", "1e400"), ("!!int -0", "-0"), ("!!float '1.5'", "1.5"), ("!!bool 'true'", "true"),
    ("!!null ''", "null"),
    ("!!null ~", "null"), ("!!timestamp 2024-01-31", #""2024-01-31""#), ("!!binary aGk=", #""aGk=""#),
    ("!!seq [1]", "[1]"),
    ("!!map {a: 1}", #"{"a":1}"#),
    ("!!set {a, b}", #"{"a":null,"b":null}"#), ("!!omap [{a: 1}, {b: 2}]", #"[{"a":1},{"b":2}]"#),
    ("!<tag:yaml.org,2002:str> 12", #""12""#),
  ])
  func `core tags set the type of a value`(_ text: String, _ expected: String) throws {
    #expect(try json("v: " + text) == "{\"v\":\(expected)}")
  }

  @Test(arguments: [
    "!!int abc", "!!int 1.5", "!!int 1.50", "!!int 1e3", "!!int ''", "!!int 0x10000000000000000", "!!float x",
    "!!bool yes", "!!null x",
    "!!timestamp soon",
    "!!seq {a: 1}", "!!map [a]",
    "!!str [a]", "!!int {a: 1}",
  ])
  func `a tag that does not fit the value is a problem`(_ text: String) {
    #expect(failure("a: 1\nv: " + text)?.description.hasPrefix("2:4: The tag does not fit") == true)
  }

  @Test(arguments: [
    ("!color red", #""red""#), ("!color 12", "12"), ("!color '12'", #""12""#),
    ("!!python/object/apply:os.system ['touch x']", #"["touch x"]"#),
    ("!!python/name:os.system x", #""x""#), ("!ruby/object:Gem {a: 1}", #"{"a":1}"#),
    ("!!unknown null", "null"),
  ])
  func `other tags are ignored`(_ text: String, _ expected: String) throws {
    #expect(try json("v: " + text) == "{\"v\":\(expected)}")
  }

  @Test func `a tag prefix must be declared`() throws {
    #expect(try json("%TAG !y! tag:yaml.org,2002:\n---\nv: !y!str 12") == #"{"v":"12"}"#)
    #expect(place("v: !y!str 12") == "1:4")
  }
}
