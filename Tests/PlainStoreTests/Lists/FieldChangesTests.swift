import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct FieldChangesTests {
  private static func changes(_ old: String, _ new: String, showing fields: [FieldPath] = []) throws
    -> FieldChanges
  {
    guard case .map(let old) = try yaml(old), case .map(let new) = try yaml(new) else {
      return FieldChanges(from: [:], to: [:])
    }
    return Item.sample("a.md", old).changes(to: .sample("a.md", new), showing: fields)
  }

  @Test(arguments: [
    ("{a: 1}", "{a: 1}", [], "{}"),
    ("{a: 1, b: 2}", "{b: 2, a: 1}", [], "{}"),
    ("{a: 1}", "{a: 2}", ["/a"], "{a: 1}"),
    ("{a: 1}", "{a: 1, b: 2}", ["/b"], "{}"),
    ("{a: 1, b: 2}", "{a: 1}", ["/b"], "{b: 2}"),
    // First in the order of the new value, then deleted ones in that of the old value.
    (
      "{a: 1, x: 1, b: 1, y: 1}", "{b: 2, c: 2, a: 2}", ["/b", "/c", "/a", "/x", "/y"],
      "{b: 1, a: 1, x: 1, y: 1}"
    ),
    // Pointers lead into maps, not into lists.
    (
      "{m: {a: 1, b: {c: 1, d: 1}}}", "{m: {a: 1, b: {c: 2, e: 1}}}", ["/m/b/c", "/m/b/e", "/m/b/d"],
      "{m: {a: 1, b: {c: 1, d: 1}}}"
    ),
    ("{l: [{a: 1}, 2]}", "{l: [{a: 2}, 2]}", ["/l"], "{l: [{a: 1}, 2]}"),
    ("{m: {}}", "{m: {a: {b: 1}}}", ["/m/a"], "{m: {}}"),
    ("{m: {a: 1}}", "{m: [1]}", ["/m"], "{m: {a: 1}}"),
    ("{m: null}", "{m: {a: 1}}", ["/m"], "{m: null}"),
    ("{m: null}", "{}", ["/m"], "{m: null}"),
    ("{n: 1}", "{n: 1.0}", ["/n"], "{n: 1}"),
    ("{n: .nan}", "{n: .nan}", [], "{}"),
    ("{a/b: {~: 1, '': 1}}", "{a/b: {~: 2, '': 2}}", ["/a~1b/~0", "/a~1b/"], "{a/b: {~: 1, '': 1}}"),
  ])
  func `changes are named by pointers, with the old top-level values`(
    old: String, new: String, pointers: [String], before: String
  )
    throws
  {
    let changes = try FieldChangesTests.changes(
      old.replacing("~: ", with: "'~': "), new.replacing("~: ", with: "'~': "))
    #expect(changes.pointers == pointers)
    #expect(try .map(changes.before) == yaml(before.replacing("~: ", with: "'~': ")))
    #expect(changes.isEmpty == pointers.isEmpty)
  }

  private static func value(_ random: inout SeededGenerator, depth: Int) -> Value {
    switch random.below(depth > 0 ? 8 : 6) {
    case 0: .number(.double(random.one(of: [.nan, -.nan, 0, -0.0])))
    case 1: .string(random.one(of: ["", "caf\u{e9}", "cafe\u{301}", "a"]))
    case 2: Value(text: random.one(of: ["2026-01-01", "2026-01-01T00:00:00Z", "1"]))
    case 3: random.one(of: [.null, .bool(true), .number(.literal("12345678901234567890"))])
    case 4, 5: .number(.integer(random.below(3)))
    case 6: .list((0..<random.below(3)).map { _ in value(&random, depth: depth - 1) })
    default: .map(fields(&random, depth: depth - 1))
    }
  }

  private static func fields(_ random: inout SeededGenerator, depth: Int) -> Fields {
    var fields = Fields()
    for _ in 0..<random.below(6) {
      fields[random.one(of: ["a", "b", "c", "caf\u{e9}", "cafe\u{301}", ""])] = value(&random, depth: depth)
    }
    return fields
  }

  @Test func `packed fields have the same changes as unpacked ones`() {
    var changed = 0
    for seed in Randomness.seeds(2_000) {
      var random = SeededGenerator(seed: seed)
      let old = Self.fields(&random, depth: 2)
      var new = random.oneIn(3) ? Self.fields(&random, depth: 2) : old
      // Mostly the keys stay and values change, as in an edit.
      for (key, _) in old where random.oneIn(3) {
        new[key] = random.oneIn(8) ? nil : Self.value(&random, depth: 2)
      }
      let expected = FieldChanges(from: old, to: new)
      #expect(
        FieldChanges(from: PackedValue(.map(old)), to: PackedValue(.map(new))) == expected,
        "\(seedNote(seed))")
      if !expected.isEmpty { changed += 1 }
    }
    #expect(changed > 0)
  }

  @Test func `composed and decomposed keys are different`() throws {
    let changes = FieldChanges(from: ["caf\u{e9}": 1], to: ["cafe\u{301}": 1])
    #expect(changes.pointers.map { Array($0.utf8) } == ["/cafe\u{301}", "/caf\u{e9}"].map { Array($0.utf8) })
    #expect(changes.before == ["caf\u{e9}": 1])
  }

  @Test func `only fields that the view shows count`() throws {
    #expect(try FieldChangesTests.changes("{a: 1, b: 1}", "{a: 1, b: 2}", showing: ["a"]).isEmpty)
    #expect(try FieldChangesTests.changes("{m: {a: 1, b: 1}}", "{m: {a: 1, b: 2}}", showing: ["m.a"]).isEmpty)
    let changes = try FieldChangesTests.changes(
      "{m: {a: 1, b: 1}, n: 1}", "{m: {a: 2, b: 2}, n: 2}", showing: ["m.a", "@id"])
    #expect(changes.pointers == ["/m/a"])
    #expect(changes.before == ["m": .map(["a": 1])])
  }

  @Test func `another path counts as a change of the field @path`() {
    let old = Item(id: "x", path: "a.md", stamp: FileStamp(), fields: PackedValue(.map(["n": 1])))
    let moved = Item(id: "x", path: "b/a.md", stamp: FileStamp(), fields: PackedValue(.map(["n": 1])))
    for fields in [[], ["n"], ["@path"]] as [[FieldPath]] {
      let changes = old.changes(to: moved, showing: fields)
      #expect(changes.pointers == ["/@path"])
      #expect(changes.before == ["@path": "a.md"])
    }
    #expect(old.changes(to: moved, showing: ["@dir"]).pointers == ["/@dir", "/@path"])
  }

  @Test func `times and sizes count only in views that show them`() {
    let old = Item.sample("a.md", ["n": 1], stamp: FileStamp(size: 1, modified: 1))
    let touched = Item.sample("a.md", ["n": 1], stamp: FileStamp(size: 2, modified: 2))
    #expect(old.changes(to: touched, showing: []).isEmpty)
    #expect(old.changes(to: touched, showing: ["n"]).isEmpty)
    #expect(old.changes(to: touched, showing: ["n", "@modified"]).pointers == ["/@modified"])
    #expect(old.changes(to: touched, showing: ["@size"]).before == ["@size": 1])
  }

  @Test func `projected fields keep the shape of the file`() {
    let item = Item.sample(
      "d/a.md",
      ["m": .map(["a": 1, "b": .map(["c": 2])]), "l": .list([.map(["x": 1]), .map(["y": 2])]), "n": .null])
    #expect(
      item.projected([]) == [
        "m": .map(["a": 1, "b": .map(["c": 2])]), "l": .list([.map(["x": 1]), .map(["y": 2])]), "n": .null,
      ])
    #expect(item.projected(["n", "m.b.c", "missing", "m.a", "@id"]).keys.elementsEqual(["n", "m", "@id"]))
    #expect(item.projected(["m.b.c", "m.a"]) == ["m": .map(["b": .map(["c": 2]), "a": 1])])
    #expect(item.projected(["l.x"]) == ["l": .map(["x": .list([1])])])
    #expect(item.projected(["m.a", "m"]) == ["m": .map(["a": 1, "b": .map(["c": 2])])])
  }
}

/// Promise 7: no file can exhaust time. Each of these once took minutes, or did not end.
@Suite(.timeLimit(.minutes(1)))
struct FieldChangesCostTests {
  private static func nested(_ depth: Int, _ value: Value) -> Fields {
    ["a": (0..<depth).reduce(value) { inner, _ in .map(["a": inner]) }]
  }

  @Test func `a deep change is found in one descent`() {
    let changes = FieldChanges(from: Self.nested(900, .bool(true)), to: Self.nested(900, .bool(false)))
    #expect(changes.pointers == [String(repeating: "/a", count: 901)])
  }

  @Test func `a change among many keys is found in one pass, in any order of the keys`() {
    let pairs = (0..<100_000).map { (key: "k\($0)", value: Value.number(.integer($0))) }
    let old = Fields(unique: pairs)
    let new = Fields(unique: pairs.reversed().map { $0.key == "k7" ? ($0.key, .null) : $0 })
    #expect(FieldChanges(from: old, to: new).pointers == ["/k7"])
    #expect(old != new)
    #expect(old == Fields(unique: pairs.reversed()))
  }
}
