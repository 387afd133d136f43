import TestSupport
import Testing

@testable import Values

@Suite struct FieldPathTests {
  @Test(arguments: [
    ("rating", ["rating"]), ("address.city", ["address", "city"]), ("/address/city", ["address", "city"]),
    ("/a~1b/~0c/", ["a/b", "~c", ""]),
    ("/a.b", ["a.b"]), ("@path", ["@path"]), ("a/b", ["a/b"]), ("a.\u{301}b", ["a", "\u{301}b"]), ("/", [""]),
  ])
  func `a path of keys has these keys`(_ text: String, _ keys: [String]) throws {
    let path = try FieldPath(parsing: text)
    #expect(path.keys == keys)
    #expect(path.description == text)
  }

  @Test(arguments: ["", ".", "a.", ".a", "a..b", "/a~", "/a~2", "/~~"])
  func `a text that is not a path is an error`(_ text: String) {
    #expect(throws: TextError.self) { try FieldPath(parsing: text) }
  }

  @Test func `a literal is the path that it parses to`() throws {
    let path: FieldPath = "tags[0].`a.b`"
    #expect(try path == FieldPath(parsing: "tags[0].`a.b`"))
  }

  @Test func `a malformed literal stops the program and says why`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let path: FieldPath = "address..city"
      _ = path.keys
    }
    let error = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      error.contains("The FieldPath literal is malformed: `address..city`, column 9: A key is missing here."))
  }

  @Test func `paths are equal by the bytes of their keys`() {
    #expect(FieldPath("a.b") == FieldPath("/a/b"))
    #expect(FieldPath("caf\u{E9}") != FieldPath("cafe\u{301}"))
  }

  @Test func `keys with dots are written as a JSON Pointer`() throws {
    #expect(FieldPath(keys: ["a", "b"]).description == "a.b")
    #expect(FieldPath(keys: ["a.b", "~/"]).description == "/a.b/~0~1")
    #expect(FieldPath(keys: [""]).description == "/")
    for keys in [["a.b", "~/"], [""], ["/x"], ["a", "b"]] {
      #expect(try FieldPath(parsing: FieldPath(keys: keys).description).keys == keys)
    }
  }

  @Test func `a key below a list is that key of each element`() throws {
    let value = try read("releases: [{cycle: 1}, {other: 2}, {cycle: 3}]\naddress: {city: Paris}")
    #expect(value.value(at: FieldPath(keys: ["releases", "cycle"]))?.text == "[1,3]")
    #expect(value.value(at: FieldPath(keys: ["address", "city"])) == .string("Paris"))
    #expect(value.value(at: FieldPath(keys: ["address", "zip"])) == nil)
    #expect(value.value(at: FieldPath(keys: ["address", "city", "x"])) == nil)
  }

  @Test(
    arguments: [
      ("tags[0]", [.key("tags"), .index(0)]), ("a[1][22].b", [.key("a"), .index(1), .index(22), .key("b")]),
      ("a[FIRST].b[last][Size]", [.key("a"), .first, .key("b"), .last, .size]),
      ("a[b]", [.key("a[b]")]), ("a[0]b", [.key("a[0]b")]), ("[0]", [.key("[0]")]),
      ("a[0][b]", [.key("a[0][b]")]), ("a[]", [.key("a[]")]),
      ("`a.b`.c", [.key("a.b"), .key("c")]), ("a.`b``c`[0]", [.key("a"), .key("b`c"), .index(0)]),
      ("``", [.key("")]),
      ("``.````[1]", [.key(""), .key("`"), .index(1)]), ("a`b`", [.key("a`b`")]), ("`a[0]`", [.key("a[0]")]),
      ("/a/0/b", [.key("a"), .index(0), .key("b")]), ("/0", [.key("0")]), ("/a/01", [.key("a"), .key("01")]),
      ("/a/`b`", [.key("a"), .key("`b`")]),
      ("a.0", [.key("a"), .key("0")]), ("tags.@count", [.key("tags"), .listOperator(.count)]),
      ("/tags/@count", [.key("tags"), .listOperator(.count)]),
      ("a.@max.b", [.key("a"), .listOperator(.max), .key("b")]),
      ("@max.a.b", [.listOperator(.max), .key("a"), .key("b")]),
      ("@count", [.key("@count")]), ("tags.`@count`", [.key("tags"), .key("@count")]),
      ("a.`@type`", [.key("a"), .key("@type")]),
      ("/a/@type", [.key("a"), .key("@type")]), ("@type", [.key("@type")]),
      ("@type.a", [.key("@type"), .key("a")]),
      ("a[0].@sum", [.key("a"), .index(0), .listOperator(.sum)]),
    ] as [(String, [FieldPath.Step])])
  func `a path has the steps that its text names`(text: String, steps: [FieldPath.Step]) throws {
    let path = try FieldPath(parsing: text)
    #expect(path.steps == steps)
    #expect(path.description == text)
  }

  @Test(
    arguments: [
      ("", 1), ("a..b", 3), ("a.", 3), (".a", 1), ("/a~2", 3), ("/a/b~", 5), ("`a", 1), ("a.`b", 3),
      ("`a`b", 4), ("a[-1]", 3),
      ("a[99999999999999999999]", 3), ("tags.@count[0]", 12), ("tags.@count.a[0]", 13), ("a.@min.b.@max", 10),
      ("/a/@min/@max", 9),
      ("a.\u{301}.", 5), ("tags.@foo", 6), ("a.@", 3), ("a.@Count", 3), ("a.@type[0]", 3),
      ("a.@count.@type", 10),
      ("tags[0", 5), ("tags[", 5), ("tags]", 5), ("a.tags[0.b", 7), ("tags[0]]", 8), ("a[b[0]", 2), ("[0", 1),
      ("a]b[", 2),
    ] as [(String, Int)])
  func `a text that is not a path is an error at its column`(text: String, column: Int) {
    #expect {
      _ = try FieldPath(parsing: text)
    } throws: {
      ($0 as? TextError)?.column == column
    }
  }

  @Test func `an unknown operator is an error that lists the known ones`() {
    let error = #expect(throws: TextError.self) { try FieldPath(parsing: "tags.@foo") }
    #expect(
      error?.message
        == "There is no operator `@foo`. The operators are @count, @min, @max, @sum, @avg. Write a key of this name in backquotes."
    )
  }

  @Test(arguments: [
    ("tags[x]", 5), ("rgb[", 4), ("rgb]", 4), ("a.b[0][c]", 4), ("a[0]b", 2), ("[0]", 1), ("a[]", 2),
    ("tags.@count", 6), ("tags[LAST]", 5),
    ("tags[SIZE]", 5),
    ("`a`[first]", 4), ("a.b.@max.c", 5), ("/a/@count", 4), ("tags.@foo", 6),
  ])
  func `nothing is written at a path with a bracket in a key, an operator or a named place`(
    text: String, column: Int
  ) {
    #expect(throws: TextError.self) { try FieldPath(parsingWritable: text) }
    #expect((try? FieldPath(parsing: text)) != nil || ["tags.@foo", "rgb[", "rgb]"].contains(text))
    #expect {
      _ = try FieldPath(parsingWritable: text)
    } throws: {
      ($0 as? TextError)?.column == column
    }
  }

  @Test(arguments: ["tags[0]", "`tags[x]`", "`rgb[`.a[1]", "/a[b]/0", "a.b", "@foo", "@count", "`a`[00]"])
  func `keys and numbers of elements can be written`(text: String) throws {
    #expect(try FieldPath(parsingWritable: text) == FieldPath(parsing: text))
  }

  @Test func `paths are equal by their steps`() {
    #expect(FieldPath("`a`.b[0]") == FieldPath("/a/b/0"))
    #expect(FieldPath("a.0") != FieldPath("a[0]"))
    #expect(FieldPath("a.@max.b") != FieldPath("a.b.@max"))
    #expect(Set([FieldPath("a[0]"), FieldPath("/a/0"), FieldPath("`a`[00]")]).count == 1)
  }

  @Test(arguments: [
    ("releases[1].cycle", "2"), ("releases[LAST].cycle", "3"), ("releases[SIZE]", "3"),
    ("releases.cycle[0]", "1"),
    ("/releases/1/cycle", "2"),
    ("releases.@max.cycle", "3"), ("releases.cycle.@sum", "6"), ("releases.cycle.@avg", "2.0"),
    ("none.@count", "0"), ("rgb[1]", "20"),
    ("/rgb/1", "20"), ("matrix[1][0]", "3"), ("years[2024]", "x"), ("/years/2024", "x"), ("years.2024", "x"),
    ("`a.b`", "dotted"),
    ("`@count`", "literal"), ("rgb.0", "[]"),
  ])
  func `a path leads to the same value in a tree and in a packed value`(text: String, expected: String) throws
  {
    let value = try read(
      """
      releases: [{cycle: 1}, {cycle: 2}, {cycle: 3}]
      rgb: [10, 20, 30]
      matrix: [[1, 2], [3]]
      years: {2024: x}
      a.b: dotted
      "@count": literal
      """)
    let path = try FieldPath(parsing: text)
    #expect(value.value(at: path)?.text == expected)
    #expect(PackedValue(value).value(at: path)?.text == expected)
  }

  @Test(arguments: ["rgb[3]", "rgb[0][0]", "name[0]", "rgb[0].x", "none.@max", "none[FIRST]", "/rgb/-"])
  func `a path that leads nowhere has no value`(text: String) throws {
    let value = try read("rgb: [10, 20, 30]\nname: x")
    #expect(try value.value(at: FieldPath(parsing: text)).map(\.text) ?? "[]" == "[]")
  }

  private static let pieces = [
    "a", "b", ".", "/", "~", "`", "[", "]", "[0]", "[12]", "[FIRST]", "[-1]", "@count", "@max", "@id", "0",
    "01", "-", " ", ",", "\u{301}",
    "e\u{301}", "é", "😀",
    "\r\n", "\0", "~1", "``", ":exact", "=",
  ]

  @Test(arguments: Randomness.seeds(20))
  func `the description of a path parses back to it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let keys = (0...random.below(4)).map { _ in
        (0..<random.below(4)).map { _ in random.one(of: FieldPathTests.pieces) }.joined()
      }
      let path = FieldPath(keys: keys)
      #expect(path.steps == keys.map(FieldPath.Step.key))
      #expect(try FieldPath(parsing: path.description) == path, "\(path) of \(keys); \(seedNote(seed))")
      #expect(try FieldPath(parsing: path.quoted) == path, "\(path.quoted); \(seedNote(seed))")
      if keys.allSatisfy({ Int($0) == nil && ListOperator(rawValue: $0) == nil }) {
        #expect(try FieldPath(parsing: FieldPath.pointer(to: keys)) == path, "\(seedNote(seed))")
      }
    }
  }

  @Test(arguments: Randomness.seeds(20))
  func `any text is a path that parses back from its canonical form or an error in it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var count = 0
    for _ in 0..<400 {
      let text = (0..<random.below(7)).map { _ in random.one(of: FieldPathTests.pieces) }.joined()
      do throws(TextError) {
        let path = try FieldPath(parsing: text)
        count += 1
        #expect(path.description.utf8.elementsEqual(text.utf8))
        let canonical = FieldPath(steps: path.steps).description
        #expect(try FieldPath(parsing: canonical) == path, "\(text) as \(canonical); \(seedNote(seed))")
        #expect(try FieldPath(parsing: path.quoted) == path, "\(text) as \(path.quoted); \(seedNote(seed))")
      } catch {
        #expect((1...text.unicodeScalars.count + 1).contains(error.column), "\(text); \(seedNote(seed))")
      }
    }
    #expect(count > 0)
  }

  private static func key(_ random: inout SeededGenerator) -> String {
    random.oneIn(3)
      ? random.hostileText()
      : (0..<random.below(5)).map { _ in random.one(of: FieldPathTests.pieces) }.joined()
  }

  @Test(arguments: Randomness.seeds(20))
  func `a string in a literal is a key or a part of one, whatever it contains`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let (key, other) = (FieldPathTests.key(&random), FieldPathTests.key(&random))
      let note = Comment(rawValue: "\(key.debugDescription), \(other.debugDescription); \(seedNote(seed))")
      #expect(FieldPath("\(key)") == FieldPath(keys: [key]), note)
      #expect(FieldPath("a.\(key)") == FieldPath(keys: ["a", key]), note)
      #expect(FieldPath("\(key).\(other)") == FieldPath(keys: [key, other]), note)
      #expect(FieldPath("/a/\(key)/b") == FieldPath(keys: ["a", key, "b"]), note)
      #expect(FieldPath("name_\(key)") == FieldPath(keys: ["name_" + key]), note)
      #expect(
        FieldPath("a.\(key)_\(other)x.b") == FieldPath(keys: ["a", key + "_" + other + "x", "b"]), note)
      #expect(FieldPath("`x.\(key)`.b") == FieldPath(keys: ["x." + key, "b"]), note)
      #expect(FieldPath("\(key)[\(2)]").steps == [.key(key), .index(2)], note)
      #expect(FieldPath("\(key).@max.\(other)").steps == [.key(key), .listOperator(.max), .key(other)], note)
      let path = FieldPath(keys: [key, other])
      #expect(FieldPath("\(path).x") == FieldPath(keys: [key, other, "x"]), note)
      #expect(FieldPath("x.\(path)") == FieldPath(keys: ["x", key, other]), note)
      #expect(FieldPath("\(path).\(key)") == FieldPath(keys: [key, other, key]), note)
      #expect(try FieldPath(parsing: FieldPath("a.\(key)").description) == FieldPath(keys: ["a", key]), note)
    }
  }

  @Test func `a number or a path in a literal is as in the text of a path`() throws {
    #expect(try FieldPath("tags[\(2)]") == FieldPath(parsing: "tags[2]"))
    #expect(FieldPath("matrix[\(1)][\(0)].x").steps == [.key("matrix"), .index(1), .index(0), .key("x")])
    #expect(FieldPath("years.\(2024)").steps == [.key("years"), .key("2024")])
    let path = try FieldPath(parsing: "a[LAST].`b.c`")
    #expect(FieldPath("\(path)") == path)
    #expect(FieldPath("\(path).x").steps == [.key("a"), .last, .key("b.c"), .key("x")])
    #expect(FieldPath("\(path)[\(0)]").steps == [.key("a"), .last, .key("b.c"), .index(0)])
    #expect(FieldPath("\(path).@count").listOperator == .count)
    // The text of a number is not a place, and that of an operator is none.
    #expect(FieldPath("tags[\("2")]") == FieldPath(keys: ["tags[2]"]))
    #expect(FieldPath("tags.\("@count")").steps == [.key("tags"), .key("@count")])
  }

  @Test func `a scalar of a private use plane in a literal or a path is a character like any other`() throws {
    let (mark, key) = ("\u{F0000}", "k")
    let path = FieldPath(keys: ["\u{F0000}x"])
    #expect(FieldPath("\u{F0000}.\(key)") == FieldPath(keys: [mark, key]))
    #expect(FieldPath("\(path).\(key)") == FieldPath(keys: [mark + "x", key]))
    #expect(FieldPath("a.\(mark).\(key)") == FieldPath(keys: ["a", mark, key]))
  }
}
