import TestSupport
import Testing
import TextEdits
import Values

/// Many edits of one text: they give what the edits give one by one, and cost few passes.
@Suite struct ManyEditsTests {
  private static let count = 400

  /// A map of `count` fields, each with a line of its own or all on one line.
  private static let texts: [(format: TextFormat, text: String)] = {
    let keys = 0..<count
    return [
      (.yaml, keys.map { "k\($0): \($0)  # note\n" }.joined()),
      (.yaml, "{" + keys.map { "k\($0): \($0)" }.joined(separator: ", ") + "}\n"),
      (.json, "{\n" + keys.map { "  \"k\($0)\": \($0)" }.joined(separator: ",\n") + "\n}\n"),
      (.json, "{" + keys.map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"),
      (.markdown, "---\n" + keys.map { "k\($0): \($0)\n" }.joined() + "---\nBody\n"),
    ]
  }()

  private static let kinds: [(name: String, edits: [TextEdit])] = {
    let keys = 0..<count
    func path(_ number: Int) -> FieldPath { FieldPath(keys: ["k\(number)"]) }
    return [
      ("set", keys.map { .set(path($0), .number(.integer(-$0 - 1))) }),
      ("insert", keys.map { .insert(FieldPath(keys: ["n\($0)"]), .number(.integer($0))) }),
      ("remove all but the first", keys.dropFirst().map { .remove(path($0)) }),
      ("remove all but the last", keys.dropLast().map { .remove(path($0)) }),
      (
        "mixed",
        keys.map { key in
          switch key % 3 {
          case 0: .remove(path(key))
          case 1: .set(path(key), .number(.integer(-key)))
          default: .insert(FieldPath(keys: ["n\(key)"]), .number(.integer(key)))
          }
        }
      ),
    ]
  }()

  @Test(arguments: texts.indices, kinds.indices)
  func `many edits give the bytes of the edits one by one`(text: Int, kind: Int) throws {
    let ((format, text), (name, edits)) = (Self.texts[text], Self.kinds[kind])
    let few = edits.prefix(20) + edits.suffix(12)
    let together = try ItemText(Array(text.utf8), as: format).applying(Array(few))
    let oneByOne = try few.reduce(Array(text.utf8)) { try ItemText($0, as: format).applying([$1]) }
    #expect(
      String(decoding: together, as: UTF8.self) == String(decoding: oneByOne, as: UTF8.self),
      "\(format), \(name)")
  }

  #if DEBUG
    @Test(arguments: texts.indices, kinds.indices)
    func `many edits cost few passes over the text`(text: Int, kind: Int) throws {
      let ((format, text), (name, edits)) = (Self.texts[text], Self.kinds[kind])
      let counter = ReadCounter()
      _ = try ReadCounter.$current.withValue(counter) {
        try ItemText(Array(text.utf8), as: format).applying(edits)
      }
      #expect(counter.counts.locations <= 3, "\(format), \(name)")
      #expect(counter.counts.reads <= 5, "\(format), \(name)")
    }

    @Test func `edits of many lists cost a pass for each edit of one list`() throws {
      let text = (0..<Self.count).map { "l\($0):\n  - a\n  - b\n  - c\n  - d\n" }.joined()
      let item = ItemText(Array(text.utf8), as: .yaml)
      let old = try #require(try item.fields.get().value.fields)
      let edits = (0..<Self.count).flatMap { number -> [TextEdit] in
        [
          .remove(FieldPath(keys: ["l\(number)", "2"])), .remove(FieldPath(keys: ["l\(number)", "0"])),
          .append("e", to: FieldPath(keys: ["l\(number)"])),
        ]
      }
      let counter = ReadCounter()
      let edited = try ReadCounter.$current.withValue(counter) { try item.edited(by: edits) }
      #expect(try edited.fields.get().value.fields == old.applying(edits))
      #expect(String(decoding: edited.bytes, as: UTF8.self).hasPrefix("l0:\n  - b\n  - d\n  - e\nl1:"))
      #expect(counter.counts.locations == 3)
    }

