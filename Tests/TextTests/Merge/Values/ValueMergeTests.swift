import TestSupport
import Testing
import TextEdits
import Values

@Suite struct ValueMergeTests {
  private func merge(
    _ base: Value, _ ours: Value, _ theirs: Value, _ rules: [FieldPath: MergeRules.Rule] = [:]
  ) -> String {
    var all = MergeRules()
    for (path, rule) in rules { all[path] = rule }
    let merge = ValueMerge(base: base, ours: ours, theirs: theirs, rules: all)
    let conflicts = merge.conflicts.map { " !" + $0.keys.joined(separator: ".") }.joined()
    return (merge.value.map(JSONWriter.text(of:)) ?? "nothing") + conflicts
  }

  @Test func `fields are merged by key`() {
    #expect(merge(["a": 1, "b": 2], ["a": 3, "b": 2], ["a": 1, "b": 4]) == #"{"a":3,"b":4}"#)
    #expect(merge(["a": 1], ["a": 1, "b": 2], ["c": 3, "a": 1]) == #"{"a":1,"b":2,"c":3}"#)
    #expect(merge(["a": 1, "b": 2], ["b": 2], ["a": 1]) == "{}")
    #expect(merge(["a": 1], ["a": 2], ["a": 3]) == #"{"a":2} !a"#)
    #expect(merge(["a": 1], ["b": 2], ["a": 3]) == #"{"b":2} !a"#)
    #expect(merge(["a": 1], ["a": 3], ["b": 2]) == #"{"a":3,"b":2} !a"#)
    #expect(merge([:], ["a": 1], ["a": 2]) == #"{"a":1} !a"#)
    #expect(
      merge(["m": ["a": 1, "b": 1]], ["m": ["a": 2, "b": 1]], ["m": ["a": 1, "b": 2]])
        == #"{"m":{"a":2,"b":2}}"#)
    #expect(merge(["m": 1], ["m": ["a": 1]], ["m": ["b": 1]]) == #"{"m":{"a":1,"b":1}}"#)
    #expect(merge(["m": ["a": 1]], ["m": ["a": 2]], ["m": 5]) == #"{"m":{"a":2}} !m"#)
  }

  @Test func `rules decide values that both sides changed`() {
    #expect(merge(["a": 1], ["a": 2], ["a": 3], ["a": .max]) == #"{"a":3}"#)
    #expect(merge(["a": 1], ["a": 2], ["a": 3], ["a": .min]) == #"{"a":2}"#)
    #expect(merge(["a": 9], ["a": 2], ["a": 9], ["a": .max]) == #"{"a":2}"#)
    #expect(merge(["a": 1], ["a": 2], ["a": "x"], ["a": .max]) == #"{"a":2} !a"#)
    #expect(merge(["a": 1], ["a": 2], ["a": 3], ["a": .ours]) == #"{"a":2}"#)
    #expect(merge(["a": 1], ["a": 2], ["a": 3], ["a": .theirs]) == #"{"a":3}"#)
    #expect(merge(["a": 1], ["a": 2], [:], ["a": .theirs]) == "{}")
    #expect(
      merge(["a": "2024-01-01"], ["a": "2024-02-01"], ["a": "2024-03-01"], ["a": .max])
        == #"{"a":"2024-03-01"}"#)
    #expect(merge(["t": [1, 2]], ["t": [2]], ["t": [1, 2, 3]], ["t": .union]) == #"{"t":[2,1,3]}"#)
  }

  @Test func `sets, unions and keys compare numbers by their value, and keep what one side wrote`() {
    func number(_ text: String) -> Value { .number(.literal(text)) }
    let (short, long) = (number("3.1"), number("3.10"))
    #expect(merge(["v": short], ["v": long], ["v": short]) == #"{"v":3.10}"#)
    #expect(merge(["v": short], ["v": long], ["v": number("3.100")]) == #"{"v":3.10} !v"#)
    for rule in [MergeRules.Rule.set, .union] {
      #expect(
        merge(["l": [short]], ["l": [short, 1]], ["l": [long, 2]], ["l": rule]) == #"{"l":[3.10,1,2]}"#)
      #expect(
        merge(["l": [short]], ["l": [long, 1]], ["l": [short, 2]], ["l": rule]) == #"{"l":[3.10,1,2]}"#)
    }
    #expect(merge(["l": [short, 1]], ["l": [1, 2]], ["l": [long, 1, 3]], ["l": .set]) == #"{"l":[1,2,3]}"#)
    #expect(
      merge(
        ["l": [["id": short, "a": 1]]], ["l": [["id": long, "a": 1]]], ["l": [["id": short, "a": 2]]],
        ["l": .keyed(by: "id")])
        == #"{"l":[{"id":3.10,"a":2}]}"#)
  }

