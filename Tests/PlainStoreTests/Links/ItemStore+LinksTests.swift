import Files
import Models
import Query
@testable import Store
import TestSupport
import Testing
import Values

private struct Author: PlainModel {
  var id: String
  var name: String
  var mentor: Link<Author>?
}

private struct Book: PlainModel {
  var id: String
  var title: String
  var author: Link<Author>?
  var reviewers: [Link<Author>]?
  var editor: Link<Author>?
}

private struct Edition: PlainModel {
  var id: String
  var book: Link<Book>
}

@Suite(.timeLimit(.minutes(1)))
struct ItemStoreLinksTests {
  private static let files = [
    "people/ada.yaml": "name: Ada\n", "people/bob.yaml": "name: Bob\nmentor: people/ada # his\n",
    "books/one.yaml":
      "# The first.\ntitle: One\nauthor: people/ada # hers\nreviewers: [people/bob, people/ada]\n",
    "books/two.md":
      "---\ntitle: Two\nreviewers:\n- people/ada # again\n- people/bob\n- people/ada\n---\npeople/ada\n",
    "editions/1.yaml": "book: books/one\n",
  ]

  private static func store(_ folder: TemporaryFolder) throws -> ItemStore {
    let store = try ItemStore(at: folder.path, watching: true)
    store.register(Author.self, Book.self, Edition.self)
    return store
  }

  @Test func `the items with links to an item are found by the models of the store`() throws {
    let folder = try TemporaryFolder(Self.files)
    let store = try ItemStore(at: folder.path)
    #expect(store.items(linkingTo: "people/ada").isEmpty)
    _ = try store.list(of: Book.self, in: "books/")
    #expect(store.items(linkingTo: "people/ada").map(\.id) == ["books/one", "books/two"])
    store.register(Author.self, Edition.self)
    #expect(store.items(linkingTo: "people/ada").map(\.id) == ["books/one", "books/two", "people/bob"])
    #expect(store.items(linkingTo: "books/one").map(\.id) == ["editions/1"])
    #expect(store.items(linkingTo: "Ada").isEmpty)
  }

