@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

@Suite(.timeLimit(.minutes(1)))
struct LinkSavingTests {
  private struct Author: PlainModel {
    var id: String
    var name: String
  }

  private struct Quote: PlainModel {
    var id: String
    var text: String
    var author: Link<Author>?
    var readers: [Link<Author>]
    static let defaults: Fields = ["readers": []]
  }

  @Test func `an edit of another field leaves the bytes of links as they are`() async throws {
    let text = "text: One   # first\nauthor: 42  # a number\nreaders: [2024-01-31, 'b b', 1.0]\n"
    let folder = try TemporaryFolder(["one.yaml": text])
    let store = try ItemStore(at: folder.path)
    try await store.update("one", as: Quote.self) { $0.text = "Two" }
    #expect(try folder.bytes(of: "one.yaml") == Array(text.replacing("One", with: "Two").utf8))
  }

  @Test func `a link that is set is written as an id, and one that is removed has no field`() async throws {
    let folder = try TemporaryFolder(["one.yaml": "text: One\n"])
    let store = try ItemStore(at: folder.path)
    let ada = Author(id: "people/ada", name: "Ada")
    try await store.save(ada)
    try await store.update("one", as: Quote.self) {
      $0.author = Link(ada)
      $0.readers = ["people/ada", "50% off"]
    }
    let saved = String(decoding: try folder.bytes(of: "one.yaml"), as: UTF8.self)
    #expect(saved.hasPrefix("text: One\nauthor: people/ada\n"), "\(saved)")
    let quote = try #require(try store.object("one", as: Quote.self))
    #expect(quote.readers.map(\.id) == ["people/ada", "50% off"])
    #expect(try store.resolve(quote.author) == ada)
    try await store.update("one", as: Quote.self) { $0.author = nil }
    #expect(!String(decoding: try folder.bytes(of: "one.yaml"), as: UTF8.self).contains("author"))
  }

  @Test func `links of random ids are read as they were written, and no other byte changes`() async throws {
    for seed in Randomness.seeds(20) {
      let note = Comment(rawValue: seedNote(seed))
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryFolder(["one.yaml": "# kept\ntext: One # kept\nother: [1, 2]\n"])
      let store = try ItemStore(at: folder.path)
      let pieces = [
        "a", "7", "1.0", "2024-01-31", "%", "/", "é", "e\u{301}", "true", "null", "~", "x: y", "#", "'", "\"",
        "-", "@id", "%41",
      ]
      let ids = (0...random.below(3)).map { _ in
        Item.ID("n" + (0..<random.below(4)).map { _ in random.one(of: pieces) }.joined())
      }
      let plain = Item.ID(random.one(of: pieces))
      try await store.update("one", as: Quote.self) {
        $0.author = Link(plain)
        $0.readers = ids.map { Link($0) }
      }
      let quote = try #require(try store.object("one", as: Quote.self))
      #expect(quote.author?.id == plain, note)
      #expect(quote.readers.map(\.id) == ids, note)
      try await store.update("one", as: Quote.self) {
        $0.author = nil
        $0.readers = []
      }
      let text = String(decoding: try folder.bytes(of: "one.yaml"), as: UTF8.self)
      #expect(text.hasPrefix("# kept\ntext: One # kept\nother: [1, 2]\n"), note)
    }
  }
}
