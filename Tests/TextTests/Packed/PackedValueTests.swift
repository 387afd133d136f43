import TestSupport
import Testing
import TextEdits
import Values

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
      let path = try FieldPath(parsing: path)
      #expect(packed.value(at: path) == packed.value.value(at: path), "\(path)")
    }
  }

  @Test func `the beginning of a value has at most as many bytes as the limit, and complete characters`()
    throws
  {
    let packed = PackedValue([
      "a": "äöü€𝄞xyz", "n": 1234567, "l": ["ab", "cd", "ef"], "m": ["key": "value", "next": "x"],
      "s": [["t": "uvw"], ["t": "xyz"]],
    ])
    let cuts = (0...17).map { packed.value(at: "a", limit: $0)?.text ?? "" }
    #expect(cuts[..<4] == ["", "", "ä", "ä"])
    #expect(cuts[8..<14] == ["äöü", "äöü€", "äöü€", "äöü€", "äöü€", "äöü€𝄞"])
    #expect(cuts[16...] == ["äöü€𝄞xyz", "äöü€𝄞xyz"])
    #expect(packed.value(at: "n", limit: 1) == 1234567)
    #expect(packed.value(at: "l", limit: 5) == ["ab", "c"])
    #expect(packed.value(at: "l.@count", limit: 1) == 3)
    #expect(packed.value(at: "l[LAST]", limit: 1) == "ef")
    #expect(packed.value(at: "m", limit: 6) == ["key": "va"])
    #expect(packed.value(at: "s.t", limit: 5) == ["uvw", ""])
    #expect(packed.fields(limit: 1)["a"] == "")
    #expect(packed.fields(limit: 3)["l"] == ["ab"])
    #expect(packed.value(at: "a", limit: -1) == "")
  }

  @Test func `an element without the key takes no room in the beginning of a value`() {
    let packed = PackedValue([
      "s": .list(Array(repeating: ["other": 1], count: 50) + [["t": "x"], ["t": "y"]])
    ])
    #expect(packed.value(at: "s.t", limit: 3) == ["x", ""])
    #expect(packed.value(at: "s.t", limit: 4) == ["x", "y"])
  }

  @Test func `the beginning of a short value is the value`() {
    for seed in Randomness.seeds(100) {
      var generator = SeededGenerator(seed: seed)
      let value = RandomValue.make(using: &generator)
      let packed = PackedValue(value)
      guard case .map(let fields) = value else { continue }
      #expect(packed.fields(limit: 1_000_000) == fields, "\(seedNote(seed))")
      for (key, field) in fields {
        let cut = packed.value(at: FieldPath(keys: [key]), limit: 5)
        #expect(cut != nil, "\(seedNote(seed))")
        if field.text.utf8.count <= 5 { #expect(cut == field, "\(seedNote(seed))") }
        #expect(packed.value(at: FieldPath(keys: [key]), limit: 1_000_000) == field, "\(seedNote(seed))")
      }
    }
  }

  @Test func `the texts of all scalars are visited in order`() throws {
    let packed = try PackedValue(
      reading: "{a: x, b: [1, 2.50, true, null, 2024-01-01], c: {d: 12345678901234567890}}", as: .yaml)
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
  }
}
