import DiffableSnapshot
import DirectoryWatch
import PlainText
import Testing

@testable import PlainStore

/// The rules of fetched results, each under its number, and the pitfalls of those who came before.
struct FetchedResultsTests {
  private static let grouped: EditedStore = [
    "a.yaml": ["g": "x", "n": 1], "b.yaml": ["g": "x", "n": 2], "c.yaml": ["g": "y", "n": 1], "d.yaml": ["g": "y", "n": 2],
  ]

  @Test func `F1: sections and sort keys cannot disagree, and sections have an order of their own`() {
    var store = Self.grouped
    #expect(store.results(FetchRequest(sort: ["-n"], section: SectionDescriptor("g"))).snapshot.text == "x: b a | y: d c")
    #expect(store.results(FetchRequest(sort: ["n"], section: SectionDescriptor("g", descending: true))).snapshot.text == "y: c d | x: a b")
    let named = SectionDescriptor("g", order: ["z", "y"])
    #expect(store.results(FetchRequest(sort: ["n"], section: named)).snapshot.text == "z:  | y: c d | x: a b")
  }

  @Test func `F2: nobody who listens, and the list is kept all the same`() {
    var store: EditedStore = ["a.yaml": ["n": 1]]
    let results = store.results(FetchRequest(sort: ["n"]))
    let before = results.snapshot
    store.edit(["b.yaml": ["n": 0]])
    #expect(results.snapshot.text == "b a" && before.text == "a")
  }

  @Test func `F3: one update says sections and items, and nothing is delivered for an empty change`() {
    var store = Self.grouped
    let follower = Follower(store.results(FetchRequest(sort: ["n"], section: SectionDescriptor("g"), fields: ["n"])))
    #expect(follower.next() == "snapshot a b c d")
    store.edit(["a.yaml": ["g": "w", "n": 1], "e.yaml": ["g": "x", "n": 9]])
    #expect(follower.next() == "files: [+w@0] >a@0 +e@1")
    store.edit(["a.yaml": ["g": "w", "n": 1, "note": "not shown"]])
    #expect(follower.next() == nil)
  }

  @Test func `F4: a deleted section counts before, an inserted one after, and sections move when their order changes`() {
    var store = Self.grouped
    let results = store.results(FetchRequest(section: SectionDescriptor("g")))
    let follower = Follower(results)
    #expect(follower.next() == "snapshot a b c d")
    store.edit(["a.yaml": nil, "b.yaml": nil, "e.yaml": ["g": "z"]])
    #expect(follower.next() == "files: [-x@0] [+z@1] -b(removed) -a(removed) +e@0")
    results.section?.isDescending = true
    #expect(["view: [>z@1-0]", "view: [>y@0-1]"].contains(follower.next()))
  }

