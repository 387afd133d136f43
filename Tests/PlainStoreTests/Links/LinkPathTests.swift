import Files
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Folder
@testable import Query

/// Paths that pass links: predicates, orders, sections, searches and values of books by their authors.
@Suite(.timeLimit(.minutes(1)))
struct LinkPathTests {
  private struct Country: PlainModel {
    var id: String
    var name: String
  }

  private struct Author: PlainModel {
    var id: String
    var name: String
    var country: Link<Country>?
    var rating: Int
    static let defaults: Fields = ["rating": 1]
  }

  private struct Book: PlainModel {
    var id: String
    var title: String
    var author: Link<Author>?
    var reviewers: [Link<Author>]?
    var sequel: Link<Book>?
    enum CodingKeys: String, CodingKey { case id, title, author = "by", reviewers, sequel }
  }

  private static let files = [
    "books/one.yaml": "title: One\nby: people/ada\nreviewers: [people/bob, people/cleo]\nsequel: books/two\n",
    "books/two.yaml": "title: Two\nby: people/bob\nreviewers: [people/ada]\nsequel: books/three\n",
    "books/three.yaml": "title: Three\nby: people/gone\nsequel: books/one\n",
    "people/ada.yaml": "name: Ada\ncountry: uk\nrating: 9\n", "people/bob.yaml": "name: Bob\ncountry: fr\n",
    "people/cleo.yaml": "name: Cleo\ncountry: uk\nrating: 5\n", "uk.yaml": "name: UK\n",
    "fr.yaml": "name: France\n",
  ]

  private static func store() async throws -> ItemStore { try await ItemStore.temporary(files) }

