import Files
import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// Quotes and their authors.
@Suite(.timeLimit(.minutes(1)))
struct LinkTests {
  private struct Author: PlainModel {
    var id: String
    var name: String
  }

  private struct Quote: PlainModel {
    struct Source: Codable, Equatable {
      var editor: Link<Author>
    }

    var id: String
    var text: String
    var author: Link<Author>?
    var readers: [Link<Author>]?
    var sources: [String: Source]?
  }

  private static let files = [
    "quotes/one.yaml":
      "text: One\nauthor: people/ada\nreaders: [people/bob, 50% off]\nsources:\n  first: {editor: people/cleo}\n",
    "people/ada.yaml": "name: Ada\n", "people/bob.yaml": "name: Bob\n", "people/cleo.yaml": "name: Cleo\n",
  ]
  private static let quotes = FetchRequest(sort: ["text"])

  @Test func `a link is written as the id as it is`() throws {
    let quote = Quote(
      id: "one", text: "One", author: "50% off", readers: [Link(Author(id: "a/b", name: "A"))])
    let text = String(decoding: try JSONEncoder().encode(quote), as: UTF8.self)
    #expect(text.contains("\"author\":\"50% off\""))
    #expect(try JSONDecoder().decode(Quote.self, from: Data(text.utf8)) == quote)
    #expect(quote.author?.id == Item.ID("50% off"))
    #expect(quote.author?.description == "50%25 off")
    #expect(Link<Author>("a/b") == Link(Author(id: "a/b", name: "A")))
  }

  @Test func `links in fields, lists and maps resolve in a snapshot and in the store`() throws {
    let folder = try TemporaryFolder(Self.files)
    let store = try ItemStore(at: folder.path)
    let list = store.list(of: Quote.self, Self.quotes).snapshot
    let quote = try #require(list[id: "quotes/one"])
    #expect(list.resolve(quote.author)?.name == "Ada")
    #expect(ListSnapshot<Item>(list).resolve(quote.author)?.name == "Ada")
    #expect(try store.resolve(quote.author)?.name == "Ada")
    #expect(quote.readers?.map { list.resolve($0)?.name } == ["Bob", nil])
    #expect(list.resolve(quote.sources?["first"]?.editor)?.name == "Cleo")
    #expect(list.resolve(nil as Link<Author>?) == nil)
  }

  @Test func `the ids of all links are collected while decoding`() throws {
    let folder = try TemporaryFolder(Self.files)
    let list = try ItemStore(at: folder.path).list(of: Quote.self, Self.quotes).snapshot
    let links = try #require(list.model("quotes/one")?.links)
    #expect(links == ["people/ada", "people/bob", "50% off", "people/cleo"])
  }

  @Test func `a number or a date is a link to the item with this text`() throws {
    let folder = try TemporaryFolder([
      "a.yaml": "text: A\nauthor: 42\n", "b.yaml": "text: B\nauthor: 2024-01-31\n", "42.yaml": "name: N\n",
    ])
    let store = try ItemStore(at: folder.path)
    let list = store.list(of: Quote.self, Self.quotes).snapshot
    #expect(list.map(\.author?.id) == ["42", "2024-01-31"])
    #expect(list.resolve(list.first?.author)?.name == "N")
  }

