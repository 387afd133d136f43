import DiffableSnapshot
import Files
@testable import Store
import Testing
import Values

@testable import Query

/// Rules of Core Data's fetched results that concern a live list. `ListUpdateTests` has the
/// others.
struct LiveListReferenceTests {
  private static let grouped = FakeStore([
    "a": ["g": "x", "n": 1], "b": ["g": "x", "n": 2], "c": ["g": "y", "n": 1], "d": ["g": "y", "n": 2],
  ])

  @Test func `a list without subscribers is kept up to date`() {
    var store = FakeStore(["a": ["n": 1]])
    let results = store.list(FetchRequest(sort: ["n"]))
    let before = results.snapshot
    store.change(["b": ["n": 0]])
    #expect(results.snapshot.text == "b a")
    #expect(before.text == "a")
  }

  @Test func `an empty section goes with its items, and lowering moves nothing into or out of it`() throws {
    var store = Self.grouped
    let subscription = store.list(FetchRequest(section: SectionDescriptor("g"))).subscribe()
    _ = subscription.consumeEvent()
    store.change(["a": ["g": "y"], "b": ["g": "z"]])
    let update = try #require(subscription.consumeStep()?.update)
    #expect(update.diff.sections == [.delete("x", from: 0), .insert("z", to: 1)])
    let lowered = update.diff.loweredForListViews()
    #expect(lowered.changes.count == 4)
    for change in lowered.changes where change.from != nil && change.to != nil { Issue.record("\(change)") }
  }

  @Test func `a change of the request is a diff of origin view`() throws {
    var store = Self.grouped
    let results = store.list(FetchRequest(sort: ["n"]))
    let follower = Follower(results)
    #expect(follower.next() == "snapshot a c b d")
    results.sort = ["-n", "-@id"]
    #expect(follower.next()?.hasPrefix("view: ") == true)
    #expect(results.snapshot.text == "d b c a")
    results.sort = ["-n", "-@id"]
    #expect(follower.next() == nil)
    results.predicate = ItemPredicate("g = 'x'")
    #expect(follower.next() == "view: -c(filtered) -d(filtered)")
    results.change {
      $0.predicate = nil
      $0.limit = 3
    }
    #expect(follower.next() == "view: -a(filtered) +d@0 +c@2")
    #expect(results.snapshot.text == "d b c")
  }

  @Test func `the window stays exact while items come and go around it`() {
    var store = FakeStore(["b": [:], "c": [:], "d": [:], "e": [:]])
    let results = store.list(FetchRequest(limit: 2, offset: 1))
    let follower = Follower(results)
    #expect(follower.next() == "snapshot c d")
    store.change(["a": [:]])
    #expect(follower.next() == "files: -d(filtered) +b@0")
    store.change(["a": nil, "b": nil])
    #expect(follower.next() == "files: -c(filtered) -b(removed) +d@0 +e@1")
    #expect(results.snapshot.text == "d e")
    results.change { ($0.offset, $0.limit) = (0, 2) }
    #expect(follower.next() == "view: -e(filtered) +c@0")
    results.limit = nil
    #expect(follower.next() == "view: +e@2")
    results.offset = 2
    #expect(follower.next() == "view: -d(filtered) -c(filtered)")
    results.change { ($0.offset, $0.limit) = (0, nil) }
    #expect(follower.next() == "view: +c@0 +d@1")
    #expect(results.offset == 0)
    #expect(results.limit == nil)
  }

  @Test func `sections have titles, index titles and counts, and objects have places`() {
    var store = Self.grouped
    let results = store.list(
      FetchRequest(sort: ["n"], section: SectionDescriptor("g", titles: ["x": "Élan", "y": "zoo"])))
    #expect(results.snapshot.sections.map(\.title) == ["Élan", "zoo"])
    #expect(results.snapshot.sections.map(\.count) == [2, 2])
    #expect(results.snapshot.sectionIndexTitles == ["É", "Z"])
    #expect(results.snapshot.map(\.id) == ["a", "b", "c", "d"])
    #expect(results.snapshot[ListPlace(section: 1, item: 1)]?.id == "d")
    #expect(results.snapshot[ListPlace(section: 1, item: 2)] == nil)
    #expect(results.snapshot[ListPlace(section: 2, item: 0)] == nil)
    #expect(results.snapshot.place(of: "d") == ListPlace(section: 1, item: 1))
    #expect(results.snapshot.section(of: "d") == "y")
    #expect(results.snapshot.place(of: "none") == nil)
  }
}
