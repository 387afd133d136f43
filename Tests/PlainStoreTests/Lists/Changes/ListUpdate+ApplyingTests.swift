@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

private struct User: PlainModel {
  var id: Int
  var name: String
  var group: String
  var logins: Int
  static let defaults: Fields = ["group": "", "logins": 0]
}

/// Updates that are applied to the rows of a view.
@Suite(.timeLimit(.minutes(1)))
struct ListUpdateApplyingTests {
  /// What a list shows of an item.
  private struct Row: Equatable {
    let id: Item.ID
    let values: [Value?]

    init(_ item: Item, _ request: FetchRequest) {
      id = item.id
      values = request.fields.isEmpty ? [item.fields.value] : request.fields.map { item.value(at: $0) }
    }
  }

  private struct Rows: Equatable {
    var flat: [Row]
    var sections: [[Row]]
    var items: [Item.ID]

    init(_ list: ListSnapshot<Item>) {
      sections = list.sections.map { $0.map { Row($0, list.request) } }
      flat = sections.flatMap { $0 }
      items = flat.map(\.id)
    }
  }

  @Test func `the updates of a random list lead its rows to the new list`() throws {
    var moves = 0
    for seed in Randomness.seeds(150) {
      var random = SeededGenerator(seed: seed)
      let note = Comment(rawValue: seedNote(seed))
      var history = try RandomHistory(&random)
      var old = history.results.snapshot
      var rows = Rows(old)
      var items = Array(old)
      for _ in 0..<12 {
        for _ in 0...random.below(3) { try history.step(&random) }
        let new = history.results.snapshot
        let update = ListUpdate<Item>(from: old, to: new, touched: nil, origin: .files)
        moves += update.changes.count { $0.kind == .move }
        // A request with other fields shows other values of each row, which are no changes.
        if old.request.fields != new.request.fields { rows = Rows(old) }
        update.apply(to: &rows.flat) { Row($0, new.request) }
        update.apply(to: &rows.sections) { Row($0, new.request) }
        update.apply(to: &items)
        rows.items = items.map(\.id)
        guard old.request.fields == new.request.fields else {
          #expect(rows.items == Rows(new).items, note)
          (rows, old) = (Rows(new), new)
          continue
        }
        #expect(rows == Rows(new), note)
        old = new
      }
    }
    #expect(moves > 10)
  }

  @Test func `two rows that move to the front are applied`() async throws {
    let files = (1...8).map { ("\($0).yaml", "name: user \($0)\ngroup: \($0 < 5 ? "x" : "y")\n") }
    let store = try await ItemStore.temporary(Dictionary(uniqueKeysWithValues: files))
    let users = try store.list(of: User.self, sort: "name")
    let byGroup = try store.list(of: User.self, sort: "name", section: SectionDescriptor("group"))
    let names = users.mapped(\.name)
    var (updates, sectioned, titles) = (
      users.updates.makeAsyncIterator(), byGroup.updates.makeAsyncIterator(),
      names.updates.makeAsyncIterator()
    )
    var (rows, sections, flat, strings) = ([User](), [[User]](), [Int](), [String]())
    for round in 0..<2 {
      if round == 1 {
        try await store.update(["5", "8", "1"], as: User.self) { user in
          user.name = "aaa \(user.id)"
          if user.id == 1 { user.group = "z" }
        }
      }
      try #require(await updates.next()).apply(to: &rows)
      let update = try #require(await sectioned.next())
      update.apply(to: &sections)
      update.apply(to: &flat) { $0.id }
      try #require(await titles.next()).apply(to: &strings)
    }
    #expect(rows.map(\.id) == [1, 5, 8, 2, 3, 4, 6, 7])
    #expect(rows == Array(users.snapshot))
    #expect(sections.map { $0.map(\.id) } == [[2, 3, 4], [5, 8, 6, 7], [1]])
    #expect(flat == [2, 3, 4, 5, 8, 6, 7, 1])
    #expect(strings == Array(names.snapshot))
  }

  @Test func `a row that only moves is kept, and the first update replaces all rows`() async throws {
    final class Cell {
      let title: String
      init(_ title: String) { self.title = title }
    }
    let store = try await ItemStore.temporary(["1.yaml": "name: a\n", "2.yaml": "name: b\nlogins: 5\n"])
    let users = try store.list(of: User.self, sort: "-logins")
    var updates = users.updates.makeAsyncIterator()
    var cells = [Cell("old"), Cell("rows")]
    try #require(await updates.next()).apply(to: &cells) { Cell($0.name) }
    let (b, a) = (cells[0], cells[1])
    users.sort = ["logins"]
    try #require(await updates.next()).apply(to: &cells) { Cell($0.name) }
    #expect(cells.map(\.title) == ["a", "b"])
    #expect(cells[0] === a)
    #expect(cells[1] === b)
  }

  @Test func `rows that do not fit stop the program with the reason`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
      let results = store.list()
      let old = results.snapshot
      store.change(["c": ["n": 3]])
      var rows = ["a"]
      ListUpdate<Item>(from: old, to: results.snapshot, touched: nil, origin: .files).apply(to: &rows) {
        $0.id.description
      }
    }
    let error = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(error.contains("cannot be applied to 1 rows. Begin with the first update of `updates`"))
  }
}
