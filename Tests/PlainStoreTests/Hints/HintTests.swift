@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct HintTests {
  private static let contacts = FakeStore([
    "ada": ["name": "Ada", "rating": 9], "bob": ["name": "Bob", "rating": 3],
  ])

  @Test func `an unknown field has a hint with the nearest field`() throws {
    var store = Self.contacts
    let hints = store.list(FetchRequest(sort: ["-raiting", "name"])).snapshot.hints
    #expect(hints.map(\.kind) == [.unknownField])
    #expect(hints.map(\.field) == ["raiting"])
    #expect(hints.map(\.suggestion) == ["rating"])
    #expect(hints.map(\.description) == ["no item has the field `raiting`. Did you mean `rating`?"])
  }

  @Test func `an unknown field without a similar one has advice`() {
    var store = Self.contacts
    let hints = store.list(FetchRequest(sort: ["colour"])).snapshot.hints
    #expect(hints.map(\.suggestion) == [nil])
    #expect(
      hints.map(\.message) == [
        "no item has the field `colour`. Check the name. In a predicate, put strings in quotes."
      ])
  }

  @Test func `a comparison of types that never match has a hint`() throws {
    var store = Self.contacts
    let hints = store.list(FetchRequest(predicate: ItemPredicate("rating > '5'"))).snapshot.hints
    #expect(hints.map(\.kind) == [.impossibleComparison])
    #expect(hints.map(\.field) == [nil])
    #expect(hints.first?.message.contains("compares a number with a string") == true, "\(hints)")
  }

  @Test func `a folder without items has a hint if another one has a similar name`() {
    var store = FakeStore(["people/old/ada": ["name": "Ada"], "books/notes": ["title": "Notes"]])
    let hints = store.list(FetchRequest(folder: "poeple/")).snapshot.hints
    #expect(hints.map(\.kind) == [.unknownFolder])
    #expect(hints.map(\.description) == ["no item is in the folder `poeple`. Did you mean `people`?"])
    #expect(store.list(FetchRequest(folder: "people/oldd")).snapshot.hints.map(\.kind) == [.unknownFolder])
    #expect(store.list(FetchRequest(folder: "people/")).snapshot.hints == [])
    #expect(store.list(FetchRequest(folder: "quotes/")).snapshot.hints == [])
  }

  @Test func `a good request has no hints, and neither has an empty store`() throws {
    var store = Self.contacts
    #expect(
      store.list(FetchRequest(sort: ["rating"], predicate: ItemPredicate("name = 'Ada'"))).snapshot.hints
        == [])
    var empty = FakeStore()
    #expect(empty.list(FetchRequest(sort: ["rating"])).snapshot.hints == [])
  }

  @Test func `a request of many unknown fields has few hints`() throws {
    var store = Self.contacts
    let sort = try (0..<20).map { try ItemSortDescriptor(parsing: "unknown\($0)") }
    #expect(store.list(FetchRequest(sort: sort)).snapshot.hints.count == 8)
  }

  @Test func `a list of an own type has hints`() throws {
    struct Contact: Decodable, Equatable {
      var name: String
    }
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\nrating: 9\n"])
    let store = try ItemStore(at: folder.path)
    let list = store.list(of: Contact.self, FetchRequest(predicate: ItemPredicate("raiting > 3")))
    #expect(list.snapshot.hints.map(\.suggestion) == ["rating"])
  }
}
