import Files
@testable import Store
import TestSupport
import Testing
import Values
import Streams

@testable import Folder
@testable import Query

struct ItemProjectionTests {
  @Test(arguments: [
    ("releases.cycle", "{releases: {cycle: [1, 2]}}"), ("tags.@count", "{tags: {'@count': 3}}"),
    ("rgb[0]", "{rgb: {'0': 255}}"),
    ("rgb[0],rgb[2]", "{rgb: {'0': 255, '2': 1}}"), ("rgb,rgb[0]", "{rgb: [255, 0, 1]}"),
    ("rgb[0],rgb", "{rgb: [255, 0, 1]}"),
    ("releases.cycle,releases", "{releases: [{cycle: 1, x: 1}, {cycle: 2}]}"),
    ("releases,releases.cycle", "{releases: [{cycle: 1, x: 1}, {cycle: 2}]}"),
    ("tags,tags.@count", "{tags: [a, b, c]}"), ("tags.@count,tags", "{tags: [a, b, c]}"),
    ("m,m.a", "{m: {a: 1, b: [2]}}"),
    ("m.b[0],m", "{m: {a: 1, b: [2]}}"), ("m.b[0],m.a,m.b", "{m: {b: [2], a: 1}}"),
    ("releases[0].cycle,releases.cycle", "{releases: {'0': {cycle: 1}, cycle: [1, 2]}}"),
    ("/m/b/0", "{m: {b: {'0': 2}}}"), ("rgb[9],m.x", "{}"), ("`a.b`", "{a.b: 5}"),
    ("rgb[LAST],rgb[SIZE]", "{rgb: {LAST: 1, SIZE: 3}}"),
    ("releases.@max.cycle", "{releases: {'@max': {cycle: 2}}}"),
    ("releases.cycle.@max", "{releases: {cycle: {'@max': 2}}}"),
  ])
  func `a projection has each value at the pointer of its path, and complete values win`(
    fields: String, expected: String
  ) throws {
    guard
      case .map(let map) = try yaml(
        "{rgb: [255, 0, 1], tags: [a, b, c], releases: [{cycle: 1, x: 1}, {cycle: 2}], m: {a: 1, b: [2]}, a.b: 5}"
      )
    else {
      Issue.record("not a map")
      return
    }
    let paths = try ViewDefinition.splitPaths(fields).map { try FieldPath(parsing: $0) }
    #expect(try .map(Item.sample("a.md", map).projected(paths)) == yaml(expected))
  }

  @Test func `changes of elements are named by the pointers of the projection`() throws {
    let changes = Item.sample("a.md", ["rgb": .list([1, 2, 3])]).changes(
      to: .sample("a.md", ["rgb": .list([1, 2, 4])]), showing: ["rgb[0]", "rgb[2]"])
    #expect(changes.pointers == ["/rgb/2"])
    #expect(try .map(changes.before) == yaml("{rgb: {'0': 1, '2': 3}}"))
  }

  @Test(arguments: Randomness.seeds(20))
  func `many paths give the same projection as few`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names = (0..<60).map { "k\($0)" } + ["@id", "@name", "é", "e\u{301}"]
    let fields = names.filter { _ in !random.oneIn(4) }.map { name -> (key: String, value: Value) in
      let inner = names.filter { _ in random.oneIn(8) }.map {
        (key: $0, value: Value.number(.integer(random.below(9))))
      }
      return (
        name,
        random.oneIn(2)
          ? .string(name)
          : random.oneIn(2) ? .map(Fields(unique: inner)) : .list([.map(Fields(unique: inner))])
      )
    }
    let item = Item.sample("i.yaml", Fields(unique: fields))
    let ends = ["", "", "", ".k1", ".k2.@count", "[0]", "[0].k3", "[LAST]", "[SIZE]", ".@count", ".@max"]
    let paths = (0..<200).compactMap { _ in
      try? FieldPath(parsing: random.one(of: names) + random.one(of: ends))
    }
    #expect(paths.count > 100)
    // A projection of all paths shows each group of paths as the group alone does.
    let all = item.projected(paths)
    for (name, group) in Dictionary(grouping: paths, by: { ExactString($0.keys[0]) }) {
      if group.count > 16 { continue }
      let alone = item.projected(group)
      #expect(
        all.filter { $0.key.hasSameBytes(as: name.text) }.map(\.value) == alone.map(\.value),
        "\(name.text) \(seedNote(seed))")
    }
    #expect(all.map(\.key).count == Set(all.map { ExactString($0.key) }).count)
  }

  @Test(.timeLimit(.minutes(1))) func `many paths take linear time`() throws {
    let names = (0..<20_000).map { "key\($0)" }
    let item = Item.sample("i.yaml", Fields(unique: names.map { ($0, .string($0)) }))
    let shown = item.projected(names.reversed().map { FieldPath(keys: [$0]) })
    #expect(shown.count == names.count)
    #expect(shown.first?.key == "key19999")
  }

  private static let paths = [
    "a", "a.b", "a[0]", "a[1]", "a[0].b", "a.b[0]", "a.@count", "a.b.@max", "a.@max.b", "/a/0/b", "a[LAST]",
    "c", "c.a", "c.a[0]", "c[0]",
    "@id", "`x.y`", "x.y",
  ]

  @Test(arguments: Randomness.seeds(20))
  func `a projection shows each path and loses nothing of a complete value, in any order`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    func value(_ depth: Int) -> Value {
      switch random.below(depth > 0 ? 5 : 2) {
      case 0: .number(.integer(random.below(9)))
      case 1: .string("s")
      case 2: .list((0..<random.below(3)).map { _ in value(depth - 1) })
      default:
        .map(Fields(unique: ["a", "b", "0"].filter { _ in random.oneIn(2) }.map { ($0, value(depth - 1)) }))
      }
    }
    for _ in 0..<100 {
      let item = Item.sample("i.yaml", Fields(unique: ["a", "c", "x.y", "x"].map { ($0, value(3)) }))
      let paths = try (0...random.below(4)).map { _ in
        try FieldPath(parsing: random.one(of: ItemProjectionTests.paths))
      }
      let shown = Value.map(item.projected(paths))
      for path in paths {
        guard let value = item.value(at: path) else { continue }
        let clashes = paths.contains {
          $0 != path && zip($0.keys, path.keys).allSatisfy { $0.hasSameBytes(as: $1) }
        }
        let found = path.keys.reduce(Optional(shown)) { $0?[$1] }
        let isComplete =
          path.steps.allSatisfy { if case .key = $0 { true } else { false } } && path.keys.count == 1
        if !clashes || isComplete { #expect(found == value, "\(path) among \(paths); \(seedNote(seed))") }
      }
      let backwards = Value.map(item.projected(paths.reversed()))
      if Set(paths.map { FieldPath(keys: $0.keys) }).count == Set(paths).count {
        #expect(shown == backwards, "\(paths); \(seedNote(seed))")
      }
    }
  }
}
