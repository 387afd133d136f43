import TestSupport
import Testing
import Values

@Suite struct FieldsTests {
  @Test func `keys keep their positions`() {
    var fields: Fields = ["b": .null, "a": .null]
    fields["c"] = .bool(true)
    fields["b"] = .bool(false)
    #expect(Array(fields.keys) == ["b", "a", "c"])
    #expect(fields["b"] == .bool(false))
    fields["a"] = nil
    fields["missing"] = nil
    #expect(Array(fields.keys) == ["b", "c"])
  }

  @Test func `keys that look alike are different keys`() {
    var fields = Fields()
    fields["caf\u{E9}"] = .bool(true)
    fields["cafe\u{301}"] = .bool(false)
    #expect(fields.count == 2)
    #expect(fields["caf\u{E9}"] == .bool(true))
  }

  @Test func `fields are equal in any order`() {
    let a: Fields = ["x": .null, "y": .bool(true)]
    let b: Fields = ["y": .bool(true), "x": .null]
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
    #expect(a != ["x": .null])
    #expect(a != ["x": .null, "y": .null])
  }

  @Test func `the last value of a repeated key in a literal wins`() {
    let fields: Fields = ["a": .bool(false), "a": .bool(true)]
    #expect(fields.count == 1)
    #expect(fields["a"] == .bool(true))
  }

  @Test(arguments: Randomness.seeds(2))
  func `merging fields is the same as setting them one after the other`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      func fields() -> Fields {
        var fields = Fields()
        for _ in 0..<random.below(8) { fields["k\(random.below(8))"] = .number(.integer(random.below(100))) }
        return fields
      }
      let (a, b) = (fields(), fields())
      var expected = a
      for (key, value) in b { expected[key] = value }
      let merged = a.merging(b)
      #expect(Array(merged.keys) == Array(expected.keys), "\(seedNote(seed))")
      #expect(merged == expected, "\(seedNote(seed))")
    }
  }
}
