import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// A table is a dictionary, whatever was loaded and changed.
struct ItemTableTests {
  private static func item(_ random: inout SeededGenerator) -> Item {
    .sample(
      RelativePath(bytes: "\(random.below(12)).\(random.one(of: ["md", "yaml"]))".utf8),
      ["v": .number(.integer(random.below(99)))])
  }

  @Test(arguments: Randomness.seeds(300))
  func `a table agrees with a dictionary`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let loaded = (0..<random.below(20)).map { _ in ItemTableTests.item(&random) }
    let (base, rest) = ItemBase.make(loaded, idsArePaths: random.oneIn(2))
    #expect(base.items.count + rest.count == loaded.count, "\(seedNote(seed))")
    var table = ItemTable(base)
    var simple: [Item.ID: Item] = [:]
    for item in loaded where simple[item.id] == nil { simple[item.id] = item }
    for item in base.items { #expect(base[item.path] === item, "\(seedNote(seed))") }
    for _ in 0..<20 {
      let item = ItemTableTests.item(&random)
      let new = random.oneIn(3) ? nil : item
      let before = table
      #expect(table.updateValue(new, forKey: item.id) === simple[item.id], "\(seedNote(seed))")
      #expect(before[item.id] === simple[item.id], "\(seedNote(seed))")
      simple[item.id] = new
      #expect(table.count == simple.count, "\(seedNote(seed))")
    }
    for number in 0..<12 {
      let id = Item.ID("\(number)")
      #expect(table[id] === simple[id], "\(seedNote(seed))")
    }
    #expect(
      Dictionary(uniqueKeysWithValues: table.map { ($0.key, ObjectIdentifier($0.value)) })
        == simple.mapValues(ObjectIdentifier.init))
    #expect(
      Set(table.entries.items.map(ObjectIdentifier.init)) == Set(simple.values.map(ObjectIdentifier.init)),
      "\(seedNote(seed))")
  }

  @Test func `an item that got another key keeps its place by its own id, under the key`() {
    let items = ["a.md", "b.md", "c.md"].map { Item.sample(RelativePath(bytes: $0.utf8), [:]) }
    var state = StoreState(items)
    state.items["z"] = state.items["b"]
    state.items["b"] = nil
    let arrangement = ItemArrangement(of: state, sort: [], order: SectionOrder(nil))
    #expect(arrangement.numbers.map(arrangement.id) == ["a", "z", "c"])
  }

  @Test(arguments: Randomness.seeds(100))
  func `a table of files agrees with a dictionary`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let base = ItemBase.make(
      (0..<random.below(20)).map { _ in ItemTableTests.item(&random) }, idsArePaths: random.oneIn(2)
    ).base
    var files = FileTable(base)
    var simple = Dictionary(uniqueKeysWithValues: base.items.map { ($0.path, $0) })
    for _ in 0..<20 {
      let item = ItemTableTests.item(&random)
      let new = random.oneIn(3) ? nil : item
      files[item.path] = new
      simple[item.path] = new
      #expect(files[item.path] === new, "\(seedNote(seed))")
    }
    #expect(Set(files.paths) == Set(simple.keys), "\(seedNote(seed))")
    #expect(
      Set(files.items.map(ObjectIdentifier.init)) == Set(simple.values.map(ObjectIdentifier.init)),
      "\(seedNote(seed))")
  }
}