  @Test(arguments: [
    ("author: [x]", "a string"), ("author: {a: b}", "a string"), ("author: true", "a string"),
  ])
  func `another value is not a link`(field: String, expected: String) throws {
    let folder = try TemporaryFolder(["a.yaml": "text: A\n\(field)\n"])
    let list = try ItemStore(at: folder.path).list(of: Quote.self, FetchRequest()).snapshot
    #expect(list.isEmpty)
    #expect(
      list.problems.map(\.message).filter { $0.hasPrefix("author: Expected \(expected)") }.count == 1,
      "\(list.problems)")
  }

  @Test func `a target that does not decode resolves to nil in a snapshot and throws in the store`() throws {
    let folder = try TemporaryFolder([
      "a.yaml": "text: A\nauthor: people/bad\n", "people/bad.yaml": "name: [x]\n",
    ])
    let store = try ItemStore(at: folder.path)
    let list = store.list(of: Quote.self, Self.quotes).snapshot
    let author = list[id: "a"]?.author
    #expect(list.resolve(author) == nil)
    #expect(throws: Problem.self) { try store.resolve(author) }
  }

  @Test func `a link follows a file that is renamed if the settings name an id field`() async throws {
    struct Person: PlainModel {
      var id: String
      var name: String
    }
    struct Note: Decodable, Equatable {
      var by: Link<Person>
    }
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": "id-field: uid\n", "note.yaml": "uid: n1\nby: p1\n",
      "ada.yaml": "uid: p1\nname: Ada\n",
    ])
    let store = try ItemStore(at: folder.path)
    let notes = store.list(of: Note.self, FetchRequest())
    #expect(notes.snapshot.resolve(notes.snapshot[id: "n1"]?.by)?.name == "Ada")
    try folder.remove("ada.yaml")
    try folder.write("uid: p1\nname: Ada Lovelace\n", to: "people/lovelace.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml", "people/lovelace.yaml"]))
    #expect(notes.snapshot.resolve(notes.snapshot[id: "n1"]?.by)?.name == "Ada Lovelace")
  }

  @Test func `a change of a linked item updates the list that shows it`() async throws {
    let folder = try TemporaryFolder(Self.files)
    let store = try ItemStore(at: folder.path)
    let quotes = try store.list(of: Quote.self, in: "quotes/")
    var updates = quotes.updates.makeAsyncIterator()
    #expect(await updates.next()?.isInitial == true)
    for (name, expected) in [("people/ada.yaml", "Ada L."), ("people/cleo.yaml", "Cleo P.")] {
      try folder.write("name: \(expected)\n", to: name)
      await store.scan(DirtyPaths(files: [try #require(RelativePath(printed: name))]))
      let update = try #require(await updates.next())
      #expect(update.description == "~ quotes/one at 0")
    }
    #expect(quotes.snapshot.resolve(quotes.snapshot.first?.author)?.name == "Ada L.")
    try folder.remove("people/ada.yaml")
    await store.scan(DirtyPaths(files: ["people/ada.yaml"]))
    let gone = try #require(await updates.next())
    #expect(gone.old.resolve(gone.old.first?.author)?.name == "Ada L.")
    #expect(gone.new.resolve(gone.new.first?.author) == nil)
    // A link that leads nowhere is updated when its target comes.
    try folder.write("name: Fifty\n", to: "50% off.yaml")
    await store.scan(DirtyPaths(files: [try #require(RelativePath(printed: "50%25 off.yaml"))]))
    #expect(await updates.next()?.reconfigured == ["quotes/one"])
  }

  @Test func `view models of links change with the targets, and only then`() async throws {
    let folder = try TemporaryFolder(Self.files)
    let store = try ItemStore(at: folder.path)
    let rows = try store.list(of: Quote.self, in: "quotes/").mapped { quote, resolve in
      "\(quote.text) by \(resolve(quote.author)?.name ?? "nobody")"
    }
    let upper = rows.mapped { $0.uppercased() }
    var updates = upper.updates.makeAsyncIterator()
    #expect(await updates.next().map { Array($0.new) } == ["ONE BY ADA"])
    // Another field of the target does not show, and another item's name neither.
    try folder.write("name: Ada\nborn: 1815\n", to: "people/ada.yaml")
    try folder.write("name: Robert\n", to: "people/bob.yaml")
    await store.scan(DirtyPaths(files: ["people/ada.yaml", "people/bob.yaml"]))
    try folder.write("name: Ada L.\n", to: "people/ada.yaml")
    await store.scan(DirtyPaths(files: ["people/ada.yaml"]))
    let update = try #require(await updates.next())
    #expect(update.changes.map(\.element) == ["ONE BY ADA L."])
    #expect(update.changes.map(\.before) == ["ONE BY ADA"])
    #expect(Array(rows.snapshot) == ["One by Ada L."])
  }
}
