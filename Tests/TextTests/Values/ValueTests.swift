import Testing
import Values

@Suite struct ValueTests {
  @Test func `strings are equal by their bytes`() {
    #expect("caf\u{E9}" == "cafe\u{301}")
    #expect(Value.string("caf\u{E9}") != .string("cafe\u{301}"))
    #expect(Value.string("\r\n") != .string("\n"))
    #expect(Value.map(["caf\u{E9}": .null]) != .map(["cafe\u{301}": .null]))
  }

  @Test func `the order of keys does not matter for the equality of maps`() {
    let a = Value.map(["x": .bool(true), "y": .list([.null])])
    let b = Value.map(["y": .list([.null]), "x": .bool(true)])
    #expect(a == b)
    #expect(Set([a, b]).count == 1)
    #expect(Value.list([.null, .bool(true)]) != .list([.bool(true), .null]))
  }

  @Test func `a string that is a date becomes a date`() {
    #expect(Value(text: "2024-01-31") == .date(Timestamp("2024-01-31")!))  // a date that exists
    #expect(Value(text: "2024-01-32") == .string("2024-01-32"))
  }

  @Test func `the text of a value is what a person reads`() {
    #expect(Value.null.text.isEmpty)
    #expect(Value.bool(true).text == "true")
    #expect(Value.number(.double(1.5)).text == "1.5")
    #expect(Value(text: "2024-01-31").text == "2024-01-31")
    #expect(Value.map(["a": .list([.number(.integer(1)), .null])]).text == #"{"a":[1,null]}"#)
  }

  @Test func `a subscript returns the value of a key`() {
    let map = Value.map(["a": .bool(true)])
    #expect(map["a"] == .bool(true))
    #expect(map["b"] == nil)
    #expect(Value.null["a"] == nil)
  }
}
