import DiffableSnapshot
import Files
@testable import Store
import TestSupport
import Testing
import Values
import Streams

@testable import Folder
@testable import Query

struct LiveListRequestTests {
  @Test func `parts that were set in the list survive a change of the settings, and the others follow it`()
    throws
  {
    var store = FakeStore([
      "a": ["n": 1, "w": "red"], "b": ["n": 2, "w": "reed"], "c": ["n": 3, "w": "blue"],
    ])
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

  @Test func `a query follows the items, and warns as long as none has its field`() throws {
    var store = FakeStore(["a": ["title": "Apple tree"], "b": ["title": "Pear"], "c": ["title": "Plum"]])
    let results = store.list()
    let follower = Follower(results)
    #expect(follower.next() == "snapshot a b c")
    results.query = try SearchQuery("apple OR title:pear")
    #expect(follower.next() == "view: -c(filtered)")
    store.change(["c": ["title": "Pear tree"]])
    #expect(results.snapshot.text == "a b c")
    results.query = SearchQuery(typed: "pear rating:>3")
    #expect(results.snapshot.text == "")
    #expect(results.snapshot.warnings.map(\.kind) == [.unknownField])
    #expect(results.snapshot.hints.count == 1)
    store.change(["b": ["title": "Pear", "rating": 4]])
    #expect(results.snapshot.text == "b")
    #expect(results.snapshot.warnings.isEmpty)
    results.query = nil
    #expect(results.snapshot.text == "a b c")
  }

  @Test func `an offset and a limit below 0 or of any size are clamped`() {
    var store = FakeStore(["a": [:], "b": [:], "c": [:]])
    let results = store.list()
    results.change { ($0.offset, $0.limit) = (-2, 2) }
    #expect(results.snapshot.text == "a b")
    #expect(results.snapshot.totalCount == 3)
    results.change { ($0.offset, $0.limit) = (.min, -1) }
    #expect(results.snapshot.text == "")
    #expect(results.snapshot.totalCount == 3)
    results.change { ($0.offset, $0.limit) = (.min, .max) }
    #expect(results.snapshot.text == "a b c")
    results.change { ($0.offset, $0.limit) = (1, .max) }
    #expect(results.snapshot.text == "b c")
    results.change { ($0.offset, $0.limit) = (.max, 0) }
    #expect(results.snapshot.text == "")
    results.change { ($0.offset, $0.limit) = (.min, .min) }
    #expect(results.snapshot.text == "")
    results.change { ($0.offset, $0.limit) = (.max, .max) }
    #expect(results.snapshot.text == "")
    results.change { ($0.offset, $0.limit) = (0, nil) }
    #expect(results.snapshot.text == "a b c")
  }

  @Test func `a total that alone changes is not an update, and the snapshot has it at once`() {
    var store = FakeStore(["a": [:], "b": [:], "c": [:]])
    let follower = Follower(store.list(FetchRequest(limit: 2)))
    _ = follower.next()
    store.change(["d": [:]])
    #expect(follower.next() == nil)
    #expect(follower.results.snapshot.totalCount == 4)
    store.change(["a": nil, "e": [:]])
    guard case .step(let update?, _) = follower.subscription.consumeEvent() else {
      Issue.record("no step")
      return
    }
    #expect((update.old.totalCount, update.new.totalCount) == (4, 4))
    follower.results.search = "b"
    #expect(follower.results.snapshot.totalCount == 1)
  }

  @Test func `a folder leaves the items of other folders out, with or without a slash at its end`() {
    var store = FakeStore([
      "people/ada": [:], "people/old/bob": [:], "people2/cleo": [:], "dora": [:], "people": [:],
    ])
    let results = store.list(FetchRequest(folder: "people/"))
    #expect(results.snapshot.text == "people/ada people/old/bob")
    let follower = Follower(results)
    _ = follower.next()
    store.change(["people/eve": [:], "eve": [:]], problems: ["people/x.yaml": "bad", "x.yaml": "bad"])
    #expect(follower.next() == "files: +people/eve@1 raised people/x.yaml:1")
    results.folder = "people/old"
    #expect(follower.next() == "view: -people/eve(filtered) -people/ada(filtered) cleared people/x.yaml")
    results.folder = nil
    #expect(results.snapshot.count == 7)
    #expect(results.snapshot.problems.count == 2)
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
  func `each change of the view gives the list that a new one would have, and its diff leads there`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let words = ["red", "Reed", "reef", "blue", "RÉD", "green", ""]
    var store = FakeStore()
    func item() -> Fields {
      ["w": .string(random.one(of: words) + random.one(of: words)), "n": .number(.integer(random.below(5)))]
    }
    for id in 0..<30 { store.change(["i\(id)": item()]) }
    let results = store.list(FetchRequest(sort: ["n"]))
    let subscription = results.subscribe()
    var list = try #require(subscription.consumeStep()).new.list
    let predicates = [nil, ItemPredicate("n > 1"), ItemPredicate("w CONTAINS 'e'")]
    let texts = ["", "r", "re", "ree", "reef", "blue r", "e", "RE", "n o"]
    for round in 0..<40 {
      switch random.below(7) {
      case 0: results.sort = random.one(of: [["n"], ["-n"], ["w"], ["w", "-n"]])
      case 1:
        results.section = random.one(of: [
          nil, SectionDescriptor("n"), SectionDescriptor("n", descending: true, order: ["3"]),
        ])
      case 2: results.predicate = random.one(of: predicates)
      case 3: results.show(random.one(of: [nil, 0..<5, 3..<12, 20..<90]))
      case 4: store.change(["i\(random.below(40))": random.oneIn(4) ? nil : item()])
      default: results.search = random.one(of: texts)
      }
      let fresh = LiveList<Item>(store.state, request: results.request).snapshot
      #expect(results.snapshot.text == fresh.text, "round \(round); \(seedNote(seed))")
      if let update = subscription.consumeStep()?.update { list = try list.applying(update.diff) }
      #expect(list.itemIdentifiers == fresh.list.itemIdentifiers, "round \(round); \(seedNote(seed))")
      #expect(list.sectionIdentifiers == fresh.list.sectionIdentifiers, "round \(round); \(seedNote(seed))")
    }
  }
}
