import Foundation
@testable import Store
import Synchronization
import Testing
import Values
import Streams

@testable import Folder
@testable import Query

struct LiveListTests {
  private static let settings = Settings(views: ["v": view("n"), "w": ViewDefinition()])

  private static func view(_ sort: ItemSortDescriptor) -> ViewDefinition {
    var view = ViewDefinition()
    view.sort = [sort]
    return view
  }

  private static func list(_ store: inout FakeStore) throws -> Follower {
    store.change([:], settings: settings)
    let follower = Follower(
      try store.list { settings throws(SettingsError) in try settings.view(named: "v").request })
    _ = follower.next()
    return follower
  }

  @Test func `another search text is one step of origin view, and the same one is not a step`() {
    var store = FakeStore(["ada": ["n": 1], "bob": ["n": 2]])
    let follower = Follower(store.list(FetchRequest(sort: ["n"])))
    _ = follower.next()
    follower.results.search = "ad"
    #expect(follower.next() == "view: -bob(filtered)")
    follower.results.search = "ad"
    follower.results.request = follower.results.request
    #expect(follower.next() == nil)
    // Another text that finds the same items.
    follower.results.search = "ada"
    #expect(follower.next() == nil)
    #expect(follower.results.search == "ada")
    #expect(follower.results.snapshot.request.search == "ada")
  }

  @Test func `another request is one step of origin view`() throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3]])
    let follower = Follower(store.list(FetchRequest(sort: ["n"])))
    _ = follower.next()
    follower.results.request = FetchRequest(sort: ["-n"], predicate: ItemPredicate("n < 3"))
    #expect(["view: -c(filtered) >a@1", "view: -c(filtered) >b@0"].contains(follower.next()))
    store.change(["a": ["n": 3]])
    #expect(follower.next() == "files: -a(filtered)")
  }

  @Test func `the resolver is asked again when the settings change`() throws {
    var store = FakeStore(["a": ["n": 1, "m": 2], "b": ["n": 2, "m": 1]])
    let follower = try LiveListTests.list(&store)
    var settings = LiveListTests.settings
    settings.views["v"] = LiveListTests.view("m")
    store.change([:], settings: settings, origin: .view)
    #expect(["view: >a@1", "view: >b@0"].contains(follower.next()))
    settings.views["w"] = nil
    store.change([:], settings: settings, origin: .view)
    #expect(follower.next() == nil)
    // With items in the same step.
    settings.views["v"] = LiveListTests.view("-m")
    store.change(["c": ["m": 0], "a": ["m": 9], "b": nil], settings: settings)
    #expect(follower.next() == "files: -b(removed) +c@1 ~a@0")
  }

  @Test func `a search that was typed survives a change of the settings`() throws {
    var store = FakeStore(["ada": ["n": 1, "m": 2], "adam": ["n": 2, "m": 1], "bob": ["n": 3, "m": 3]])
    let follower = try LiveListTests.list(&store)
    follower.results.search = "ad"
    #expect(follower.next() == "view: -bob(filtered)")
    store.change(
      [:], settings: Settings(views: LiveListTests.settings.views, ignore: ["x"]), origin: .view)
    #expect(follower.next() == nil)
    store.change([:], settings: Settings(views: ["v": LiveListTests.view("m")]), origin: .view)
    #expect(["view: >ada@1", "view: >adam@0"].contains(follower.next()))
    #expect(follower.results.search == "ad")
  }

  @Test func `settings without its view leave a list as it is`() throws {
    var store = FakeStore(["a": ["n": 1]])
    let follower = try LiveListTests.list(&store)
    store.change(["b": ["n": 0]], settings: Settings())
    #expect(follower.next() == "files: +b@0")
    #expect(follower.results.request.sort == ["n"])
  }

  @Test func `a request that cannot be made is thrown`() {
    var store = FakeStore()
    #expect(throws: SettingsError.self) {
      try store.list { settings throws(SettingsError) in try settings.view(named: "v").request }
    }
  }

  @Test func `the result of a list operator sorts, makes sections and is shown`() {
    var store = FakeStore([
      "a": ["r": .list([1, 2])], "b": ["r": .list([3])], "c": ["r": .list([4, 5])], "d": [:],
    ])
    let list = store.list(
      FetchRequest(sort: ["-r.@sum"], section: SectionDescriptor("r.@count"), fields: ["r.@max"]))
    #expect(list.snapshot.text == "0: d | 1: b | 2: c a")
    #expect(list.snapshot.unknownFields() == [])
    let follower = Follower(list)
    _ = follower.next()
    // Other elements with the same result are not an update.
    store.change(["c": ["r": .list([5, 4])]])
    #expect(follower.next() == nil)
    store.change(["b": ["r": .list([1, 9])]])
    #expect(follower.next() == "files: [-1@1] *b@0")
  }

  @Test func `a field that is given twice for sorting counts once`() {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
    #expect(store.list(FetchRequest(sort: ["-n", "n", "n:exact"])).snapshot.text == "b a")
  }

  @Test func `a new day that no timer reported is noticed with the next step`() throws {
    var store = FakeStore(["past": ["due": "2001-01-01"], "future": ["due": "9999-01-01"]])
    let list = store.list(FetchRequest(predicate: ItemPredicate("due < @today")))
    let follower = Follower(list)
    #expect(follower.next() == "snapshot past")
    // As if the list had last been updated in the year 2000.
    list.shared.show(PredicateContext(at: Date(timeIntervalSince1970: 946_728_000)))
    #expect(follower.next() == "clock: -past(filtered)")
    store.change([:])
    #expect(follower.next() == "clock: +past@0")
  }

  @Test func `a snapshot is a value and does not change`() {
    var store = FakeStore(["a": ["n": 1]])
    let list = store.list(FetchRequest(sort: ["n"]))
    let before = list.snapshot
    store.change(["a": nil, "b": ["n": 2]])
    #expect(before.map(\.id) == ["a"])
    #expect(before.item("b") == nil)
    #expect(list.snapshot.map(\.id) == ["b"])
  }
}
