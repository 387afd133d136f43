import DiffableSnapshot
@testable import Store
@testable import Streams
import Testing
import Values

@testable import Query

struct PendingChangesTests {
  /// A list in which the changes of a store are pending.
  private struct Scene {
    var store: FakeStore
    let results: LiveList<Item>
    let steps: ListSubscription
    var pending: PendingChanges

    init(_ items: KeyValuePairs<String, Fields>, _ request: FetchRequest = FetchRequest(sort: ["n"])) {
      store = FakeStore(items)
      results = store.list(request)
      let (start, steps) = results.snapshotAndSteps()
      self.steps = steps
      pending = PendingChanges(after: start)
    }

    mutating func change(_ changes: KeyValuePairs<String, Fields?>, origin: UpdateOrigin = .files) {
      store.change(changes, origin: origin)
      collect()
    }

    mutating func collect() {
      if case .step(let update?, _)? = steps.consumeEvent() { pending.add(update) }
    }

    /// Applies a part and returns its changes.
    mutating func part(_ ids: Set<Item.ID>) throws -> String {
      let part = try #require(pending.part(ids))
      pending.acknowledge(part)
      return part.description
    }
  }

  @Test func `updates add up to one from the acknowledged list`() {
    var scene = Scene(["a": ["n": 1], "b": ["n": 2], "d": ["n": 2]])
    #expect(scene.pending.update == nil)
    scene.change(["a": ["n": 3]])
    scene.change(["c": ["n": 0], "b": ["n": 2, "m": 1]])
    #expect(scene.pending.update?.description == "+ c at 0\n> a 0 → 3, changed\n~ b at 1")
    #expect(scene.pending.acknowledged.text == "a b d")
    scene.change(["c": nil, "b": ["n": 2]])
    #expect(scene.pending.update?.description == "> a 0 → 2, changed")
    scene.change(["a": ["n": 1]])
    #expect(scene.pending.update == nil)
  }