  @Test func `lists are merged in order`() {
    #expect(merge(["l": [1, 2, 3]], ["l": [0, 1, 2, 3]], ["l": [1, 2]]) == #"{"l":[0,1,2]}"#)
    #expect(merge(["l": [1]], ["l": [1, 2]], ["l": [1, 3]]) == #"{"l":[1,2]} !l"#)
    #expect(merge(["l": [1]], ["l": [1, 2]], ["l": [1, 3]], ["l": .set]) == #"{"l":[1,2,3]}"#)
    #expect(merge(["l": [1, 2]], ["l": [2, 3]], ["l": [1, 2, 4]], ["l": .set]) == #"{"l":[2,3,4]}"#)
    #expect(merge(["l": [1, 1]], ["l": [1, 1, 2]], ["l": [1, 1, 3]], ["l": .set]) == #"{"l":[1,1,2]} !l"#)
    #expect(
      merge(
        ["l": [["id": 1, "b": 1], ["id": 2]]], ["l": [["id": 1, "b": 2], ["id": 2]]],
        ["l": [["id": 1, "b": 1, "c": 3], ["id": 2]]])
        == #"{"l":[{"id":1,"b":2,"c":3},{"id":2}]}"#)
    #expect(
      merge(["l": [["name": "x", "a": 1]]], ["l": [["name": "x", "a": 2]]], ["l": [["name": "x", "a": 3]]])
        == #"{"l":[{"name":"x","a":2}]} !l.0.a"#)
  }

  /// What one side did to an element is never done to another one that has come to stand in its
  /// place.
  @Test func `elements that may be different ones are in conflict`() {
    let base: Value = ["l": [["id": 1, "v": "a"], ["id": 2, "v": "a"]]]
    let edited: Value = ["l": [["id": 1, "v": "x"], ["id": 2, "v": "y"]]]
    #expect(
      merge(base, ["l": [["id": 2, "v": "a"], ["id": 1, "v": "a"]]], edited)
        == #"{"l":[{"id":2,"v":"a"},{"id":1,"v":"a"}]} !l"#)
    #expect(
      merge(
        ["l": [["n": "1.0", "eol": true]]], ["l": [["n": "2.0", "eol": true]]],
        ["l": [["n": "1.0", "eol": "2030-01-01"]]])
        == #"{"l":[{"n":"2.0","eol":true}]} !l"#)
    // A value that several elements have does not identify any of them.
    #expect(
      merge(
        ["l": [["k": 1, "v": 1], ["k": 1]]], ["l": [["k": 1, "v": 2], ["k": 1]]],
        ["l": [["k": 1, "w": 1], ["k": 1]]])
        == #"{"l":[{"k":1,"v":2},{"k":1}]} !l"#)
  }

  @Test func `lists with keys are merged element by element`() {
    let rules: [FieldPath: MergeRules.Rule] = ["l": .keyed(by: "n"), "l.r": .max]
    let base: Value = ["l": [["n": "x", "r": 1], ["n": "y", "r": 1]]]
    #expect(
      merge(
        base, ["l": [["n": "x", "r": 2], ["n": "y", "r": 1], ["n": "p"]]],
        ["l": [["n": "q"], ["n": "x", "r": 3], ["n": "y", "r": 1]]],
        rules)
        == #"{"l":[{"n":"q"},{"n":"x","r":3},{"n":"y","r":1},{"n":"p"}]}"#)
    #expect(
      merge(base, ["l": [["n": "y", "r": 1]]], ["l": [["n": "x", "r": 1], ["n": "y", "r": 5]]], rules)
        == #"{"l":[{"n":"y","r":5}]}"#)
    #expect(
      merge(base, ["l": [["n": "y", "r": 1]]], ["l": [["n": "x", "r": 4], ["n": "y", "r": 1]]], rules)
        == #"{"l":[{"n":"y","r":1}]} !l.0"#)
    #expect(
      merge(
        base, ["l": [["n": "y", "r": 1], ["n": "x", "r": 1]]],
        ["l": [["n": "x", "r": 2], ["n": "y", "r": 1]]], rules)
        == #"{"l":[{"n":"y","r":1},{"n":"x","r":2}]}"#)
  }