  @Test(arguments: [
    ("by.name BEGINSWITH 'A'", "One"), ("by.name = nil", "Three"), ("by.name != 'Ada'", "Three Two"),
    ("by.country.name = 'France'", "Two"), ("by.rating = 1", "Two"), ("by = 'people/ada'", "One"),
    ("ANY reviewers.name = 'Ada'", "Two"), ("NONE reviewers.name = 'Ada'", "One Three"),
    ("ALL reviewers.country.name = 'UK'", "Three Two"), ("reviewers.@count = 2", "One"),
    ("reviewers.name.@count = 2", "One"), ("reviewers[0].name = 'Bob'", "One"),
    ("reviewers[LAST].country.name = 'UK'", "One Two"), ("reviewers.rating.@max = 9", "Two"),
    ("reviewers.@sum.rating = 6", "One"), ("sequel.by.name = 'Bob'", "One"),
    ("sequel.sequel.sequel.title = 'One'", "One"), ("sequel.title < title", "Three Two"),
    ("ANY reviewers (name = 'Cleo' AND rating > 4)", "One"),
    ("ANY reviewers (name = 'Bob' AND rating > 4)", ""),
    ("ANY reviewers (country.name = 'UK' AND @id CONTAINS 'two')", "Two"),
    ("ANY reviewers (SELF = 'people/ada')", "Two"), ("by.`@path` = 'people/ada.yaml'", "One"),
    ("title.name = nil AND by.name.x = nil", "One Three Two"),
  ])
  func `a predicate reads the linked items`(predicate: String, titles: String) async throws {
    let store = try await Self.store()
    let predicate = try ItemPredicate(predicate)
    let expected = titles.split(separator: " ").map(String.init)
    #expect(try store.fetch(of: Book.self, in: "books", where: predicate).map(\.title).sorted() == expected)
    #expect(try store.count(of: Book.self, in: "books", where: predicate) == expected.count)
    #expect(
      try store.list(of: Book.self, in: "books", where: predicate).snapshot.map(\.title).sorted() == expected)
    #expect(
      try store.makeEditScope().fetch(of: Book.self, in: "books", where: predicate).count == expected.count)
  }

  @Test func `an order, sections, a search and values read the linked items`() async throws {
    let store = try await Self.store()
    let list = try store.list(
      of: Book.self, in: "books", sort: "-by.name", section: "by.country.name", searchFields: ["by.name"])
    #expect(ListSnapshot<Item>(list.snapshot).text == "France: books/two | UK: books/one | : books/three")
    #expect(list.snapshot.max("by.rating") == 9)
    #expect(list.snapshot.sum("reviewers.rating") == 15)
    #expect(list.snapshot.counts(by: "by.name") == ["Ada": 1, "Bob": 1, "": 1])
    let groups = list.snapshot.grouped(by: SectionDescriptor("reviewers.country.name", by: .element))
    #expect(groups.map(\.id) == ["France", "UK", ""])
    #expect(groups.map { $0.map(\.title) } == [["One"], ["Two", "One"], ["Three"]])
    list.search = "bob"
    #expect(list.snapshot.map(\.title) == ["Two"])
    list.searchFields = ["reviewers.name"]
    #expect(list.snapshot.map(\.title) == ["One"])
    #expect(list.snapshot.hints.isEmpty)
  }

  @Test func `changes by a predicate read the linked items`() async throws {
    let store = try await Self.store()
    try await store.update(of: Book.self, in: "books", where: "by.country.name = 'UK'") { $0.title += "!" }
    #expect(
      try store.fetch(of: Book.self, in: "books", sort: "title").map(\.title) == ["One!", "Three", "Two"])
    try await store.delete(of: Book.self, in: "books", where: "ANY reviewers.name = 'Ada'")
    #expect(try store.fetch(of: Book.self, in: "books", sort: "title").map(\.title) == ["One!", "Three"])
  }

  @Test func `a field that the target does not have is an error with the nearest one`() async throws {
    let store = try await Self.store()
    for (path, message) in [
      ("by.nmae", "`Author`, which `by` links to, has no field `nmae`. Did you mean `name`?"),
      ("by.country.nam", "`Country`, which `by.country` links to, has no field `nam`. Did you mean `name`?"),
      ("reviewers[0].zzz", "`Author`, which `reviewers` links to, has no field `zzz`."),
      ("by.id", "`Author`, which `by` links to, has no field `id`. The id of an item is `by`."),
      ("author.name", "`Book` has no field `author.name`."),
    ] as [(String, String)] {
      let descriptor = ItemSortDescriptor(try FieldPath(parsing: path))
      let error = #expect(throws: StoreError.self) { try store.list(of: Book.self, sort: descriptor) }
      #expect(error?.message == message)
    }
    #expect(throws: StoreError.self) {
      try store.list(of: Book.self, where: "ANY reviewers (nmae = \("Ada"))")
    }
  }

  @Test func `a list follows the items that it reads through links, also of excluded items`() async throws {
    let store = try await Self.store()
    let list = try store.list(
      of: Book.self, in: "books", where: "by.name BEGINSWITH 'A'", sort: "by.name", section: "by.country.name"
    )
    var updates = list.updates.makeAsyncIterator()
    #expect(await updates.next()?.new.map(\.title) == ["One"])
    try await store.update("people/bob", as: Author.self) { $0.name = "Abe" }
    let update = try #require(await updates.next())
    // The other book has a reviewer with another name.
    #expect(Set(update.changes.map(\.id)) == ["books/two", "books/one"])
    #expect(update.reconfigured == ["books/one"])
    #expect(update.new.sections.map(\.id) == ["France", "UK"])
    try await store.update("fr", as: Country.self) { $0.name = "Z" }
    #expect(await updates.next()?.new.sections.map(\.id) == ["UK", "Z"])
    try await store.insert(Author(id: "people/gone", name: "Al", country: "uk", rating: 2))
    #expect(await updates.next()?.new.map(\.title) == ["One", "Three", "Two"])
    // The rename changes the link, too.
    try await store.rename("people/ada", to: "people/lovelace")
    #expect(await updates.next()?.new.map(\.title) == ["One", "Three", "Two"])
    try await store.delete("people/gone")
    #expect(await updates.next()?.new.map(\.title) == ["One", "Two"])
    list.predicate = "sequel.by.name = 'Abe'"
    #expect(await updates.next()?.new.map(\.title) == ["One"])
    try await store.update("books/two", as: Book.self) { $0.author = nil }
    #expect(await updates.next()?.new.map(\.title) == [])
  }

  @Test func `a list is updated also if only the linked item is different`() async throws {
    let store = try await Self.store()
    let list = try store.list(of: Book.self, in: "books", where: "by.name = 'Ada'")
    var updates = list.updates.makeAsyncIterator()
    _ = await updates.next()
    try await store.update("people/ada", as: Author.self) { $0.rating = 8 }
    #expect(await updates.next()?.reconfigured == ["books/one"])
  }

  @Test func `a list of items and a type without coding keys read the text of a link`() async throws {
    struct Open: PlainModel {
      var id: String
      var by: Link<Author>?
      enum Keys: String, CodingKey { case id, by }
      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        id = try values.decode(String.self, forKey: .id)
        by = try values.decodeIfPresent(Link<Author>.self, forKey: .by)
      }
      func encode(to encoder: any Encoder) throws {}
    }
    let store = try await Self.store()
    #expect(try store.list(in: "books", where: "by.name = 'Ada'").snapshot.isEmpty)
    #expect(try store.fetch(of: Open.self, in: "books", where: "by.name = 'Ada'").isEmpty)
  }

  @Test func `an item that no longer decodes follows the links of its last good version`() throws {
    var store = FakeStore([
      "books/a": ["title": "A", "by": "people/p"], "books/b": ["title": "B", "by": "people/q"],
      "people/p": ["name": "P"], "people/q": ["name": "Q"],
    ])
    let list = LiveList<Item>(
      store.state, request: FetchRequest(sort: ["by.name"], folder: "books"),
      decoding: ModelDecoder(Book.self) { _ in nil })
    var shown: [String] = []
    for (id, fields) in [
      ("books/a", ["title": ["x"], "by": "people/q"]), ("people/p", ["name": "Z"]),
      ("people/p", ["name": "A"]),
    ] as [(String, Fields)] {
      let before = store.state
      store.change([id: fields])
      let changes = StoreChanges(from: before, to: store.state)
      list.update(with: StoreStep(state: store.state, changes: changes, origin: .files))
      shown.append(list.snapshot.text)
    }
    #expect(list.snapshot.problems.count == 1)
    #expect(shown == ["books/a books/b", "books/b books/a", "books/a books/b"])
  }

  @Test func `the texts of a long list that is searched follow the linked items`() throws {
    var store = FakeStore(["people/ada": ["name": "Ada"], "people/bob": ["name": "Bob"]])
    for number in 0..<1_200 {
      store.change([
        "books/b\(number)": ["title": "T", "by": .string(number % 3 == 0 ? "people/ada" : "people/bob")]
      ])
    }
    let decoder = ModelDecoder(Book.self) { _ in nil }
    let list = LiveList<Item>(
      store.state, request: FetchRequest(folder: "books", searchFields: ["by.name"]), decoding: decoder)
    var shown: [Int] = []
    for (name, search) in [
      ("Ada", "a"), ("Ada", "ad"), ("Eve", "eve"), ("Eve", ""), ("Al", "a"), ("Al", "al"),
    ] {
      let before = store.state
      store.change(["people/ada": ["name": .string(name)]])
      let changes = StoreChanges(from: before, to: store.state)
      list.update(with: StoreStep(state: store.state, changes: changes, origin: .files))
      list.change { $0.search = search }
      shown.append(list.snapshot.count)
    }
    #expect(shown == [400, 400, 400, 1_200, 400, 400])
  }
}