  @Test func `a rename changes the links to the item, and no other byte`() async throws {
    let folder = try TemporaryFolder(Self.files)
    let before = try folder.files
    let store = try Self.store(folder)
    let follower = Follower(store.list(FetchRequest()))
    _ = follower.next()
    let report = try await store.rename("people/ada", to: "people/lovelace")
    #expect(
      report.description
        == "people/ada: renamed to people/lovelace, books/one: updated, books/two: updated, people/bob: updated"
    )
    #expect(
      try folder.text(of: "books/one.yaml")
        == "# The first.\ntitle: One\nauthor: people/lovelace # hers\nreviewers: [people/bob, people/lovelace]\n"
    )
    #expect(
      try folder.text(of: "books/two.md")
        == "---\ntitle: Two\nreviewers:\n- people/lovelace # again\n- people/bob\n- people/lovelace\n---\npeople/ada\n"
    )
    #expect(follower.next() != nil)
    #expect(follower.next() == nil, "it is one update")
    try await store.save(report.inverse, atomically: true)
    #expect(try folder.files == before)
  }

  @Test func `an item with a link to itself keeps it`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\nmentor: ada\n"])
    let store = try Self.store(folder)
    try await store.rename("ada", to: "people/ada")
    #expect(try folder.text(of: "people/ada.yaml") == "name: Ada\nmentor: people/ada\n")
    try await store.delete("people/ada", links: .deny)
    #expect(try folder.files.isEmpty)
  }

  @Test func `a rename to an id in use changes nothing`() async throws {
    let folder = try TemporaryFolder(Self.files)
    let before = try folder.files
    let store = try Self.store(folder)
    let error = try await #require(throws: EditError.self) {
      try await store.rename("people/ada", to: "people/bob")
    }
    #expect(error.code == .exists)
    let missing = await #expect(throws: EditError.self) { try await store.rename("nobody", to: "x") }
    #expect(missing?.code == .notFound)
    #expect(try folder.files == before)
  }

  @Test func `a deletion with the rule deny is refused while there are links`() async throws {
    let folder = try TemporaryFolder(Self.files)
    let before = try folder.files
    let store = try Self.store(folder)
    let error = try await #require(throws: EditError.self) {
      try await store.delete("people/ada", links: .deny)
    }
    #expect(error.code == .linked)
    #expect(
      error.description
        == "people/ada.yaml: `books/one` and 2 more have links to it, so it was not deleted. "
        + "Remove the links, or delete it with `.nullify` or `.cascade`.")
    #expect(try folder.files == before)
    try await store.delete("editions/1", links: .deny)
    #expect(try folder.files.keys.contains("editions/1.yaml") == false)
  }

  @Test func `a deletion with the rule nullify removes the links, and no other byte`() async throws {
    let folder = try TemporaryFolder(Self.files)
    let before = try folder.files
    let store = try Self.store(folder)
    let report = try await store.delete("people/ada", links: .nullify)
    #expect(try folder.text(of: "people/bob.yaml") == "name: Bob\n")
    #expect(try folder.text(of: "books/one.yaml") == "# The first.\ntitle: One\nreviewers: [people/bob]\n")
    #expect(
      try folder.text(of: "books/two.md") == "---\ntitle: Two\nreviewers:\n- people/bob\n---\npeople/ada\n")
    #expect(try folder.files.keys.contains("people/ada.yaml") == false)
    try await store.save(report.inverse, atomically: true)
    #expect(try folder.files == before)
  }

  @Test func `a link that its type needs is not removed`() async throws {
    let folder = try TemporaryFolder(Self.files)
    let before = try folder.files
    let store = try Self.store(folder)
    let error = try await #require(throws: EditError.self) {
      try await store.delete("books/one", links: .nullify)
    }
    #expect(error.code == .linked)
    #expect(error.description.contains("editions/1.yaml: Its type needs the link `book` to `books/one`."))
    #expect(try folder.files == before)
  }

  @Test func `a deletion with the rule cascade deletes all items that lead to it`() async throws {
    let folder = try TemporaryFolder(Self.files)
    let before = try folder.files
    let store = try Self.store(folder)
    let report = try await store.delete("people/ada", links: .cascade)
    #expect(try folder.files.isEmpty)
    #expect(report.outcomes.count == 5)
    try await store.save(report.inverse, atomically: true)
    #expect(try folder.files == before)
  }

  @Test func `without models a deletion with a rule says that it cannot find links`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\n"])
    let error = try await #require(throws: EditError.self) { try await store.delete("ada", links: .cascade) }
    #expect(error.description.contains("store.register(Book.self)"))
    #expect(store.item("ada") != nil)
  }

  private struct Essay: PlainModel {
    var id: String
    var author: Link<Author>?  // was `writer`
    static let changes: [ModelChange] = [.renamed("writer", to: "author")]
  }

  @Test func `a link in a file of an older form holds, and the file keeps its form`() async throws {
    let folder = try TemporaryFolder([
      "ada.yaml": "name: Ada\n", "essays/1.yaml": "writer: ada # hers\nn: 1\n",
    ])
    let before = try folder.files
    let store = try ItemStore(at: folder.path)
    store.register(Essay.self)
    let report = try await store.rename("ada", to: "eve")
    #expect(try folder.text(of: "essays/1.yaml") == "writer: eve # hers\nn: 1\n")
    try await store.save(report.inverse, atomically: true)
    #expect(try folder.files == before)
    try await store.delete("ada", links: .nullify)
    #expect(try folder.text(of: "essays/1.yaml") == "n: 1\n")
  }

  private enum Source: Codable, Equatable {
    case person(Link<Author>)
    case pair(Link<Author>, Link<Author>?)
    case named(who: Link<Author>)
  }

  private struct Note: PlainModel {
    var id: String
    var source: Source?
    var sources: [Source]?
  }

  @Test func `links in the cases of an enumeration hold`() async throws {
    let text =
      "source: {person: ada} # one\nsources:\n- pair: [ada, bob]\n- named:\n    who: ada\n- person: {_0: ada}\n"
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "notes/1.yaml": text])
    let store = try ItemStore(at: folder.path)
    store.register(Note.self)
    #expect(store.items(linkingTo: "ada").map(\.id) == ["notes/1"])
    let report = try await store.rename("ada", to: "eve")
    #expect(try folder.text(of: "notes/1.yaml") == text.replacing("ada", with: "eve"))
    try await store.save(report.inverse, atomically: true)
    #expect(try folder.text(of: "notes/1.yaml") == text)
  }

  /// Random people and books, each with the ids of its links.
  private static func folder(_ random: inout SeededGenerator) throws -> TemporaryFolder {
    let people = (0..<4).map { "p/\($0)" }
    let folder = try TemporaryFolder()
    for id in people {
      let mentor = random.oneIn(2) ? "mentor: \(random.one(of: people)) # m\n" : ""
      try folder.write("name: \(id)\n\(mentor)", to: "\(id).yaml")
    }
    for number in 0..<4 {
      let author = random.oneIn(2) ? "author: \(random.one(of: people))\n" : ""
      let others = (0..<random.below(4)).map { _ in random.one(of: people) }
      let list =
        random.oneIn(2)
        ? "reviewers: [\(others.joined(separator: ", "))] # r\n"
        : "reviewers:\n" + others.map { "  - \($0) # x\n" }.joined()
      try folder.write("title: x # \(number)\n\(author)\(others.isEmpty ? "" : list)", to: "b/\(number).yaml")
    }
    return folder
  }

  private static func links(in store: ItemStore) throws -> [Item.ID: [Item.ID]] {
    var links: [Item.ID: [Item.ID]] = [:]
    for author in try store.fetch(of: Author.self, in: "p") {
      links[author.itemID] = [author.mentor?.id].compactMap { $0 }
    }
    for book in try store.fetch(of: Book.self, in: "b") {
      links[book.itemID] = [book.author?.id].compactMap { $0 } + (book.reviewers ?? []).map(\.id)
    }
    return links
  }

  @Test func `links hold whatever is renamed and deleted, and an undo brings all bytes back`() async throws {
    for seed in Randomness.seeds(30) {
      var random = SeededGenerator(seed: seed)
      let folder = try Self.folder(&random)
      let before = try folder.files
      let store = try ItemStore(at: folder.path)
      store.register(Author.self, Book.self)
      let old = try Self.links(in: store)
      let id: Item.ID = "p/\(random.below(4))"
      let report: SaveReport
      var expected = old
      switch random.below(3) {
      case 0:
        let newID: Item.ID = random.oneIn(2) ? "p/new" : "p/deep/er"
        report = try await store.rename(id, to: newID)
        expected[newID] = expected.removeValue(forKey: id)
        expected = expected.mapValues { $0.map { $0 == id ? newID : $0 } }
      case 1:
        report = try await store.delete(id, links: .nullify)
        expected[id] = nil
        expected = expected.mapValues { $0.filter { $0 != id } }
      default:
        report = try await store.delete(id, links: .cascade)
        var gone: Set<Item.ID> = [id]
        while let next = expected.first(where: { !gone.contains($0.key) && !gone.isDisjoint(with: $0.value) })
        {
          gone.insert(next.key)
        }
        for id in gone { expected[id] = nil }
      }
      #expect(try Self.links(in: store) == expected, "\(seedNote(seed)): \(report)")
      try await store.save(report.inverse, atomically: true)
      #expect(try folder.files == before, "\(seedNote(seed)): \(report)")
    }
  }
}
