import DiffableSnapshot
import HashTreeCollections
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// A list that is updated always equals a new list, and each step is exact.
struct ListIndexTests {
  @Test(arguments: Randomness.seeds(150))
  func `an updated index equals a new one after any changes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var items: [Item.ID: Item] = [:]
    for _ in 0..<random.below(25) {
      let item = RandomList.item(&random)
      items[item.id] = item
    }
    var oracle = try RandomList.oracle(&random)
    var index = ListIndex(
      StoreState(Array(items.values)), request: oracle.request,
      filter: ItemFilter(oracle.request, context: .now),
      minCorpusItems: random.one(of: [0, .max]))
    for round in 0..<15 {
      let old = snapshot(of: index, items)
      var touched: Set<Item.ID>?
      var changed: Set<Item.ID>?
      if random.oneIn(5) {
        oracle = try RandomList.oracle(&random)
        index.show(
          oracle.request, of: StoreState(Array(items.values)),
          filter: ItemFilter(oracle.request, context: .now))
      } else {
        changed = change(&items, &random)
        touched = index.update(changed ?? [], of: StoreState(Array(items.values)))
      }
      let new = snapshot(of: index, items)
      let note = "round \(round), \(oracle.request); \(seedNote(seed))"
      #expect(index.shown.checkInvariants() == nil, "\(note)")
      let expected = oracle.sections(of: items.values)
      #expect(index.shown.sectionIdentifiers == expected.map(\.id), "\(note)")
      #expect(
        expected.map { index.shown.itemIdentifiers(inSection: $0.id) } == expected.map(\.items), "\(note)")
      let update = ListUpdate<Item>(from: old, to: new, touched: touched, origin: .files)
      let problem = try ListOracle.problem(in: update, changed: changed)
      #expect(problem == nil, "\(note)")
      // One wrong list is enough.
      if problem != nil { return }
    }
  }

  private func snapshot(of index: ListIndex, _ items: [Item.ID: Item]) -> ListSnapshot<Item> {
    ListSnapshot<Item>(
      request: index.request, list: index.shown,
      items: ItemTable(uniqueKeysWithValues: items.map { ($0, $1) }), problems: [:])
  }

  /// Makes some items come, go, change or be read again, and returns their ids.
  private func change(_ items: inout [Item.ID: Item], _ random: inout SeededGenerator) -> Set<Item.ID> {
    var changed: Set<Item.ID> = []
    for _ in 0..<random.below(7) {
      let item = RandomList.item(&random)
      items[item.id] = random.oneIn(3) ? nil : item
      changed.insert(item.id)
    }
    return changed
  }

  @Test func `the place of each item and the item at each place agree`() throws {
    var random = SeededGenerator(seed: 7)
    let items = (0..<60).map { _ in RandomList.item(&random) }.reduce(into: [Item.ID: Item]()) {
      $0[$1.id] = $1
    }
    let request = FetchRequest(
      sort: ["rating"], section: SectionDescriptor("group", order: ["nobody"]),
      predicate: ItemPredicate("rating > 1"))
    let index = ListIndex(
      StoreState(Array(items.values)), request: request, filter: ItemFilter(request, context: .now))
    let snapshot = snapshot(of: index, items)
    var count = 0
    for (number, section) in snapshot.sections.enumerated() {
      for (place, item) in snapshot.items(in: section.id).enumerated() {
        #expect(snapshot.place(of: item.id) == ListPlace(section: number, item: place))
        #expect(snapshot.list.place(of: item.id) == Place(section: section.id, index: place))
        #expect(snapshot[ListPlace(section: number, item: place)] === item)
        count += 1
      }
      #expect(snapshot[ListPlace(section: number, item: section.count)] == nil)
      #expect(snapshot[ListPlace(section: number, item: -1)] == nil)
    }
    #expect(count == snapshot.count)
    #expect(count > 5)
    #expect(count < items.count)
    let hidden = items.values.filter { (ValueOrder.compare($0.value(at: "rating") ?? 0, 1)) <= 0 }
    #expect(hidden.compactMap { snapshot.place(of: $0.id) } == [])
    #expect(hidden.compactMap { snapshot.item($0.id)?.id } == [])
    #expect(snapshot.place(of: "nobody") == nil)
    #expect(snapshot.list.place(of: "nobody") == nil)
    #expect(snapshot[ListPlace(section: snapshot.sections.count, item: 0)] == nil)
    #expect(snapshot[ListPlace(section: -1, item: 0)] == nil)
  }
}
