import Files
import HashTreeCollections
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

struct ListContentsLinksTests {
  private static let decoder = ModelDecoder { item in
    guard case .list(let ids)? = item.value(at: "links") else { return .success(Model(value: 0)) }
    return .success(Model(value: ids.map(\.text), links: Set(ids.map { Item.ID($0.text) })))
  }

  @Test(arguments: Randomness.seeds(60))
  func `an item is updated when an item that it has a link to comes, goes or changes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var store = FakeStore()
    let request = FetchRequest(folder: "books/")
    let list = LiveList<Item>(store.state, request: request, decoding: Self.decoder)
    let subscription = list.subscribe()
    _ = subscription.consumeStep()
    var seen = 0
    for round in 0..<60 {
      let before = store.state
      var changes: [(String, Fields?)] = []
      for _ in 0..<random.below(3) {
        let links = (0..<random.below(3)).map { _ in Value.string("people/p\(random.below(4))") }
        changes.append(("books/b\(random.below(4))", random.oneIn(5) ? nil : ["links": .list(links)]))
      }
      for _ in 0..<random.below(2) {
        changes.append(
          ("people/p\(random.below(4))", random.oneIn(4) ? nil : ["name": .number(.integer(random.below(3)))])
        )
      }
      for (id, fields) in changes { store.change([id: fields]) }
      let after = store.state
      list.update(
        with: StoreStep(state: after, changes: StoreChanges(from: before, to: after), origin: .files))
      func links(_ item: Item?) -> Set<String> {
        guard case .list(let ids)? = item?.value(at: "links") else { return [] }
        return Set(ids.map(\.text))
      }
      var expected: Set<Item.ID> = []
      for number in 0..<4 {
        let id = Item.ID("books/b\(number)")
        guard let old = before.items[id], let new = after.items[id] else { continue }
        let differs = links(new).contains {
          before.items[Item.ID($0)]?.fields != after.items[Item.ID($0)]?.fields
        }
        if old.fields != new.fields || differs { expected.insert(id) }
      }
      let update = subscription.consumeStep()?.update
      #expect(Set(update?.reconfigured ?? []) == expected, "round \(round); \(seedNote(seed))")
      seen += expected.count
    }
    #expect(seen > 0, "\(seedNote(seed))")
  }
}
