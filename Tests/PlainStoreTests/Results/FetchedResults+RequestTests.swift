import DiffableSnapshot
import DirectoryWatch
import PlainText
import TestSupport
import Testing

@testable import PlainStore

struct FetchedResultsRequestTests {
  @Test func `parts that were set in the list survive a change of the settings, and the others follow it`() throws {
    var store = FakeStore(["a": ["n": 1, "w": "red"], "b": ["n": 2, "w": "reed"], "c": ["n": 3, "w": "blue"]])
    store.change([:], settings: try Settings(yaml("views: {v: {sort: n}}")))
    let results = try store.list { settings throws(SettingsError) in try settings.view(named: "v").request }
    let follower = Follower(results)
    #expect(follower.next() == "snapshot a b c")
    results.search = "re"
    #expect(follower.next() == "view: -c(filtered)")
    store.change([:], settings: try Settings(yaml("views: {v: {sort: -n}}")), origin: .view)
    #expect(["view: >b@0", "view: >a@1"].contains(follower.next()))
    #expect(results.request.search == "re")
    #expect(results.sort == ["-n"])
    // A part that equals the settings again follows them again.
    results.search = ""
    _ = follower.next()
    store.change([:], settings: try Settings(yaml("views: {v: {sort: -n, search: blue}}")), origin: .view)
    #expect(follower.next()?.hasPrefix("view: ") == true)
    #expect(results.snapshot.text == "c")
  }

  @Test func `a subscriber gets its answer separate from what it was not given yet`() throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
    let results = try store.list { _ in FetchRequest(sort: ["n"]) }
    let (asking, other) = (results.subscribe(), results.subscribe())
    _ = (asking.consumeEvent(), other.consumeEvent())
    store.change(["c": ["n": 3]])
    let said = try results.follow({ _ in FetchRequest(sort: ["-n"], limit: 1) }, answering: asking)
    #expect(said.earlier.map(Follower.text) == "files: +c@2")
    #expect(said.answer.map(Follower.text) == "view: -b(filtered) -a(filtered)")
    #expect(asking.consumeEvent() == nil)
    #expect(other.consumeEvent().map(Follower.text) == "files: -b(filtered) -a(filtered) +c@0")
    let same = try results.follow({ _ in FetchRequest(sort: ["-n", "w"], limit: 1) }, answering: asking)
    #expect(same.earlier == nil)
    #expect(same.answer == nil)
    #expect(throws: SettingsError.self) {
      try results.follow({ _ throws(SettingsError) in throw SettingsError([], "no") }, answering: asking)
    }
    #expect(results.sort == ["-n", "w"])
  }

  @Test(arguments: Randomness.seeds(60))
  func `each change of the view gives the list that a new one would have, and its diff leads there`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = ["red", "Reed", "reef", "blue", "RÉD", "green", ""]
    var store = FakeStore()
    func item() -> Fields { ["w": .string(random.one(of: words) + random.one(of: words)), "n": .number(.integer(random.below(5)))] }
    for id in 0..<30 { store.change(["i\(id)": item()]) }
    let results = store.list(FetchRequest(sort: ["n"]))
    let subscription = results.subscribe()
    var list = try #require(subscription.consumeStep()).new.list
    let predicates = [nil, try ItemPredicate("n > 1"), try ItemPredicate("w CONTAINS 'e'")]
    let texts = ["", "r", "re", "ree", "reef", "blue r", "e", "RE", "n o"]
    for round in 0..<40 {
      switch random.below(7) {
      case 0: results.sort = random.one(of: [["n"], ["-n"], ["w"], ["w", "-n"]])
      case 1: results.section = random.one(of: [nil, SectionDescriptor("n"), SectionDescriptor("n", descending: true, order: ["3"])])
      case 2: results.predicate = random.one(of: predicates)
      case 3: results.window = random.one(of: [nil, 0..<5, 3..<12, 20..<90])
      case 4: store.change(["i\(random.below(40))": random.oneIn(4) ? nil : item()])
      default: results.search = random.one(of: texts)
      }
      let fresh = FetchedResults(store.state, request: results.request).snapshot
      #expect(results.snapshot.text == fresh.text, "round \(round); \(seedNote(seed))")
      if let update = subscription.consumeStep()?.update { list = try list.applying(update.diff) }
      #expect(list.itemIdentifiers == fresh.list.itemIdentifiers, "round \(round); \(seedNote(seed))")
      #expect(list.sectionIdentifiers == fresh.list.sectionIdentifiers, "round \(round); \(seedNote(seed))")
    }
  }
}
