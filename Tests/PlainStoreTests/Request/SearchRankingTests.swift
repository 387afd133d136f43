import Files
import TestSupport
import Testing
import Values

@testable import Query

struct SearchRankingTests {
  private static func order(_ search: String, _ items: [(id: String, fields: Fields)]) throws -> [String] {
    var request = FetchRequest(search: search)
    request.sortsByRelevance = true
    let ranking = try #require(SearchRanking(request))
    var text = FoldedText()
    let ranks = items.map { id, fields in
      let item = Item.sample(RelativePath(bytes: "\(id).md".utf8), fields)
      return (id: id, rank: ranking.rank(of: ItemFields(item), SearchedText(fields: []), &text))
    }
    // Stable: equal ranks keep the order.
    return ranks.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(
      \.element.id)
  }

  @Test func `names come before fields, and fields before the body`() throws {
    let order = try SearchRankingTests.order(
      "pack",
      [
        ("body", ["title": "Trip", "body": "pack the tent"]), ("field", ["title": "Trip", "tags": ["pack"]]),
        ("inside", ["title": "Unpacking"]), ("word", ["title": "What to pack"]),
        ("start", ["title": "Packing list"]), ("exact", ["title": "Pack"]), ("pack", ["title": "Nothing"]),
        ("lists/packing", ["title": "Nothing"]),
      ])
    #expect(order == ["exact", "pack", "start", "lists/packing", "word", "inside", "field", "body"])
  }

  @Test func `a name with all words in a row comes first`() throws {
    let order = try SearchRankingTests.order(
      "ada lov",
      [
        ("a", ["name": "Lovelace, Ada"]), ("b", ["name": "Ada Lovelace"]),
        ("c", ["name": "Countess Ada Lovelace"]),
      ])
    #expect(order == ["b", "c", "a"])
  }

  @Test func `case and accents do not count`() throws {
    let order = try SearchRankingTests.order("elo", [("a", ["title": "Hello"]), ("b", ["title": "Élodie"])])
    #expect(order == ["b", "a"])
  }

  @Test func `only the first title of an item is a name`() throws {
    let order = try SearchRankingTests.order(
      "ada", [("a", ["name": "Ada", "title": "Notes"]), ("b", ["title": "About Ada"])])
    #expect(order == ["b", "a"])
  }

  @Test func `there is no ranking without a search or without the sort key`() {
    #expect(SearchRanking(FetchRequest(sort: [.relevance], search: " ")) == nil)
    #expect(SearchRanking(FetchRequest(search: "a")) == nil)
  }

  @Test func `any bytes in names and words are ranked`() throws {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      let letters = ["a", "b", "/", " ", "é", "中", "\u{301}", "-", "👩‍👧"]
      func text(_ count: Int) -> String { (0..<count).map { _ in random.one(of: letters) }.joined() }
      let title = text(random.below(12))
      let body = text(random.below(12))
      let search = text(1 + random.below(4))
      var request = FetchRequest(search: search)
      request.sortsByRelevance = true
      guard let ranking = SearchRanking(request) else { continue }
      var scratch = FoldedText()
      let item = Item.sample("n.md", ["title": .string(title), "body": .string(body)])
      let words = search.split(whereSeparator: \.isWhitespace).count
      let rank = ranking.rank(of: ItemFields(item), SearchedText(fields: []), &scratch)
      #expect(
        rank >= 0 && rank <= 6 * words + 6 * (6 * words + 1), "\(title) \(body) \(search); \(seedNote(seed))")
    }
  }
}
