import TestSupport
import Testing
import TextEdits
import Values

@Suite struct YAMLReaderMergeTests {
  @Test func `the own keys of a map win at any position`() throws {
    #expect(try json("b: &b {x: 1, y: 2}\nm: {x: 0, <<: *b}") == #"{"b":{"x":1,"y":2},"m":{"x":0,"y":2}}"#)
    #expect(try json("b: &b {x: 1, y: 2}\nm: {<<: *b, x: 0}") == #"{"b":{"x":1,"y":2},"m":{"x":0,"y":2}}"#)
  }

  @Test func `the earlier map of a list wins`() throws {
    let bases = "a: &a {x: 1}\nb: &b {x: 2, y: 3}\n"
    #expect(try read(bases + "m: {<<: [*a, *b]}")["m"]?.text == #"{"x":1,"y":3}"#)
    #expect(try read(bases + "m: {<<: [*b, *a, {z: 1}]}")["m"]?.text == #"{"x":2,"y":3,"z":1}"#)
    #expect(try read(bases + "l: &l [*b, *a]\nm: {<<: *l}")["m"]?.text == #"{"x":2,"y":3}"#)
    #expect(try read("m: {<<: []}")["m"] == .map([:]))
  }

  @Test func `merged maps can contain merges and be written out`() throws {
    #expect(
      try read("a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nm: {<<: *b, z: 3}")["m"]?.text == #"{"z":3,"y":2,"x":1}"#)
    #expect(try read("m: {<<: {x: 1, <<: {x: 2, y: 3}}, z: 4}")["m"]?.text == #"{"z":4,"x":1,"y":3}"#)
    #expect(try read("<<: {x: 1}\ny: 2").text == #"{"y":2,"x":1}"#)
  }

  @Test func `anchors inside a merged map can be used`() throws {
    #expect(
      try json("m:\n  <<: &w {x: &x [1], y: 2}\n  z: *x\nn: *x\no: *w")
        == #"{"m":{"z":[1],"x":[1],"y":2},"n":[1],"o":{"x":[1],"y":2}}"#)
    #expect(
      try json("m: {<<: [{a: &a 1}, {b: &b {c: *a}}]}\nn: [*a, *b]")
        == #"{"m":{"a":1,"b":{"c":1}},"n":[1,{"c":1}]}"#)
    #expect(try json("m: {<<: {<<: {x: &x {y: 1}}}}\nn: *x") == #"{"m":{"x":{"y":1}},"n":{"y":1}}"#)
  }

  @Test(arguments: ["<<: 1", "<<: x", "<<:", "<<: [1]", "a: &a 1\n<<: *a", "<<: [{}, []]", "<<: '<<'"])
  func `only maps can be merged`(_ text: String) {
    #expect(failure(text)?.message.contains("must be a map or a list of maps") == true)
  }

  @Test func `a map can have only one merge key`() {
    #expect(
      failure("a: &a {}\nm:\n  <<: *a\n  <<: *a")?.description.hasPrefix("4:3: The key `<<` appears twice")
        == true)
  }

  @Test func `a map cannot be merged into itself`() {
    #expect(failure("m: &m {<<: *m}")?.message.contains("inside the value that it refers to") == true)
  }

  @Test func `a quoted merge key is an ordinary key`() throws {
    #expect(try json("'<<': {a: 1}") == #"{"<<":{"a":1}}"#)
    #expect(try json("!!merge <<: {a: 1}") == #"{"a":1}"#)
    #expect(try json("[<<]") == #"["<<"]"#)
  }

  @Test func `merges cannot expand beyond the limit`() {
    let keys = (0..<100).map { "k\($0): 1" }.joined(separator: ", ")
    let text = "b: &b {\(keys)}\n" + (0..<100).map { "m\($0): {<<: *b}\n" }.joined()
    #expect(failure(text) == nil)
    #expect(
      failure(text, limits: ReadLimits(expandedSize: 10_000))?.message.contains("merge keys add more than")
        == true)
    // Also if nothing is added, because each key has to be checked.
    let covered = "b: &b {\(keys)}\n" + (0..<100).map { "m\($0): {<<: *b, \(keys)}\n" }.joined()
    #expect(failure(covered, limits: ReadLimits(expandedSize: 10_000)) != nil)
  }

  @Test func `merged maps equal the maps written out`() throws {
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let (text, expected) = MergeSample.make(using: &generator)
      #expect(try read(text)["m"] == .map(expected), "\(seedNote(seed))\n\(text)")
    }
  }
}

/// Maps of a few keys that are merged in different ways, with the expected result.
private enum MergeSample {
  static func make(using generator: inout SeededGenerator) -> (text: String, expected: Fields) {
    var text = ""
    var bases: [Fields] = []
    for index in 0..<1 + generator.below(4) {
      bases.append(fields(using: &generator))
      text += "b\(index): &b\(index) \(Value.map(bases[index]).text)\n"
    }
    var own = fields(using: &generator)
    let picks = (0..<1 + generator.below(3)).map { _ in generator.below(bases.count) }
    let sources = picks.map { generator.oneIn(3) ? Value.map(bases[$0]).text : "*b\($0)" }
    let merge =
      "<<: "
      + (sources.count == 1 && generator.oneIn(2) ? sources[0] : "[\(sources.joined(separator: ", "))]")
    var entries = own.map { "\($0.key): \($0.value.text)" }
    entries.insert(merge, at: generator.below(entries.count + 1))
    text += "m: {\(entries.joined(separator: ", "))}\n"
    for pick in picks { for (key, value) in bases[pick] where own[key] == nil { own[key] = value } }
    return (text, own)
  }

  private static func fields(using generator: inout SeededGenerator) -> Fields {
    var fields = Fields()
    for _ in 0..<generator.below(6) {
      fields["k\(generator.below(30))"] = .number(.integer(generator.below(1_000)))
    }
    return fields
  }
}
