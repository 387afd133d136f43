import TestSupport
import Testing
import TextEdits
import Values

@Suite struct TextMergeTests {
  private func merge(
    _ base: String, _ ours: String, _ theirs: String, as format: TextFormat = .yaml,
    rules: [FieldPath: MergeRules.Rule] = [:]
  ) -> String {
    var all = MergeRules()
    for (path, rule) in rules { all[path] = rule }
    let merge = TextMerge(
      base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8), as: format, rules: all)
    let text = String(decoding: merge.bytes, as: UTF8.self)
    #expect(merge.isConflicted == text.contains("<<<<<<< ours"))
    if merge.isConflicted, format != .markdown || text.utf8.count > 0 {
      #expect(failure(text, as: format) != nil, "\(text)")
    }
    return text
  }

  @Test func `changes to adjacent lines merge`() {
    #expect(merge("a: 1\nb: 2\n", "a: 3\nb: 2\n", "a: 1\nb: 4\n") == "a: 3\nb: 4\n")
    #expect(
      merge("a: 1\nb: 2 # c\n", "a: 3\nb: 2 # c\n", "a: 1 # new\nb: 2 # c\n") == "a: 3 # new\nb: 2 # c\n")
    #expect(
      merge(
        "x: 0\na: 1\nw: 0\nb: 2\nz: 0\n", "# ours\nx: 0\na: 1\nw: 0\nb: 3\nz: 0\n",
        "x: 0\na: 4\nw: 0\nb: 2\nz: 0\n# theirs\n")
        == "# ours\nx: 0\na: 4\nw: 0\nb: 3\nz: 0\n# theirs\n")
    #expect(merge("a: 1\n", "a: 1\nb: 2\n", "a: 1\nc: 3\n") == "a: 1\nb: 2\nc: 3\n")
    #expect(
      merge("{\"a\":1,\"b\":2}", "{\"a\":3,\"b\":2}", "{\"a\":1,\"b\":4}", as: .json) == "{\"a\":3,\"b\":4}")
    #expect(
      merge("m: {a: 1, b: 2} # c\r\n", "m: {a: 3, b: 2} # c\r\n", "m: {a: 1, b: 4, d: 5} # c\r\n")
        == "m: {a: 3, b: 4, d: 5} # c\r\n")
  }

  @Test func `a conflict contains only the lines in conflict`() {
    #expect(
      merge("a: 1\nb: 2\nc: 3\n", "a: 5\nb: 9\nc: 3\n", "a: 1\nb: 8\nc: 7\n") == "a: 5\n"
        + markers("b: 9\n", "b: 8\n") + "c: 7\n")
    #expect(merge("a: 1\nb: 2\n", "a: 1\n", "a: 1\nb: 3\n") == "a: 1\n" + markers("", "b: 3\n"))
    #expect(merge("a: 1\nb: 2", "a: 1\nb: 3", "a: 1\nb: 4") == "a: 1\n" + markers("b: 3\n", "b: 4\n"))
    #expect(
      merge(
        "---\na: 1\n---\nx\ny\nz\n", "---\na: 2\n---\nx\nY\nz\n", "---\na: 1\n---\nx\ny2\nz\nw\n",
        as: .markdown)
        == "---\na: 2\n---\nx\n" + markers("Y\n", "y2\n") + "z\nw\n")
  }

  @Test func `rules and lists decide the merged text`() {
    #expect(
      merge("t: [a]\nr: 1\n", "t: [a, b]\nr: 5\n", "t: [a, c]\nr: 3\n", rules: ["t": .set, "r": .max])
        == "t: [a, b, c]\nr: 5\n")
    #expect(
      merge(
        "l:\n- n: x\n  r: 1\n", "l:\n- n: x # mine\n  r: 2\n", "l:\n- n: q\n- n: x\n  r: 1\n",
        rules: ["l": .keyed(by: "n")])
        == "l:\n- n: q\n- n: x # mine\n  r: 2\n")
  }

  @Test func `a text that cannot be read is merged by lines`() {
    #expect(merge("a: [\nb\nc\n", "a: [\nB\nc\n", "a: [\nb\nc\nd\n") == "a: [\nB\nc\nd\n")
    #expect(merge("a: [\nb\n", "a: [\nB\n", "a: [\nZ\n") == "a: [\n" + markers("B\n", "Z\n"))
    #expect(merge("", "a: 1\n", "a: 2\n") == markers("a: 1\n", "a: 2\n"))
    #expect(merge("", "a: 1\n", "b: 2\n") == "a: 1\nb: 2\n")
  }

  private func markers(_ ours: String, _ theirs: String) -> String {
    "<<<<<<< ours\n\(ours)=======\n\(theirs)>>>>>>> theirs\n"
  }

  /// Inserts the changes of the other side into each side's text by hand.
  @Test func `unchanged lines keep their bytes`() throws {
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let document = RandomDocument.make(using: &generator)
      let base = Array(document.text.utf8)
      let (ours, theirs) = (
        try changed(base, document.format, &generator), try changed(base, document.format, &generator)
      )
      let merge = TextMerge(base: base, ours: ours, theirs: theirs, as: document.format)
      let note = Comment(
        rawValue: "\(seedNote(seed))\n"
          + [base, ours, theirs, merge.bytes].map { String(decoding: $0, as: UTF8.self) }.joined(
            separator: "\n~~~\n"))
      #expect(TextMerge(base: base, ours: base, theirs: theirs, as: document.format).bytes == theirs, note)
      #expect(TextMerge(base: base, ours: ours, theirs: ours, as: document.format).bytes == ours, note)
      let values = try [base, ours, theirs].map { try PackedValue(reading: $0, as: document.format).value }
      let wanted = ValueMerge(base: values[0], ours: values[1], theirs: values[2])
      if merge.isConflicted {
        #expect(failure(merge.bytes, as: document.format) != nil, note)
      } else {
        #expect(wanted.conflicts.isEmpty || values[1] == values[2], note)
        #expect(try PackedValue(reading: merge.bytes, as: document.format).value == wanted.value, note)
      }
    }
  }

  /// Adds and removes keys and elements on both sides, in items of all formats and layouts.
  @Test func `a merge loses nothing, and the sides can be exchanged`() throws {
    for seed in Randomness.seeds(400) {
      var generator = SeededGenerator(seed: seed)
      let document = RandomDocument.make(using: &generator)
      let base = Array(document.text.utf8)
      let (ours, theirs) = (
        rewritten(base, document.format, &generator), rewritten(base, document.format, &generator)
      )
      let merge = TextMerge(base: base, ours: ours, theirs: theirs, as: document.format)
      let mirrored = TextMerge(base: base, ours: theirs, theirs: ours, as: document.format)
      let note = Comment(
        rawValue: "\(seedNote(seed))\n"
          + [base, ours, theirs, merge.bytes, mirrored.bytes].map { String(decoding: $0, as: UTF8.self) }
          .joined(separator: "\n~~~\n"))
      #expect(TextMerge(base: base, ours: base, theirs: theirs, as: document.format).bytes == theirs, note)
      #expect(TextMerge(base: base, ours: ours, theirs: base, as: document.format).bytes == ours, note)
      #expect(merge.isConflicted == mirrored.isConflicted, note)
      if !merge.isConflicted {
        #expect(
          try PackedValue(reading: merge.bytes, as: document.format).value
            == PackedValue(reading: mirrored.bytes, as: document.format).value,
          note)
      }
      // A written value is in the text, inside or outside of conflict markers.
      let text = String(decoding: merge.bytes, as: UTF8.self)
      for side in [ours, theirs] {
        let numbers = String(decoding: side, as: UTF8.self).split { !$0.isASCII || !$0.isNumber }
        for number in numbers where number.utf8.count == 7 && !document.text.contains(number) {
          #expect(text.contains(number), note)
        }
      }
    }
  }

  /// Makes changes with values that name their origin: numbers of seven digits.
  private func rewritten(_ bytes: [UInt8], _ format: TextFormat, _ generator: inout SeededGenerator)
    -> [UInt8]
  {
    var bytes = bytes
    for _ in 0..<generator.below(4) {
      let paths = (try? PackedValue(reading: bytes, as: format).value).map(allPaths(of:)) ?? []
      guard !paths.isEmpty else { return bytes }
      let path = FieldPath(keys: generator.one(of: paths))
      let new = Value.string("new \(1_000_000 + generator.below(9_000_000))")
      let edit: TextEdit =
        switch generator.below(4) {
        case 0: .remove(path)
        case 1: .insert(FieldPath(keys: path.keys.dropLast() + ["key\(generator.below(5))"]), new)
        case 2: .append(new, to: path)
        default: .set(path, new)
        }
      // Some edits are refused, and some remove what was written before.
      bytes = (try? ItemText(bytes, as: format).applying([edit])) ?? bytes
    }
    return bytes
  }

  private func changed(_ bytes: [UInt8], _ format: TextFormat, _ generator: inout SeededGenerator) throws
    -> [UInt8]
  {
    let value = try PackedValue(reading: bytes, as: format).value
    let paths = allPaths(of: value).filter { value.exactly(at: $0)?.isScalar == true }
    var bytes = bytes
    for _ in 0..<generator.below(3) {
      guard !paths.isEmpty else { break }
      let probe = Value.string("changed \(generator.below(100))")
      bytes = try ItemText(bytes, as: format).applying([
        .set(FieldPath(keys: generator.one(of: paths)), probe)
      ])
    }
    return bytes
  }
}