  @Test func `a part has the places of the list in between`() throws {
    var scene = Scene(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3], "d": ["n": 4]])
    scene.change(["a": ["n": 5], "b": nil, "x": ["n": 0], "d": ["n": 4, "m": 1]])
    // x c d a in the end; the order of rows that have not moved yet stays.
    #expect(try scene.part(["a"]) == "> a 0 → 3, changed")
    #expect(scene.pending.acknowledged.text == "b c d a")
    #expect(try scene.part(["x", "d"]) == "+ x at 0\n~ d at 3")
    #expect(scene.pending.acknowledged.text == "x b c d a")
    #expect(scene.pending.part(["x"]) == nil)
    #expect(scene.pending.part([]) == nil)
    #expect(scene.pending.part(["none"]) == nil)
    #expect(try scene.part(["b", "none"]) == "- b from 1")
    #expect(scene.pending.update == nil)
    #expect(scene.pending.acknowledged.text == scene.results.snapshot.text)
  }

  @Test func `sections come with their first row and go with their last one`() throws {
    let request = FetchRequest(section: SectionDescriptor("g"))
    var scene = Scene(["a": ["g": "x"], "b": ["g": "x"], "c": ["g": "z"]], request)
    scene.change(["a": ["g": "y"], "b": ["g": "y"]])
    #expect(try scene.part(["b"]) == "+ section y at 0\n> b x[1] → y[0], changed")
    #expect(scene.pending.acknowledged.text == "y: b | x: a | z: c")
    #expect(try scene.part(["a"]) == "- section x from 1\n> a x[0] → y[0], changed")
    #expect(scene.pending.acknowledged.text == "y: a b | z: c")
  }

  @Test func `a named section that a part empties stays`() throws {
    let request = FetchRequest(section: SectionDescriptor("g", order: ["x", "y"]))
    var scene = Scene(["a": ["g": "x"], "b": ["g": "y"]], request)
    scene.change(["a": ["g": "y"], "b": ["g": "y", "m": 1]])
    #expect(try scene.part(["a"]) == "> a x[0] → y[0], changed")
    #expect(scene.pending.acknowledged.text == "x:  | y: a b")
  }

  @Test func `a section that comes between others stays where it is when those move`() throws {
    var scene = Scene(
      ["a": ["g": "a"], "b": ["g": "b"], "c": ["g": "c"]], FetchRequest(section: SectionDescriptor("g")))
    scene.results.section?.order = ["c", "n"]
    scene.collect()
    scene.change(["n": ["g": "n"], "a": ["g": "a", "m": 1]])
    let part = try #require(scene.pending.part(["n"]))
    #expect(part.new.text == "n: n | a: a | b: b | c: c")
    scene.pending.acknowledge(part)
    #expect(scene.pending.update?.diff.sections == [.move("c", from: 3, to: 0)])
  }

  @Test func `moved sections and titles belong to the last part`() throws {
    let request = FetchRequest(section: SectionDescriptor("g"))
    var scene = Scene(["a": ["g": "x"], "b": ["g": "y"]], request)
    scene.results.section = SectionDescriptor("g", descending: true, titles: ["x": "Ex", "y": "Why"])
    scene.change(["a": ["g": "x", "m": 1], "b": ["g": "y", "m": 1], "c": ["g": "z"]])
    let first = try #require(scene.pending.part(["a", "c"]))
    #expect(first.diff.changes.map(\.item) == ["c", "a"])
    #expect(first.diff.sections.map(\.section) == ["z"])
    #expect(first.new.title(of: "x") == nil)
    scene.pending.acknowledge(first)
    let last = try #require(scene.pending.update)
    #expect(last.diff.changes.map(\.item) == ["b"])
    #expect(Set(last.diff.sections.map(\.section)) == ["x", "y"])
    #expect(last.new.title(of: "x") == "Ex")
    scene.pending.acknowledge(last)
    #expect(scene.pending.update == nil)
  }

  @Test func `an update of sections alone has no parts`() throws {
    var scene = Scene(["a": ["g": "x"]], FetchRequest(section: SectionDescriptor("g")))
    scene.results.section?.titles = ["x": "Ex"]
    scene.collect()
    let update = try #require(scene.pending.update)
    #expect(update.diff.sections == [.update("x", from: 0, to: 0)])
    #expect(scene.pending.part(["a"]) == nil)
    scene.pending.acknowledge(update)
    #expect(scene.pending.update == nil)
  }

  @Test func `a change that is left out stays pending while others come and go`() throws {
    var scene = Scene(["bad": ["n": 1], "b": ["n": 2]])
    scene.change(["bad": ["n": 1, "m": 1], "b": ["n": 3]])
    #expect(try scene.part(["b"]) == "~ b at 1")
    for number in 4..<9 {
      scene.change(["b": ["n": .number(.integer(number))]])
      #expect(scene.pending.update?.diff.changes.map(\.item) == ["bad", "b"])
      #expect(scene.pending.update?.fieldChanges(of: "b")?.before == ["n": .number(.integer(number - 1))])
      _ = try scene.part(["b"])
    }
    #expect(scene.pending.acknowledged.row("bad")?.value.value == ["n": 1])
    scene.change(["bad": ["n": 1]])
    #expect(scene.pending.update == nil)
  }

  @Test func `occurrences of one item are applied one by one`() throws {
    var scene = Scene(
      ["a": ["tags": .list(["red", "blue"]), "n": 1]],
      FetchRequest(section: SectionDescriptor("tags", by: .element)))
    scene.change(["a": ["tags": .list(["red", "blue"]), "n": 2]])
    let red = Item.ID("a", in: "red")
    let part = try #require(scene.pending.part([red]))
    #expect(part.diff.changes.map(\.item) == [red])
    scene.pending.acknowledge(part)
    #expect(scene.pending.acknowledged.row(red)?.value.value["n"] == 2)
    #expect(scene.pending.acknowledged.row(Item.ID("a", in: "blue"))?.value.value["n"] == 1)
    #expect(scene.pending.update?.diff.changes.map(\.item) == [Item.ID("a", in: "blue")])
  }

  @Test func `an update that repeats what was acknowledged leaves no change out`() throws {
    var scene = Scene(["a": ["n": 1], "b": ["n": 2]])
    scene.change(["a": ["n": 1, "m": 1]])
    scene.pending.acknowledge(try #require(scene.pending.update))
    scene.steps.returnLastStep()
    // Since the returned step began, only `b` changed.
    scene.change(["a": ["n": 1], "b": ["n": 3]])
    #expect(scene.pending.update?.description == "~ a at 0\n~ b at 1")
  }

  @Test func `the cause, the origin and the time are those of what is pending`() throws {
    var scene = Scene(["a": ["n": 1], "b": ["n": 2]])
    scene.change(["a": ["n": 3]], origin: .git)
    let first = try #require(scene.pending.update)
    #expect(first.origin == .git)
    #expect(first.cause == .changed)
    scene.results.sort = ["-n"]
    scene.collect()
    #expect(scene.pending.update?.origin == .files)
    #expect(scene.pending.update?.cause == .view)
    // What was acknowledged no longer counts.
    scene.pending.acknowledge(first)
    #expect(scene.pending.update?.origin == .view)
    #expect(scene.pending.update?.cause == .view)
  }

  @Test func `an update of a view moves as few rows as possible`() {
    var scene = Scene([
      "a": ["n": 1, "m": 2], "b": ["n": 2, "m": 3], "c": ["n": 3, "m": 4], "d": ["n": 4, "m": 1],
    ])
    scene.results.sort = ["-n"]
    scene.collect()
    scene.results.sort = ["m"]
    scene.collect()
    #expect(scene.pending.update?.description == "> d 3 → 0")
  }
}
