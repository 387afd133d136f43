@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

struct RefreshedItemTests {
  @Test(arguments: Randomness.seeds(6))
  func `many items on several threads get what each gets alone`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func items() -> [Item] {
      (0..<random.one(of: [300, 700, 1_100])).filter { _ in !random.oneIn(5) }.map { number in
        let fields: Fields = [
          "rating": .number(.integer(random.below(4))), "group": random.one(of: ["x", "y", ""]),
          "tags": random.one(of: [.list(["red", "blue"]), .list([]), "red"]),
        ]
        return .sample(RelativePath(bytes: "\(random.below(3))/n\(number).yaml".utf8), fields)
      }
    }
    let (old, new) = (StoreState(items()), StoreState(items()))
    let ids = Array(Set(old.items.keys).union(new.items.keys))
    #expect(ids.count > 256)
    let order = RowOrder(try RandomList.oracle(&random).request)
    let all = RefreshedItem.all(ids, from: old, to: new, order)
    #expect(all.map(\.id) == ids, "\(seedNote(seed))")
    for (item, id) in zip(all, ids) {
      let alone = try #require(RefreshedItem.all([id], from: old, to: new, order).first)
      // Thousands of expectations are slow.
      if item.new?.item !== new.items[id] { Issue.record("\(id) is another item; \(seedNote(seed))") }
      if (item.oldKey == nil) != (old.items[id] == nil) {
        Issue.record("\(id) has no old key; \(seedNote(seed))")
      }
      if item.oldKey != alone.oldKey { Issue.record("\(id) has another old key; \(seedNote(seed))") }
      if item.new?.key != alone.new?.key { Issue.record("\(id) has another key; \(seedNote(seed))") }
      if item.new?.sections != alone.new?.sections {
        Issue.record("\(id) has other sections; \(seedNote(seed))")
      }
    }
  }

  @Test(arguments: Randomness.seeds(4))
  func `a list after a large step equals a new list`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func item(_ number: Int) -> Item {
      let fields: Fields = [
        "rating": .number(.integer(random.below(9))), "word": random.one(of: ["ab", "b", "Ä", .null]),
      ]
      return .sample(RelativePath(bytes: "n\(number).yaml".utf8), fields)
    }
    var items = (0..<1_500).reduce(into: [Item.ID: Item]()) { items, number in
      let item = item(number)
      items[item.id] = item
    }
    for search in ["", "a", "b"] {
      let predicate = random.oneIn(2) ? ItemPredicate("rating > 3") : nil
      let request = FetchRequest(
        sort: ["-rating", "word"], predicate: predicate, search: search, limit: random.oneIn(3) ? 40 : nil)
      let filter = ItemFilter(request, context: .now)
      var index = ListIndex(StoreState(Array(items.values)), request: request, filter: filter)
      let old = index.shown
      var changed: Set<Item.ID> = []
      for _ in 0..<random.one(of: [257, 600, 1_400]) {
        let new = item(random.below(1_700))
        items[new.id] = random.oneIn(5) ? nil : new
        changed.insert(new.id)
      }
      let state = StoreState(Array(items.values))
      let touched = index.update(changed, of: state)
      #expect(index.shown.checkInvariants() == nil, "\(seedNote(seed))")
      #expect(index.shown == ListIndex(state, request: request, filter: filter).shown, "\(seedNote(seed))")
      #expect(
        try old.applying(index.shown.difference(from: old, touched: touched)) == index.shown,
        "\(seedNote(seed))")
    }
  }
}
