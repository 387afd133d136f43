import Testing
import Values

@Suite struct CanonicalValueTests {
  private func number(_ text: String) throws -> Value { .number(try #require(Number(json: text))) }

  @Test func `values that differ only in how numbers are written are one key`() throws {
    let pairs: [(Value, Value)] = [
      (try number("3.1"), try number("3.10")), (.list([try number("1")]), .list([try number("1.0")])),
      (.map(["a": .list([try number("1e3")])]), .map(["a": .list([.number(.integer(1000))])])),
    ]
    for (a, b) in pairs {
      #expect(a != b)
      #expect(a.hasSameValue(as: b))
      #expect(a.canonical == b.canonical)
      #expect(a.canonical.hashValue == b.canonical.hashValue)
      #expect(ValueOrder.compare(a, b) == 0)
    }
  }

  @Test func `a number is not the string of its text`() throws {
    #expect(try number("3.10").canonical != Value.string("3.10").canonical)
    #expect(!(try number("3.10")).hasSameValue(as: .string("3.10")))
    #expect(!Value.number(.double(.infinity)).hasSameValue(as: .string(".inf")))
  }

  @Test func `ids use one text for each number`() throws {
    #expect(try number("3.10").idText == "3.1")
    #expect(try number("1.0").idText == "1")
    #expect(Value.list([try number("3.10"), .string("3.10")]).idText == #"[3.1,"3.10"]"#)
    #expect(Value.string("3.10").idText == "3.10")
    #expect(Value.number(.double(.infinity)).idText == ".inf")
  }
}
