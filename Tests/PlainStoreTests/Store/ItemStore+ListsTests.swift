@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct ItemStoreListsTests {
  private struct Contact: PlainModel {
    var id: String
    var name: String
    var rating: Int
    var group: String?
    static let defaults: Fields = ["rating": 0]
  }

  private static func contacts() throws -> (folder: TemporaryFolder, store: ItemStore) {
    let folder = try TemporaryFolder([
      "people/ada.yaml": "name: Ada\nrating: 9\ngroup: friends\n",
      "people/bob.yaml": "name: Bob \"B\" Brown\nrating: 3\n",
      "people/old/cleo.yaml": "name: Cleo\n", "peoples/dan.yaml": "name: Dan\nrating: 9\n",
      "todos/shop.yaml": "title: Shop\ndone: false\n",
      "people/bad.yaml": "name: Bad\nrating: many\n",
    ])
    return (folder, try ItemStore(at: folder.path))
  }

  @Test func `a list has the items of a folder that a predicate matches, in order`() throws {
    let (_, store) = try Self.contacts()
    let least = 3
    let best = try store.list(
      of: Contact.self, in: "people/", where: "rating >= \(least)", sort: "-rating", "name")
    #expect(best.snapshot.map(\.id) == ["people/ada", "people/bob"])
    let people = try store.list(of: Contact.self, in: "people/", sort: "-name")
    #expect(people.snapshot.map(\.name) == ["Cleo", "Bob \"B\" Brown", "Ada"])
    #expect(people.snapshot.first?.rating == 0)
  }

  @Test func `interpolated text is data`() throws {
    let (_, store) = try Self.contacts()
    for text in ["Bob \"B\"", "\" OR TRUEPREDICATE OR name = \"", "\\", "%@"] {
      let found = try store.list(of: Contact.self, where: "name CONTAINS[c] \(text)").snapshot
      #expect(found.map(\.id) == (text == "Bob \"B\"" ? ["people/bob"] : []), "\(text)")
    }
  }

  @Test func `a list has sections, a search text and a limit`() throws {
    let (_, store) = try Self.contacts()
    let groups = SectionDescriptor("group", order: ["friends", "family"])
    let list = try store.list(of: Contact.self, in: "people/", sort: "name", section: groups)
    #expect(
      list.snapshot.description
        == "3 items: friends [people/ada], family [], \"\" [people/bob, people/old/cleo]")
    #expect(try store.list(of: Contact.self, search: "ada").snapshot.count == 1)
    #expect(
      try store.list(of: Contact.self, in: "people/", sort: "name", limit: 1).snapshot.map(\.name) == [
        "Ada"
      ])
  }

  @Test func `a list of items has the same parts`() throws {
    let (_, store) = try Self.contacts()
    let items = try store.list(in: "people/", where: "name != nil", sort: "-name", search: "b", limit: 2)
    #expect(items.snapshot.map(\.id) == ["people/bob", "people/bad"])
    #expect(try store.list().snapshot.count == 6)
    #expect(try store.list(in: "nowhere/").snapshot.isEmpty)
  }

  @Test func `a folder is a path below the root, with or without a slash at its end`() throws {
    let (_, store) = try Self.contacts()
    for folder in ["people/", "people"] {
      #expect(try store.list(in: folder).snapshot.count == store.count(in: folder))
      #expect(try store.fetch(in: folder).map(\.id) == store.list(in: folder).snapshot.map(\.id))
      #expect(try store.list(in: folder).folder == "people")
      #expect(
        try store.fetch(of: Contact.self, in: folder, where: "rating >= 3").map(\.id)
          == store.list(of: Contact.self, in: folder, where: "rating >= 3").snapshot.map(\.id))
    }
    #expect(try store.count(in: "people/") > 0)
    #expect(try store.count(in: "people/") < store.count())
  }

  @Test(arguments: [
    "../people/", "..", "/people", "/", "people/../..", "people//old", "./people", "people/.",
  ])
  func `a folder that is not a path below the root is an error`(folder: String) throws {
    let (_, store) = try Self.contacts()
    #expect(throws: StoreError.self) { try store.list(in: folder) }
    #expect(throws: StoreError.self) { try store.list(of: Contact.self, in: folder) }
    #expect(throws: StoreError.self) { try store.fetch(in: folder) }
    #expect(throws: StoreError.self) { try store.fetch(of: Contact.self, in: folder) }
    #expect(throws: StoreError.self) { try store.count(in: folder) }
    #expect(throws: StoreError.self) { try store.count(of: Contact.self, in: folder) }
    #expect(throws: StoreError.self) { try store.makeEditScope().fetch(of: Contact.self, in: folder) }
  }

  @Test func `a malformed predicate that is set in a list shows nothing and is a warning`() throws {
    let (_, store) = try Self.contacts()
    let list = try store.list(in: "people/")
    #expect(!list.snapshot.isEmpty)
    #expect(list.snapshot.warnings.isEmpty)
    list.predicate = "rating >= "
    #expect(list.snapshot.isEmpty)
    #expect(!list.snapshot.warnings.isEmpty)
    list.predicate = nil
    #expect(!list.snapshot.isEmpty)
    #expect(list.snapshot.warnings.isEmpty)
  }

  @Test func `a malformed predicate is an error with a column`() throws {
    let (_, store) = try Self.contacts()
    let error = try #require(throws: ItemPredicateError.self) {
      try store.list(of: Contact.self, where: "rating >= ")
    }
    #expect(error.column > 1)
    #expect(throws: ItemPredicateError.self) { try store.count(where: "rating >=") }
  }

  @Test func `objects are fetched once`() throws {
    let (_, store) = try Self.contacts()
    let friends = try store.fetch(of: Contact.self, where: "group = \("friends")", sort: "name")
    #expect(Array(friends) == [Contact(id: "people/ada", name: "Ada", rating: 9, group: "friends")])
    #expect(try store.fetch(of: Contact.self, in: "peoples/", limit: 0).isEmpty)
    let latest = store.fetch(FetchRequest(sort: ["-rating"], limit: 1))
    #expect(latest.count == 1)
    #expect(store.fetch(FetchRequest(sort: ["name:nulls-first"])).first?.id == "todos/shop")
    #expect(
      try store.fetch(in: "people/", where: "rating > \(3)", sort: "-rating", limit: 5).sum("rating") == 9)
    #expect(try store.fetch().count == 6)
  }

  @Test func `a fetch throws the problem of an item that does not decode`() throws {
    let (folder, store) = try Self.contacts()
    defer { withExtendedLifetime(folder) {} }
    let problem = try #require(throws: Problem.self) { try store.fetch(of: Contact.self, in: "people/") }
    #expect(problem.path == "people/bad.yaml")
    #expect(problem.line == 2)
  }

  @Test func `items and objects are counted`() throws {
    let (_, store) = try Self.contacts()
    #expect(try store.count() == 6)
    #expect(try store.count(in: "people/") == 4)
    #expect(try store.count(where: "rating = \(9)") == 2)
    #expect(try store.count(of: Contact.self, in: "people/") == 3)
  }
}
