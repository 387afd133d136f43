import DirectoryWatch
import PlainText
import TestSupport
import Testing

@testable import PlainStore

/// Changes of the request for a subscriber that draws the list.
struct FetchedResultsAnsweringTests {
  private func items(_ count: Int) -> [Item.ID: Fields?] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { (Item.ID("\($0)"), ["n": .number(.integer($0)), "w": .string("w\($0 % 3)")]) })
  }

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
    #expect(next.changes.map(\.object.id) == ["c"])
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
    #expect(update.changes.map(\.object.id) == ["c"])
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
    var store = FakeStore(["a": ["n": 1, "w": "red"], "b": ["n": 2, "w": "reed"], "c": ["n": 3, "w": "blue"]])
    store.change([:], settings: try Settings(yaml("views: {up: {sort: n}, down: {sort: -n, search: e}}")))
    let results = try store.list { settings throws(SettingsError) in try settings.view(named: "up").request }
    let subscription = results.subscribe()
    _ = subscription.consumeEvent()
    results.sort = ["w"]
    results.predicate = try ItemPredicate("n > 1")
    _ = subscription.consumeEvent()
    let down: RequestResolver = { settings throws(SettingsError) in try settings.view(named: "down").request }
    #expect(try results.follow(down, for: subscription).snapshot.text == "c b a")
    results.search = "re"
    let up: RequestResolver = { settings throws(SettingsError) in try settings.view(named: "up").request }
    #expect(try results.follow(up, for: subscription).snapshot.text == "a b")
    #expect(results.predicate == nil)
    #expect(throws: SettingsError.self) {
      try results.follow({ settings throws(SettingsError) in try settings.view(named: "none").request }, for: subscription)
    }
    #expect(results.snapshot.text == "a b")
  }

  @Test func `a prepared search finds what another one finds`() {
    var store = FakeStore(items(ResultsIndex.minCorpusItems + 5))
    let results = store.list()
    results.prepareSearch()
    results.search = "w1"
    #expect(results.count == store.list(FetchRequest(search: "w1")).count)
    store.change(["x": ["w": "w1"]])
    #expect(results.snapshot[id: "x"] != nil)
  }
}