    @Test(arguments: listTexts.indices, additions.indices)
    func `elements that are added to one list cost few passes`(text: Int, kind: Int) throws {
      let ((format, text), (name, edits)) = (Self.listTexts[text], Self.additions[kind])
      let counter = ReadCounter()
      _ = try ReadCounter.$current.withValue(counter) {
        try ItemText(Array(text.utf8), as: format).applying(edits)
      }
      #expect(counter.counts.locations <= 3, "\(format), \(name)")
      #expect(counter.counts.reads <= 5, "\(format), \(name)")
    }

    @Test
    func `edits that make a text too large are refused without a search, and the first that does is named`()
      throws
    {
      let text = Self.texts[0].text
      var limits = ReadLimits()
      limits.maxSize = text.utf8.count + 40
      let item = ItemText(Array(text.utf8), as: .yaml, limits: limits)
      let edits = (100..<500).map { TextEdit.insert(FieldPath(keys: ["n\($0)"]), .number(.integer($0))) }
      let counter = ReadCounter()
      let error = #expect(throws: TextEditError.self) {
        try ReadCounter.$current.withValue(counter) { try item.applying(edits) }
      }
      #expect(error?.reason == .unwritable)
      // Each line has ten bytes.
      #expect(error?.path == "n104")
      #expect(error?.message.contains("and the limit is \(limits.maxSize)") == true)
      #expect(counter.counts.locations <= 1)
      #expect(counter.counts.reads <= 1)
    }

    @Test func `one edit that fails costs few passes, and nothing is changed`() throws {
      let text = Self.texts[0].text
      for place in [0, 1, Self.count / 2, Self.count] {
        var edits = Self.kinds[0].edits
        edits.insert(.remove("missing"), at: place)
        let counter = ReadCounter()
        let error = #expect(throws: TextEditError.self) {
          try ReadCounter.$current.withValue(counter) {
            try ItemText(Array(text.utf8), as: .yaml).applying(edits)
          }
        }
        #expect(error?.reason == .missing)
        #expect(counter.counts.locations <= 24, "at \(place)")
      }
    }
  #endif

  /// A list of commented elements, and lists in brackets.
  private static let listTexts: [(format: TextFormat, text: String)] = [
    (.yaml, "a: 1\nl:\n" + (0..<count).map { "  - e\($0)  # note \($0)\n" }.joined() + "z: 1\n"),
    (.yaml, "a: 1\nl:\n" + (0..<count).map { "  # about \($0)\n  - e\($0)\n\n" }.joined() + "z: 1\n"),
    (.yaml, "l: [" + (0..<count).map { "e\($0)" }.joined(separator: ", ") + "]\n"),
    (.json, "{\"l\": [\n" + (0..<count).map { "  \"e\($0)\"" }.joined(separator: ",\n") + "\n]}\n"),
    (.markdown, "---\nl:\n" + (0..<count).map { "- e\($0)\n" }.joined() + "---\nBody\n"),
  ]

  private static let additions: [(name: String, edits: [TextEdit])] = [
    ("appended", (0..<80).map { .append(.string("new \($0)"), to: "l") }),
    ("at the end", (0..<80).map { .insert(FieldPath(keys: ["l", "\(count)"]), .string("new \($0)")) }),
    ("at the start", (0..<80).map { .insert("l[0]", .string("new \($0)")) }),
    (
      "from the end",
      (0..<80).map { .insert(FieldPath(keys: ["l", "\(count - 5 * $0)"]), .string("new \($0)")) }
    ),
    (
      "two at each place, and a key after the list",
      (0..<80).map { .insert(FieldPath(keys: ["l", "\(count - $0 / 2)"]), .string("new \($0)")) } + [
        .insert("new", 1)
      ]
    ),
  ]

  @Test(arguments: listTexts.indices, additions.indices)
  func `elements that are added together give the bytes of the additions one by one`(text: Int, kind: Int)
    throws
  {
    let ((format, text), (name, edits)) = (Self.listTexts[text], Self.additions[kind])
    let few = Array(edits.suffix(12))
    let together = try ItemText(Array(text.utf8), as: format).applying(few)
    let oneByOne = try few.reduce(Array(text.utf8)) { try ItemText($0, as: format).applying([$1]) }
    #expect(
      String(decoding: together, as: UTF8.self) == String(decoding: oneByOne, as: UTF8.self),
      "\(format), \(name)")
  }

  /// Additions, changes and removals of elements of random lists, in random order.
  @Test func `random edits of lists give the values of the edits one by one`() throws {
    var done = 0
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let document = RandomDocument.make(using: &generator)
      let item = ItemText(Array(document.text.utf8), as: document.format)
      guard let old = try? item.fields.get().value else { continue }
      let lists = allPaths(of: old).filter { if case .list? = old.exactly(at: $0) { true } else { false } }
      if lists.isEmpty { continue }
      var edits: [TextEdit] = []
      for number in 0..<2 + generator.below(6) {
        let keys = generator.one(of: lists)
        let element = FieldPath(keys: keys + ["\(generator.below(4))"])
        switch generator.below(5) {
        case 0: edits.append(.append(.string("new \(number)"), to: FieldPath(keys: keys)))
        case 1, 2: edits.append(.insert(element, .string("new \(number)")))
        case 3: edits.append(.set(element, .string("changed \(number)")))
        default: edits.append(.remove(element))
        }
      }
      let note = Comment(rawValue: "\(seedNote(seed))\n\(edits)\n\(document.text)")
      let together = try? item.applying(edits)
      let oneByOne = try? edits.reduce(item.bytes) { try ItemText($0, as: document.format).applying([$1]) }
      // The edits together can be possible where one of them alone is not written.
      guard let oneByOne else { continue }
      let values = try together.map { try PackedValue(reading: $0, as: document.format).value }
      #expect(try values == PackedValue(reading: oneByOne, as: document.format).value, note)
      done += 1
    }
    #expect(done > 0)
  }

  /// Values of the same kind do not change the style of the text, so the bytes are the same, too.
  @Test func `changed and removed values together give the bytes of the edits one by one`() throws {
    var done = 0
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let document = RandomDocument.make(using: &generator)
      let bytes = Array(document.text.utf8)
      guard let value = try? PackedValue(reading: bytes, as: document.format).value else { continue }
      var edits: [TextEdit] = []
      for keys in allPaths(of: value).shuffled(using: &generator) {
        switch value.exactly(at: keys) {
        case .number? where generator.oneIn(2):
          edits.append(.set(FieldPath(keys: keys), .number(.integer(generator.below(100)))))
        case .bool(let flag)? where generator.oneIn(2):
          edits.append(.set(FieldPath(keys: keys), .bool(!flag)))
        case .string(let text)? where generator.oneIn(2) && !text.utf8.contains(0x0A) && keys != ["body"]:
          edits.append(.set(FieldPath(keys: keys), .string("changed \(generator.below(100))")))
        default: break
        }
      }
      let note = Comment(rawValue: "\(seedNote(seed))\n\(edits)\n\(document.text)")
      let together = try? ItemText(bytes, as: document.format).applying(edits)
      let oneByOne = try? edits.reduce(bytes) { try ItemText($0, as: document.format).applying([$1]) }
      #expect(
        together.map { String(decoding: $0, as: UTF8.self) }
          == oneByOne.map { String(decoding: $0, as: UTF8.self) }, note)
      done += edits.count
    }
    #expect(done > 0)
  }

  /// The difference of two items, as a client that sends all fields makes it.
  @Test func `the edits between two items give the new item`() throws {
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let document = RandomDocument.make(using: &generator)
      let item = ItemText(Array(document.text.utf8), as: document.format)
      guard let old = try? item.fields.get().value.fields, !old.isEmpty else { continue }
      var new = old
      for (key, _) in old where key != "body" {
        switch generator.below(5) {
        case 0: new[key] = nil
        case 1: new[key] = RandomValue.make(depth: 2, using: &generator)
        case 2: new["new \(key)"] = RandomValue.make(depth: 2, using: &generator)
        default: break
        }
      }
      let wanted = PackedValue(.map(new)).value
      let edits = TextEdit.edits(from: old, to: wanted.fields ?? [:])
      let note = Comment(rawValue: "\(seedNote(seed))\n\(edits)\n\(document.text)")
      do {
        #expect(try item.edited(by: edits).fields.get().value == wanted, note)
      } catch {
        #expect((error as? TextEditError)?.reason != .missing, note)
        #expect((error as? TextEditError)?.reason != .exists, note)
      }
    }
  }
}
