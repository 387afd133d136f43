import Files
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Streams

@testable import Folder
@testable import Query

/// Changes of the request for a subscriber that draws the list.
struct LiveListAnsweringTests {
  @Test func `a change of the request is no step for the subscriber that made it`() {
    var store = FakeStore(["a": ["w": "red"], "b": ["w": "blue"]])
    let results = store.list()
    let (own, other) = (results.subscribe(), results.subscribe())
    _ = own.consumeEvent()
    _ = other.consumeEvent()
    let (earlier, snapshot) = results.change(for: own) { $0.search = "red" }
    #expect(earlier == nil)
    #expect(snapshot.text == "a")
    #expect(own.consumeEvent() == nil)
    guard case .step(let update?, _)? = other.consumeEvent() else {
      Issue.record("the other subscriber gets a step")
      return
    }
    #expect(update.origin == .view)
    store.change(["c": ["w": "red"]])
    guard case .step(let next?, _)? = own.consumeEvent() else {
      Issue.record("the subscriber gets the next step")
      return
    }
    #expect(next.changes.map(\.element.id) == ["c"])
    #expect(next.old.text == "a")
  }

  @Test func `what came before the change is its own event`() {
    var store = FakeStore(["a": ["w": "red"], "b": ["w": "blue"]])
    let results = store.list()
    let subscription = results.subscribe()
    _ = subscription.consumeEvent()
    store.change(["c": ["w": "red"]])
    let (earlier, snapshot) = results.change(for: subscription) { $0.search = "red" }
    guard case .step(let update?, _)? = earlier else {
      Issue.record("the earlier change is returned")
      return
    }
    #expect(update.origin == .files)
    #expect(update.changes.map(\.element.id) == ["c"])
    #expect(snapshot.text == "a c")
    #expect(subscription.consumeEvent() == nil)
  }

  @Test func `a change that changes nothing returns the list as it is`() {
    var store = FakeStore(["a": [:]])
    let results = store.list()
    let subscription = results.subscribe()
    _ = subscription.consumeEvent()
    let (earlier, snapshot) = results.change(for: subscription) { $0.search = "" }
    #expect(earlier == nil)
    #expect(snapshot.text == "a")
  }

  @Test func `another view takes the place of all parts but the search`() throws {
    var store = FakeStore([
      "a": ["n": 1, "w": "red"], "b": ["n": 2, "w": "reed"], "c": ["n": 3, "w": "blue"],
    ])
    store.change([:], settings: try Settings(yaml("views: {up: {sort: n}, down: {sort: -n, search: e}}")))
    let results = try store.list { settings throws(SettingsError) in try settings.view(named: "up").request }
    let subscription = results.subscribe()
    _ = subscription.consumeEvent()
    results.sort = ["w"]
    results.predicate = ItemPredicate("n > 1")
    _ = subscription.consumeEvent()
    let down: RequestResolver = { settings throws(SettingsError) in try settings.view(named: "down").request }
    #expect(try results.follow(down, for: subscription).snapshot.text == "c b a")
    results.search = "re"
    let up: RequestResolver = { settings throws(SettingsError) in try settings.view(named: "up").request }
    #expect(try results.follow(up, for: subscription).snapshot.text == "a b")
    #expect(results.predicate == nil)
    #expect(throws: SettingsError.self) {
      try results.follow(
        { settings throws(SettingsError) in try settings.view(named: "none").request }, for: subscription)
    }
    #expect(results.snapshot.text == "a b")
  }

  @Test func `a prepared search finds what another one finds, and follows the store`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell(
      "for i in $(seq \(ListIndex.minCorpusItems + 5)); do echo \"w: w$((i % 3))\" > $i.yaml; done")
    let store = try ItemStore(at: folder.path)
    let results = store.list(FetchRequest())
    results.prepareSearch()
    #expect(results.shared.state.withLock { $0.index.shared.hasTexts })
    results.search = "w1"
    #expect(results.snapshot.count == store.fetch(FetchRequest(search: "w1")).count)
    try folder.write("w: w1\n", to: "x.yaml")
    await store.refresh()
    #expect(results.snapshot[id: "x"] != nil)
  }

  @Test func `a short list is searched without texts`() {
    var store = FakeStore(["a": [:]])
    let results = store.list()
    results.prepareSearch()
    #expect(!results.shared.state.withLock { $0.index.shared.hasTexts })
  }
}