  @Test func `strings of several lines are merged by lines`() {
    #expect(merge(["t": "a\nb\nc\n"], ["t": "A\nb\nc\n"], ["t": "a\nb\nC\n"]) == #"{"t":"A\nb\nC\n"}"#)
    #expect(merge(["t": "a\nb\nc\n"], ["t": "A\nb\nc\n"], ["t": "Z\nb\nC\n"]) == #"{"t":"A\nb\nC\n"} !t"#)
    #expect(merge(["t": "a"], ["t": "b"], ["t": "c"]) == #"{"t":"b"} !t"#)
    let conflict = ValueMerge(
      base: .string("a\nb\nc\n"), ours: .string("A\nb\nc\n"), theirs: .string("Z\nb\nC\n")
    ).conflicts.first
    #expect(conflict?.ours == .string("A\nb\nC\n"))
    #expect(conflict?.theirs == .string("Z\nb\nC\n"))
  }

  /// Two small maps that were changed from one base.
  private func sides(_ generator: inout SeededGenerator) -> (base: Value, ours: Value, theirs: Value) {
    let base = RandomSides.map(&generator)
    return (base, RandomSides.changed(base, &generator), RandomSides.changed(base, &generator))
  }

  @Test func `a value that one side changed comes from that side`() {
    for seed in Randomness.seeds(1_000) {
      var generator = SeededGenerator(seed: seed)
      let (a, b, _) = sides(&generator)
      for merge in [
        ValueMerge(base: a, ours: a, theirs: b), ValueMerge(base: a, ours: b, theirs: b),
        ValueMerge(base: a, ours: b, theirs: a),
      ] {
        #expect(merge.value == b, "\(seedNote(seed))")
        #expect(merge.conflicts.isEmpty, "\(seedNote(seed))")
      }
    }
  }

  @Test func `exchanging the sides exchanges the result`() {
    for seed in Randomness.seeds(1_000) {
      var generator = SeededGenerator(seed: seed)
      let (base, ours, theirs) = sides(&generator)
      let merge = ValueMerge(base: base, ours: ours, theirs: theirs)
      let mirrored = ValueMerge(base: base, ours: theirs, theirs: ours)
      #expect(merge.conflicts.isEmpty == mirrored.conflicts.isEmpty, "\(seedNote(seed))")
      if merge.conflicts.isEmpty { #expect(merge.value == mirrored.value, "\(seedNote(seed))") }
      #expect(merge.conflicts.count == mirrored.conflicts.count, "\(seedNote(seed))")
    }
  }

  @Test func `a merge invents no value and loses none`() {
    for seed in Randomness.seeds(1_000) {
      var generator = SeededGenerator(seed: seed)
      let (base, ours, theirs) = sides(&generator)
      let merge = ValueMerge(base: base, ours: ours, theirs: theirs)
      let note = Comment(
        rawValue:
          "\(seedNote(seed)) \(base.text) \(ours.text) \(theirs.text) -> \(merge.value?.text ?? "") \(merge.conflicts)"
      )
      let (old, own, other, merged) = (
        leaves(base), leaves(ours), leaves(theirs), leaves(merge.value ?? .null)
      )
      #expect(merged.isSubset(of: own.union(other)), note)
      let open = merge.conflicts.reduce(into: Set<String>()) {
        $0.formUnion(leaves($1.ours ?? .null).union(leaves($1.theirs ?? .null)))
      }
      // An added value is in the result or in conflict.
      #expect(own.union(other).subtracting(old).isSubset(of: merged.union(open)), note)
    }
  }

  /// The scalars, whose texts name their origin.
  private func leaves(_ value: Value) -> Set<String> {
    switch value {
    case .list(let elements): elements.reduce(into: []) { $0.formUnion(leaves($1)) }
    case .map(let fields): fields.reduce(into: []) { $0.formUnion(leaves($1.value)) }
    default: [value.text]
    }
  }

  @Test func `swapped rules choose the other side`() {
    var rules = MergeRules()
    rules["a"] = .ours
    rules["b"] = .theirs
    rules["c"] = .max
    #expect([rules.swapped["a"], rules.swapped["b"], rules.swapped["c"]] == [.theirs, .ours, .max])
    #expect(rules.swapped.swapped == rules)
  }
}
