import Files
@testable import Models
import Query
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

private struct Contact: PlainModel {
  var id: String
  var name: String
  var rating: Int
  static let defaults: Fields = ["rating": 0]
}

/// A value that was read is saved after others changed its item.
@Suite(.timeLimit(.minutes(1)))
struct ItemStoreStaleModelTests {
  private static let files = ["ada.yaml": "name: Ada  # first\nborn: 1815\n"]

  private static func code(_ body: () async throws -> some Any) async -> ErrorCode? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? EditError)?.code ?? (error as? SaveError)?.code
    }
  }

  @Test func `a stale value that is saved without its original is a conflict`() async throws {
    let store = try await ItemStore.temporary(Self.files)
    let stale = try #require(try store.object("ada", as: Contact.self))
    try await store.update("ada", as: Contact.self) { $0.rating = 7 }
    let error = try await #require(throws: EditError.self) { try await store.save(stale) }
    #expect(error.code == .conflict)
    #expect(error.message.hasPrefix("There is an item with other values (/rating)."))
    #expect(error.conflict?.expected == nil)
    #expect(
      error.conflict.map { String(decoding: $0.found ?? [], as: UTF8.self) }
        == "name: Ada  # first\nborn: 1815\nrating: 7\n")
    #expect(
      await Self.code { try await store.save([stale, Contact(id: "bob", name: "Bob", rating: 1)]) }
        == .conflict)
    #expect(try store.object("bob", as: Contact.self)?.rating == 1)
    var draft = store.makeEditScope()
    try draft.save(stale)
    #expect(await Self.code { try await store.save(draft) } == .conflict)
    #expect(try store.object("ada", as: Contact.self)?.rating == 7)
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyObjectTrump, 0, SaveOutcome.Result.updated(isMerged: false)),
    (.overwrite, 0, .updated(isMerged: false)), (.mergeByPropertyStoreTrump, 7, .discarded),
    (.rollback, 7, .discarded),
  ])
  func `the merge policy decides between a value without its original and the item`(
    policy: MergePolicy, rating: Int, result: SaveOutcome.Result
  ) async throws {
    let store = try await ItemStore.temporary(Self.files)
    try await store.update("ada", as: Contact.self) { $0.rating = 7 }
    let outcome = try await store.save(Contact(id: "ada", name: "Ada", rating: 0), policy: policy)
    #expect(outcome.result == result)
    #expect(try store.object("ada", as: Contact.self)?.rating == rating)
  }

  @Test func `a value that the item has already is saved without a conflict`() async throws {
    let store = try await ItemStore.temporary(Self.files)
    #expect(try await store.save(Contact(id: "ada", name: "Ada", rating: 0)).result == .unchanged)
    #expect(try await store.save(Contact(id: "bob", name: "Bob", rating: 1)).result == .inserted)
    #expect(try await store.save(Contact(id: "bob", name: "Bob", rating: 1)).result == .unchanged)
  }

  @Test func `a new value that another program adds first is a conflict, unless it is the same`() async throws
  {
    let store = try await ItemStore.temporary(watching: false)
    var (same, other, inserted) = (store.makeEditScope(), store.makeEditScope(), store.makeEditScope())
    try same.save(Contact(id: "ada", name: "Ada", rating: 1))
    try other.save(Contact(id: "ada", name: "Ada", rating: 2))
    try inserted.insert(Contact(id: "ada", name: "Ada", rating: 1))
    var edits = EditScope()
    edits.insert("ada", text: Array("rating: 1\nname: Ada\n".utf8), format: .yaml)
    try ItemEditor(root: store.root).save(edits)
    #expect(try await store.save(same).outcomes.map(\.result) == [.unchanged])
    #expect(await Self.code { try await store.save(other) } == .conflict)
    #expect(await Self.code { try await store.save(inserted) } == .exists)
    #expect(
      try await store.replace(Contact(id: "ada", name: "Ada", rating: 2)).result == .updated(isMerged: false))
  }

  @Test func `replace overwrites the values of the model and no others, and can be undone`() async throws {
    let store = try await ItemStore.temporary(Self.files)
    let stale = try #require(try store.object("ada", as: Contact.self))
    try await store.update("ada", as: Contact.self) { ($0.name, $0.rating) = ("Ada King", 7) }
    let outcome = try await store.replace(stale)
    #expect(
      String(decoding: try store.fileBytes(at: #require(store.item("ada")).path), as: UTF8.self)
        == Self.files["ada.yaml"].map { $0 + "rating: 0\n" })
    try await store.save(outcome.inverse)
    #expect(try store.object("ada", as: Contact.self) == Contact(id: "ada", name: "Ada King", rating: 7))
    #expect(
      try await store.replace([stale, Contact(id: "bob", name: "Bob", rating: 1)]).outcomes.map(\.id) == [
        "ada", "bob",
      ])
    try await store.seed([Contact(id: "bob", name: "Bob", rating: 2)])
    #expect(try store.object("bob", as: Contact.self)?.rating == 2)
  }

  @Test func `replace in a draft overwrites what the draft saved before`() async throws {
    let store = try await ItemStore.temporary(Self.files)
    var draft = store.makeEditScope()
    try draft.save(Contact(id: "ada", name: "Ada", rating: 3))
    try draft.replace(Contact(id: "ada", name: "Ada", rating: 5))
    // Also the value that the draft has already.
    try draft.save(Contact(id: "ada", name: "Ada", rating: 6))
    try draft.replace(Contact(id: "ada", name: "Ada", rating: 6))
    try draft.save(Contact(id: "bob", name: "Bob", rating: 1))
    try draft.save(Contact(id: "bob", name: "Bob", rating: 2))
    try await store.save(draft)
    #expect(try store.fetch(of: Contact.self).map(\.rating) == [6, 2])
  }

  @Test func `two objects with one id are an error before anything is written`() async throws {
    let store = try await ItemStore.temporary()
    let objects = [
      Contact(id: "eve", name: "Eve", rating: 1), Contact(id: "ada", name: "A", rating: 1),
      Contact(id: "ada", name: "B", rating: 2),
    ]
    #expect(await Self.code { try await store.save(objects) } == .invalid)
    #expect(await Self.code { try await store.replace(objects) } == .invalid)
    #expect(store.count == 0)
  }

  @Test func `update returns the object and the way back`() async throws {
    let store = try await ItemStore.temporary(Self.files)
    let outcome = try await store.update("ada", as: Contact.self) { $0.rating = 5 }
    #expect(outcome.object == Contact(id: "ada", name: "Ada", rating: 5))
    #expect(outcome.result == .updated(isMerged: false))
    #expect("\(outcome)" == "ada: updated")
    try await store.save(outcome.inverse)
    #expect(
      String(decoding: try store.fileBytes(at: #require(store.item("ada")).path), as: UTF8.self)
        == Self.files["ada.yaml"])
  }

  @Test func `an addition to a list of a deleted item finds no item`() async throws {
    let store = try await ItemStore.temporary(Self.files)
    for edits in [
      [TextEdit.append("x", to: "tags")], [.removeValue("x", from: "tags")],
      [.append("x", to: "tags"), .set("rating", 1)],
    ] {
      var scope = store.makeEditScope()
      scope.update("ada", edits)
      try await store.delete("ada")
      let isRelative = edits.count == 1
      #expect(await Self.code { try await store.save(scope) } == (isRelative ? .notFound : .conflict))
      try await store.insert("ada", fields: ["name": "Ada"])
    }
  }

  private typealias Field = any WritableKeyPath<Counters, Int> & Sendable

  /// Each task owns a field, and writes its next number with values that may be stale.
  private struct Counters: PlainModel {
    var id: String
    var a = 0, b = 0, c = 0, d = 0

    static let fields: [Field] = [\.a, \.b, \.c, \.d]
  }

  private static func write(
    _ number: Int, to field: Field, of old: Counters, in store: ItemStore, _ way: Int
  ) async throws {
    var new = old
    new[keyPath: field] = number
    switch way {
    case 0: try await store.save(new)
    case 1: try await store.save(new, from: old)
    case 2: try await store.update("x", as: Counters.self) { $0[keyPath: field] = number }
    case 3: try await store.save([new])
    case 4: try await store.insert(new)
    case 5: try await store.save(new, from: old, policy: .mergeByPropertyObjectTrump)
    default:
      var draft = store.makeEditScope()
      if way == 6 { try draft.save(new) } else { try draft.save(new, from: old) }
      await Task.yield()
      try await store.save(draft)
    }
  }

  @Test(arguments: [1, 2]) func `no change of another task is undone without replace`(storeCount: Int)
    async throws
  {
    for seed in Randomness.seeds(6) {
      let note = Comment(rawValue: seedNote(seed))
      let folder = try TemporaryFolder(["x.yaml": "a: 0\nb: 0  # second\nc: 0\nd: 0\n"])
      let stores = try (0..<storeCount).map { _ in try ItemStore(at: folder.path) }
      let written = try await withThrowingTaskGroup(of: (Int, Int, Int).self) { group in
        for task in 0..<Counters.fields.count {
          group.addTask {
            var random = SeededGenerator(seed: seed &+ UInt64(task))
            let (store, field) = (stores[task % storeCount], Counters.fields[task])
            var known = try #require(try store.object("x", as: Counters.self))
            var (last, successes) = (0, 0)
            for number in 1...12 {
              if random.oneIn(2) { known = try store.object("x", as: Counters.self) ?? known }
              do {
                try await Self.write(number, to: field, of: known, in: store, random.below(8))
                (last, successes) = (number, successes + 1)
              } catch {
                let code = (error as? EditError)?.code ?? (error as? SaveError)?.code
                #expect(code == .conflict || code == .exists, "\(error) \(note)")
              }
            }
            return (task, last, successes)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(written.contains { $0.2 > 0 }, note)
      let found = try ItemEditor(root: folder.path).read("x").item.decode(Counters.self)
      for (task, last, _) in written {
        #expect(found[keyPath: Counters.fields[task]] == last, "\(task) \(note)")
      }
    }
  }
}