  @Test func `F5: from counts in the list before, to in the list after, and an update carries both`() throws {
    var store: EditedStore = ["b.yaml": ["n": 1], "c.yaml": ["n": 1]]
    let subscription = store.results().subscribe()
    _ = subscription.takeEvent()
    store.edit(["a.yaml": ["n": 1], "b.yaml": nil, "c.yaml": ["n": 2]])
    let update = try #require(subscription.takeStep()?.update)
    #expect(
      update.diff.changes == [
        .delete("b", from: Place(section: "", index: 0)), .insert("a", to: Place(section: "", index: 0)),
        .update("c", from: Place(section: "", index: 1), to: Place(section: "", index: 1)),
      ])
    #expect(update.diff.changes.map(\.item) == ["b", "a", "c"] && update.new.text == "a c")
  }

  @Test func `F6: shifts are not reported`() {
    var store: EditedStore = ["b.yaml": [:], "c.yaml": [:], "d.yaml": [:]]
    let follower = Follower(store.results())
    _ = follower.next()
    store.edit(["a.yaml": [:]])
    #expect(follower.next() == "files: +a@0")
  }

  @Test func `F7: a move that also edits is one move with its fields`() throws {
    var store: EditedStore = ["a.yaml": ["n": 1], "b.yaml": ["n": 2]]
    let subscription = store.results(FetchRequest(sort: ["n"])).subscribe()
    _ = subscription.takeEvent()
    store.edit(["a.yaml": ["n": 3]])
    let update = try #require(subscription.takeStep()?.update)
    #expect(update.diff.changes.count == 1 && update.fieldChanges(of: "a")?.pointers == ["/n"])
    guard case .move("a", _, _, isUpdated: true) = update.diff.changes[0] else {
      Issue.record("\(update.diff.changes)")
      return
    }
  }

  @Test func `F9: entering and leaving the predicate or the search is an insert and a delete, with its reason`() throws {
    var store: EditedStore = ["a.yaml": ["n": 1], "b.yaml": ["n": 5]]
    let results = store.results(FetchRequest(predicate: try Predicate("n > 3")))
    let follower = Follower(results)
    #expect(follower.next() == "snapshot b")
    store.edit(["a.yaml": ["n": 4]])
    #expect(follower.next() == "files: +a@0")
    store.edit(["a.yaml": ["n": 0]])
    #expect(follower.next() == "files: -a(filtered)")
    results.search = "nothing has it"
    #expect(follower.next() == "view: -b(filtered)")
  }

  @Test func `F10: a section that becomes empty goes with its items; lowered, nothing moves into or out of such sections`() throws {
    var store = Self.grouped
    let subscription = store.results(FetchRequest(section: SectionDescriptor("g"))).subscribe()
    _ = subscription.takeEvent()
    store.edit(["a.yaml": ["g": "y"], "b.yaml": ["g": "z"]])
    let update = try #require(subscription.takeStep()?.update)
    #expect(update.diff.sections == [.delete("x", from: 0), .insert("z", to: 1)])
    let lowered = update.diff.loweredForListViews()
    #expect(lowered.changes.count == 4)
    for change in lowered.changes where change.from != nil && change.to != nil { Issue.record("\(change)") }
  }

  @Test func `F13: a change of the request is reported as its diff, of origin view`() throws {
    var store = Self.grouped
    let results = store.results(FetchRequest(sort: ["n"]))
    let follower = Follower(results)
    #expect(follower.next() == "snapshot a c b d")
    results.sort = ["-n", "-@id"]
    #expect(follower.next()?.hasPrefix("view: ") == true && results.snapshot.text == "d b c a")
    results.sort = ["-n", "-@id"]
    #expect(follower.next() == nil)
    results.predicate = try Predicate("g = 'x'")
    #expect(follower.next() == "view: -c(filtered) -d(filtered)")
    results.change {
      $0.predicate = nil
      $0.limit = 3
    }
    #expect(follower.next() == "view: +d@0 +c@2 -a(filtered)" || results.snapshot.text == "d b c")
  }

  @Test func `F16: the window is exact, whatever comes and goes around it`() {
    var store: EditedStore = ["b.yaml": [:], "c.yaml": [:], "d.yaml": [:], "e.yaml": [:]]
    let results = store.results(FetchRequest(limit: 2, offset: 1))
    let follower = Follower(results)
    #expect(follower.next() == "snapshot c d")
    store.edit(["a.yaml": [:]])
    #expect(follower.next() == "files: -d(filtered) +b@0")
    store.edit(["a.yaml": nil, "b.yaml": nil])
    #expect(follower.next() == "files: -c(filtered) -b(removed) +d@0 +e@1" || results.snapshot.text == "d e")
    results.window = 0..<2
    #expect(follower.next() == "view: -e(filtered) +c@0")
    results.limit = nil
    #expect(follower.next() == "view: +e@2")
    results.offset = 2
    #expect(follower.next() == "view: -d(filtered) -c(filtered)")
    results.window = nil
    #expect(follower.next() == "view: +c@0 +d@1" && results.window == nil)
  }

  @Test func `F17: sections with titles, index titles and counts, and objects by their places`() {
    var store = Self.grouped
    let results = store.results(FetchRequest(sort: ["n"], section: SectionDescriptor("g", titles: ["x": "Élan", "y": "zoo"])))
    #expect(results.sections.map(\.title) == ["Élan", "zoo"] && results.sections.map(\.count) == [2, 2])
    #expect(results.sectionIndexTitles == ["É", "Z"])
    #expect(results.fetchedObjects.map(\.id) == ["a", "b", "c", "d"])
    #expect(results.object(at: Place(section: "y", index: 1))?.id == "d")
    #expect(results.object(at: Place(section: "y", index: 2)) == nil && results.object(at: Place(section: "none", index: 0)) == nil)
    #expect(results.place(of: "d") == Place(section: "y", index: 1) && results.place(of: "none") == nil)
  }
}

extension FetchedResultsTests {
  @Test func `Pitfall: an edit and an insert above it in one batch have different places`() {
    var store: EditedStore = ["b.yaml": ["n": 1]]
    let follower = Follower(store.results())
    _ = follower.next()
    store.edit(["a.yaml": ["n": 1], "b.yaml": ["n": 2]])
    #expect(follower.next() == "files: +a@0 ~b@1")
  }

  @Test func `Pitfall: two items that swap are one move and one update, always the same way`() {
    var said: Set<String> = []
    for _ in 0..<20 {
      var store: EditedStore = ["a.yaml": ["n": 1], "b.yaml": ["n": 2]]
      let follower = Follower(store.results(FetchRequest(sort: ["n"])))
      _ = follower.next()
      store.edit(["a.yaml": ["n": 2], "b.yaml": ["n": 1]])
      said.insert(follower.next() ?? "")
    }
    #expect(said.count == 1)
    #expect(said.first == "files: *b@0 ~a@1" || said.first == "files: *a@1 ~b@0", "\(said)")
  }

  @Test func `Pitfall: an item that falls to its old index because one above was deleted did not move`() {
    var store: EditedStore = ["a.yaml": ["n": 1], "b.yaml": ["n": 2], "c.yaml": ["n": 3]]
    let follower = Follower(store.results(FetchRequest(sort: ["n"])))
    _ = follower.next()
    // b passes c, and stands at 1 again since a went.
    store.edit(["a.yaml": nil, "b.yaml": ["n": 4]])
    #expect(follower.next() == "files: -a(removed) *b@1")
    store.edit(["c.yaml": nil, "b.yaml": ["n": 9]])
    #expect(follower.next() == "files: -c(removed) ~b@0")
  }

  @Test func `Pitfall: an id twice is a problem that names both files, and the list goes on`() {
    var store: EditedStore = ["a.yaml": ["n": 1]]
    let follower = Follower(store.results())
    _ = follower.next()
    store.edit(["a.md": ["n": 2]])
    #expect(follower.next() == "files: ~a@0 raised a.yaml:1")
    #expect(follower.results.snapshot.problems.map(\.message) == ["The id a is taken by a.md, which comes first; rename one of them."])
  }

  @Test func `Pitfall: a problem alone is a step without an update`() {
    var store: EditedStore = ["a.yaml": ["n": 1]]
    let follower = Follower(store.results())
    _ = follower.next()
    store.fail("a.yaml")
    #expect(follower.next() == "raised a.yaml:1")
  }
}
