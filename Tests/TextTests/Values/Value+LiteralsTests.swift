import Testing
import Values

@Suite struct ValueLiteralsTests {
  @Test func `literals are the values that they are written as`() {
    let value: Value = [
      "name": "Ada", "born": 1815, "height": 1.65, "famous": true, "tags": ["new", -2], "none": .null,
    ]
    let fields: Fields = [
      "name": .string("Ada"), "born": .number(.integer(1815)), "height": .number(.double(1.65)),
      "famous": .bool(true),
      "tags": .list([.string("new"), .number(.integer(-2))]), "none": .null,
    ]
    #expect(value == .map(fields))
    #expect(
      value.text == #"{"name":"Ada","born":1815,"height":1.65,"famous":true,"tags":["new",-2],"none":null}"#)
  }

  @Test func `a literal that is an ISO 8601 date is a date`() {
    let date: Value = "2026-11-22"
    #expect(date == Value(text: "2026-11-22"))
    #expect(date != .string("2026-11-22"))
  }

  @Test func `number literals keep their value`() {
    let numbers: Value = [9_223_372_036_854_775_807, -9_223_372_036_854_775_808, 0.1, 1e300, 3.0]
    #expect(numbers.text == "[9223372036854775807,-9223372036854775808,0.1,1e+300,3.0]")
  }

  @Test func `of two equal keys the last value counts`() {
    let value: Value = ["a": 1, "b": 2, "a": 3]
    #expect(value.text == #"{"a":3,"b":2}"#)
  }
}
