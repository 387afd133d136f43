import DiffableSnapshot
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// The changes that the screens of the reference apps get, as text.
struct ListChangeTests {
  private static let byRating = FetchRequest(sort: ["rating"])
  private static let byGroup = FetchRequest(sort: ["name"], section: SectionDescriptor("group"))

  /// Returns the update that a change of the store causes in a list.
  private static func update(
    _ store: inout FakeStore, _ request: FetchRequest, _ changes: KeyValuePairs<String, Fields?>
  ) throws -> ListUpdate<Item> {
    let subscription = store.list(request).subscribe()
    _ = subscription.consumeEvent()
    store.change(changes)
    guard case .step(let update?, _) = subscription.consumeEvent() else { throw CancellationError() }
    return update
  }

  @Test func `a change prints its kind, its id and its places`() throws {
    var store = FakeStore([
      "ada": ["rating": 1], "bob": ["rating": 2], "cleo": ["rating": 3], "dan": ["rating": 4],
    ])
    let edits: KeyValuePairs<String, Fields?> = [
      "ada": nil, "dan": ["rating": 0], "cleo": ["rating": 3, "n": 1], "eve": ["rating": 9],
    ]
    let update = try Self.update(&store, Self.byRating, edits)
    #expect(update.description == "- ada from 0\n> dan 3 → 0, changed\n+ eve at 3\n~ cleo at 2")
    #expect(update.changes.map(\.description).joined(separator: "\n") == update.description)
  }

  @Test func `a move without another change is not changed`() throws {
    var store = FakeStore(["ada": ["rating": 1], "bob": ["rating": 2]])
    let request = FetchRequest(sort: ["rating"], fields: ["name"])
    let update = try Self.update(&store, request, ["bob": ["rating": 0]])
    #expect(["> bob 1 → 0", "> ada 0 → 1"].contains(update.description))
    #expect(update.changes.map(\.isChanged) == [false])
    #expect(update.reconfigured == [])
  }

  @Test func `with sections a change prints their names and has places in the old and the new list`()
    throws
  {
    var store = FakeStore([
      "ada": ["name": "Ada", "group": "friends"], "bob": ["name": "Bob", "group": "friends"],
      "cleo": ["name": "Cleo", "group": "work"],
    ])
    let update = try Self.update(
      &store, Self.byGroup,
      ["ada": nil, "bob": ["name": "Bob", "group": "work"], "eve": ["name": "Eve", "group": "club"]])
    #expect(
      update.description.split(separator: "\n") == [
        "- section friends from 0", "+ section club at 0", "- ada from friends[0]", "+ eve at club[0]",
        "> bob friends[1] → work[0], changed",
      ])
    let bob = try #require(update.changes.first { $0.id == "bob" })
    #expect(bob.from == ListPlace(section: 0, item: 1))
    #expect(bob.to == ListPlace(section: 1, item: 0))
    #expect(bob.change.from == Place(section: "friends", index: 1))
    #expect(bob.change.to == Place(section: "work", index: 0))
    #expect(bob.before?.value(at: "group") == "friends")
    #expect(update.changes.first { $0.id == "ada" }?.to == nil)
    #expect(update.changes.first { $0.id == "eve" }?.from == nil)
  }

  @Test func `places lead to the elements of the old and the new list`() throws {
    for seed in Randomness.seeds(40) {
      var random = SeededGenerator(seed: seed)
      func fields() -> Fields {
        ["group": .string(random.one(of: ["x", "y", "z"])), "rating": .number(.integer(random.below(5)))]
      }
      var store = FakeStore()
      for number in 0..<12 { store.change(["i\(number)": fields()]) }
      let subscription = store.list(FetchRequest(sort: ["rating"], section: SectionDescriptor("group")))
        .subscribe()
      _ = subscription.consumeEvent()
      for _ in 0..<4 { store.change(["i\(random.below(16))": random.oneIn(4) ? nil : fields()]) }
      guard case .step(let update?, _) = subscription.consumeEvent() else { continue }
      for change in update.changes {
        #expect(change.from == update.old.place(of: change.id), "\(seedNote(seed))")
        #expect(change.to == update.new.place(of: change.id), "\(seedNote(seed))")
        #expect(change.isChanged == update.reconfigured.contains(change.id), "\(seedNote(seed))")
      }
    }
  }

  @Test func `names from files cannot control the terminal`() throws {
    var store = FakeStore()
    let update = try Self.update(&store, Self.byGroup, ["a": ["group": "x\u{1B}[2J\ny"]])
    #expect(update.changes.map(\.description) == ["+ a at x\\x1b[2J\\ny[0]"])
    #expect(update.sectionChanges.map(\.description) == ["+ section x\\x1b[2J\\ny at 0"])
  }

  @Test func `an update carries what a data source reconfigures and reloads`() throws {
    var store = FakeStore([
      "ada": ["rating": 1, "group": "a"], "bob": ["rating": 2, "group": "a"],
      "cleo": ["rating": 3, "group": "b"],
    ])
    let list = store.list(FetchRequest(sort: ["rating"], section: SectionDescriptor("group")))
    let subscription = list.subscribe()
    _ = subscription.consumeEvent()
    store.change(["bob": ["rating": 0, "group": "a"], "cleo": ["rating": 3, "group": "b", "n": 1]])
    list.change { $0.section?.titles = ["b": "Bees"] }
    guard case .step(let update?, _) = subscription.consumeEvent() else {
      Issue.record("there is a step")
      return
    }
    #expect(Set(update.reconfigured) == ["bob", "cleo"])
    #expect(update.diffableSnapshot.reconfiguredItemIdentifiers == ["bob", "cleo"])
    #expect(update.diffableSnapshot.reloadedSectionIdentifiers == ["b"])
    #expect(update.diffableSnapshot == update.new.list)
    #expect(update.sectionChanges.map(\.kind) == [.update])
    #expect(update.sectionChanges.map(\.title) == ["Bees"])
    #expect(update.changes.map(\.change) == update.diff.changes)
  }
}
