import Files
import Foundation
@testable import Store
import Testing
import Values

@testable import Query

struct ItemFilterTests {
  private static let item = Item.sample(
    "friends/ada-1815.md",
    [
      "name": "Ada Lovelace", "city": "Zürich", "born": "1815-12-10", "rating": 8, "done": true,
      "price": .number(.double(1.5)),
      "none": .null,
      "tags": .list(["Mathe", .map(["deep": "Größe"])]), "body": "caf\u{65}\u{301} au\nlait",
    ])

  private static func fits(_ search: String, in fields: [FieldPath] = [], where predicate: String? = nil)
    throws -> Bool
  {
    let request = FetchRequest(
      predicate: try predicate.map { try ItemPredicate($0) }, search: search, searchFields: fields)
    var text = FoldedText()
    return ItemFilter(request, context: .now).fits(ItemFields(item), &text)
  }

  @Test(arguments: [
    "", "  ", "ada", "LOVE", "ada lovelace", "lovelace ada", "ada zurich", "ZÜRICH", "grosse", "größe",
    "cafe", "CAFÉ lait", "1815-12", "8",
    "1.5", "true",
    "mathe", "friends", "ada-18", "friends/ada", "a a a", "\tada\u{a0}zurich\n",
  ])
  func `each word is found in a scalar or in the id`(search: String) throws {
    #expect(try ItemFilterTests.fits(search))
  }

  @Test(arguments: [
    "adam", "ada bob", "name", "deep", "null", "adalovelace", "lovelacez", "mathegr", "lovelace1815", ".md",
  ])
  func `a word is not found in keys or across two values`(search: String) throws {
    #expect(try !ItemFilterTests.fits(search))
  }

  @Test func `search fields restrict the search`() throws {
    #expect(try ItemFilterTests.fits("ada", in: ["name"]))
    #expect(try ItemFilterTests.fits("grosse", in: ["tags"]))
    #expect(try ItemFilterTests.fits("ada zurich", in: ["name", "city"]))
    #expect(try ItemFilterTests.fits("md", in: ["@ext"]))
    #expect(try !ItemFilterTests.fits("zurich", in: ["name"]))
    #expect(try !ItemFilterTests.fits("ada", in: ["missing"]))
    // The id is searched only if it is one of the fields.
    #expect(try !ItemFilterTests.fits("friends", in: ["name"]))
    #expect(try ItemFilterTests.fits("friends lovelace", in: ["name", "@id"]))
  }

  @Test func `the predicate and the search must both match`() throws {
    #expect(try ItemFilterTests.fits("ada", where: "rating > 7"))
    #expect(try !ItemFilterTests.fits("ada", where: "rating > 8"))
    #expect(try !ItemFilterTests.fits("bob", where: "rating > 7"))
  }

  @Test func `scratch space is cleared between items`() throws {
    let filter = ItemFilter(FetchRequest(search: "ada"), context: .now)
    var text = FoldedText()
    #expect(filter.fits(ItemFields(ItemFilterTests.item), &text))
    #expect(!filter.fits(ItemFields(.sample("b.md", [:])), &text))
  }

  @Test func `a filter that matches every item is empty`() throws {
    #expect(ItemFilter(FetchRequest(search: " \n"), context: .now).isEmpty)
    #expect(!ItemFilter(FetchRequest(search: "a"), context: .now).isEmpty)
    #expect(!ItemFilter(FetchRequest(predicate: ItemPredicate("TRUEPREDICATE")), context: .now).isEmpty)
  }

  @Test(arguments: [
    ("r", "re", true), ("re", "r", false), ("re", "RÉD", true), ("b", "red ab", true), ("a b", "ab", true),
    ("a b", "a", false),
    ("", "x", true),
    ("x", "", false), ("re", "re", true),
  ])
  func `a longer search text is narrower`(old: String, new: String, isNarrower: Bool) {
    func filter(_ search: String) -> ItemFilter { ItemFilter(FetchRequest(search: search), context: .now) }
    #expect(filter(new).isNarrower(than: filter(old)) == isNarrower)
  }

  @Test func `a longer word of a query is narrower, and so is another condition`() throws {
    func filter(_ query: String) throws -> ItemFilter {
      ItemFilter(FetchRequest(query: try SearchQuery(query)), context: .now)
    }
    #expect(try filter("ab").isNarrower(than: filter("a")))
    #expect(try filter("a -b").isNarrower(than: filter("a")))
    #expect(try !filter("a").isNarrower(than: filter("a -b")))
    #expect(try !filter("a OR b").isNarrower(than: filter("a")))
    #expect(try filter("ab t:x").isNarrower(than: filter("a t:x")))
  }

  @Test func `search fields restrict the plain words of a query`() throws {
    func fits(_ query: String) throws -> Bool {
      var text = FoldedText()
      let request = FetchRequest(query: try SearchQuery(query), searchFields: ["name"])
      return ItemFilter(request, context: .now).fits(ItemFields(ItemFilterTests.item), &text)
    }
    #expect(try fits("lovelace \"ada love\" city:zurich"))
    #expect(try !fits("zurich"))
  }

  @Test func `another predicate, other search fields or another day are not known to be narrower`() throws {
    let today = PredicateContext.now
    let tomorrow = PredicateContext(at: Date(timeIntervalSinceNow: 86_400))
    func filter(
      _ predicate: String?, _ search: String = "", _ fields: [FieldPath] = [], _ day: PredicateContext
    ) throws -> ItemFilter {
      let predicate = try predicate.map { try ItemPredicate($0) }
      return ItemFilter(
        FetchRequest(predicate: predicate, search: search, searchFields: fields), context: day)
    }
    let dated = try filter("due <= @today", "a", [], today)
    #expect(try filter("due <= @today", "ab", [], today).isNarrower(than: dated))
    #expect(try !filter("due <= @today", "ab", [], tomorrow).isNarrower(than: dated))
    #expect(try filter("n > 1", "ab", [], tomorrow).isNarrower(than: filter("n > 1", "a", [], today)))
    #expect(try filter("n > 1", "a", [], today).isNarrower(than: filter(nil, "a", [], today)))
    #expect(try !filter(nil, "a", [], today).isNarrower(than: filter("n > 1", "a", [], today)))
    #expect(try !filter("n > 2", "", [], today).isNarrower(than: filter("n > 1", "", [], today)))
    #expect(try !filter(nil, "ab", ["n"], today).isNarrower(than: filter(nil, "a", [], today)))
    #expect(try filter(nil, "ab", ["n"], today).isNarrower(than: filter(nil, "", [], today)))
  }
}
