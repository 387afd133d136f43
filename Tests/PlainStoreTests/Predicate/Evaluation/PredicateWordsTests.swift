import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// `@text` in predicates.
struct PredicateWordsTests {
  private static let item = Item.sample(
    "garden/apple-tree.md",
    [
      "title": "Prune the „Boskoop“", "tags": .list(["fruit tree", .map(["deep": "snake_case"])]),
      "count": 12,
      "due": Value(text: "2026-03-01"),
    ])

  @Test(arguments: [
    "@text CONTAINS[cd] \"BOSKOOP\"", "@text CONTAINS \"Bosk\"", "@text CONTAINS \"apple-tree\"",
    "@text CONTAINS \"12\"", "@text CONTAINS 2026-03-01", "@text BEGINSWITH[c] \"bos\"",
    "@text BEGINSWITH \"the\"", "@text BEGINSWITH \"case\"", "@text BEGINSWITH \"tree\"",
    "tags.@text CONTAINS \"snake\"",
    "tags.@text BEGINSWITH \"tr\"", "`tags`.@text CONTAINS \"fruit tree\"", "@path.@text CONTAINS \".md\"",
    "tags.@count.@text CONTAINS \"2\"", "NOT missing.@text CONTAINS \"\"", "(@text) CONTAINS \"Prune\"",
    "ANY tags (@text CONTAINS \"snake\" AND SELF.@text CONTAINS \"case\")", "@text CONTAINS \"\"",
  ])
  func `texts are found`(text: String) throws {
    let predicate = try ItemPredicate(text)
    #expect(predicate.matches(PredicateWordsTests.item, in: .now))
    #expect(predicate.hints(about: [PredicateWordsTests.item], in: .now) == [])
  }

  @Test(arguments: [
    "@text CONTAINS \"boskoop\"", "@text BEGINSWITH[cd] \"oskoop\"", "@text BEGINSWITH \"6\"",
    "@text CONTAINS \"title\"", "@text CONTAINS \"treesnake\"", "tags.@text CONTAINS \"Prune\"",
    "missing.@text CONTAINS \"\"", "title.@text BEGINSWITH \"rune\"",
  ])
  func `texts are not found in keys, across values or in other fields`(text: String) throws {
    #expect(try !ItemPredicate(text).matches(PredicateWordsTests.item, in: .now))
  }

  @Test(arguments: [
    ("@text = \"a\"", 7, "expected CONTAINS or BEGINSWITH after @text"),
    ("@text LIKE \"a\"", 7, "expected CONTAINS or BEGINSWITH after @text"),
    ("@text CONTAINS 3", 16, "expected a string in quotes"),
    ("@text CONTAINS a", 16, "expected a string in quotes"),
    ("\"a\" IN @text", 8, "@text can only be on the left"),
    ("a IN {@text}", 7, "@text can only be on the left"),
    ("ANY @text CONTAINS \"a\"", 5, "@text can only be on the left"), ("@text", 6, "expected a comparison"),
    ("@text.a CONTAINS \"a\"", 7, "there is nothing below @text"),
    ("a.@text.@count = 1", 9, "there is nothing below @text"),
    ("@text IS NULL", 7, "expected CONTAINS or BEGINSWITH after @text"),
  ])
  func `a wrong use of texts is reported`(text: String, column: Int, message: String) {
    let error = #expect(throws: ItemPredicateError.self) { try ItemPredicate(text) }
    #expect(error?.column == column)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `texts name no fields, but the field before them`() {
    #expect(ItemPredicate("@text CONTAINS \"a\"").namedFields == [])
    #expect(ItemPredicate("tags.@text CONTAINS \"a\"").namedFields == ["tags"])
  }

  @Test(arguments: Randomness.seeds(20))
  func `a word that begins with a text is found as by comparing every place`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let text = (0..<random.below(40)).map { _ in random.one(of: ["a", "b", " ", "é", "„", "-"]) }.joined()
      let word = (0..<random.below(5)).map { _ in random.one(of: ["a", "b", " ", "-"]) }.joined()
      let folded = String(decoding: Folding.all.folded(text), as: UTF8.self)
      let isFound = folded.indices.contains { place in
        folded[place...].hasPrefix(word)
          && (place == folded.startIndex || !folded[folded.index(before: place)].isLetter)
      }
      let item = Item.sample("x", ["t": .string(text)])
      let predicate = ItemPredicate("t.@text BEGINSWITH[cd] \(word)")
      #expect(
        predicate.matches(item, in: .now) == isFound || word.isEmpty, "\(text) / \(word), \(seedNote(seed))")
    }
  }
}
