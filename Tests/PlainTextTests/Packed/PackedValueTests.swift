import PlainText
import TestSupport
import Testing

@Suite struct PackedValueTests {
  @Test func `a packed value unpacks to the same value`() {
    for seed in Randomness.seeds(500) {
      var generator = SeededGenerator(seed: seed)
      let value = RandomValue.make(using: &generator)
      let packed = PackedValue(value)
      #expect(packed.value == value, "\(seedNote(seed))")
      guard case .map(let fields) = value else { continue }
      #expect(packed.isMap)
      for (key, field) in fields {
        #expect(packed.value(at: FieldPath(keys: [key])) == field, "\(seedNote(seed))")
      }
    }
  }

  @Test func `a path finds the same value, packed or not`() throws {
    let packed = try PackedValue(reading: "a: {b: [{c: 1}, {d: 2}, {c: [3]}]}\ne: x", as: .yaml)
    for path in ["a", "a.b", "a.b.c", "a.b.d", "e", "e.f", "x", "a.x", "a.b.c.d"] {
      let path = try #require(FieldPath(path))
      #expect(packed.value(at: path) == packed.value.value(at: path), "\(path)")
    }
  }

  @Test func `the texts of all scalars are visited in order`() throws {
    let packed = try PackedValue(reading: "{a: x, b: [1, 2.50, true, null, 2024-01-01], c: {d: 12345678901234567890}}", as: .yaml)
    var texts: [String] = []
    packed.forEachScalarText {
      texts.append(String(decoding: $0, as: UTF8.self))
      return true
    }
    #expect(texts == ["x", "1", "2.50", "true", "2024-01-01", "12345678901234567890"])
    var count = 0
    packed.forEachScalarText { _ in
      count += 1
      return count < 2
    }
    #expect(count == 2)
    var below: [String] = []
    packed.forEachScalarText(at: FieldPath(keys: ["c"])) {
      below.append(String(decoding: $0, as: UTF8.self))
      return true
    }
    #expect(below == ["12345678901234567890"])
  }
}
