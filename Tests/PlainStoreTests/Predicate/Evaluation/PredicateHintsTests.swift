import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

struct PredicateHintsTests {
  private static let items = [
    Item.sample(
      "a.yaml",
      [
        "stars": .number(.integer(25_000)), "updated": Value(text: "2024-05-01"),
        "tags": .list([.string("Gaming"), .string("new")]),
        "done": .bool(true),
        "name": .string("8"), "m": .map(["a": .number(.integer(1))]), "mixed": .number(.integer(1)),
        "affected": .list([.map(["package": .string("x"), "fixed": .number(.integer(1))])]),
      ]),
    Item.sample(
      "b.yaml", ["stars": .number(.integer(5)), "mixed": .string("x"), "empty": .list([]), "nothing": .null]),
  ]

  private func hints(_ text: String) throws -> [String] {
    try ItemPredicate(text).hints(about: PredicateHintsTests.items, in: PredicateTests.context)
  }

  @Test(arguments: [
    ("stars > \"20000\"", "a number with a string", "`stars > 20000`"),
    ("stars = 'many'", "a number with a string", "without quotes"),
    ("updated > 2024", "a date with a number", "`updated > 2024-01-01`"),
    ("tags CONTAINS \"Gam\"", "complete elements", "`ANY tags CONTAINS \"Gam\"`"),
    ("tags = \"new\"", "a list with a string", "`ANY tags = \"new\"`"),
    ("tags LIKE 'n*'", "a list with a string", "`ANY tags LIKE 'n*'`"),
    ("tags IN {'new'}", "a list with a string", "`ANY tags IN {'new'}`"),
    ("ANY tags > 3", "a string with a number", "`ANY tags > \"3\"`"),
    ("name = 8", "a string with a number", "`name = \"8\"`"),
    ("done = 'true'", "a boolean with a string", "`done = TRUE`"),
    ("done = 1", "a boolean with a number", "TRUE or FALSE"),
    ("name", "whether a value is true", "`name != nil`"),
    ("m = 'x'", "a map with a string", "`m.KEY`"), ("stars IN {'1', '2'}", "a number with a string", ""),
    ("stars BETWEEN {'1', '2'}", "a number with a string", ""),
    ("updated = stars", "a date with a number", ""),
    ("stars CONTAINS 2", "a number in a number", "`stars CONTAINS \"2\"`"),
    ("tags CONTAINS 5", "a list with a number", ""),
    ("stars > '1' AND done", "a number with a string", ""),
    ("stars > '1' OR stars < 0", "a number with a string", ""),
    ("ANY affected (package = 'x' AND fixed = '1')", "`fixed = '1'` compares a number", "`fixed = 1`"),
    ("name < @today", "a string with a date", ""),
  ])
  func `a comparison of types that never match has a hint`(text: String, types: String, instead: String)
    throws
  {
    let hints = try hints(text)
    #expect(hints.count == 1, "\(hints)")
    #expect(hints.first?.contains(types) == true, "\(hints)")
    #expect(instead.isEmpty || hints.first?.contains(instead) == true, "\(hints)")
  }

  @Test(arguments: [
    "stars > 90000", "name = 'x'", "tags CONTAINS 'zzz'", "ANY tags = 'zzz'", "missing > 'x'", "mixed > 'y'",
    "mixed = 7", "nothing = 3",
    "empty = {1}",
    "NOT stars > '20000'", "NONE tags > 3", "updated > 2030-01-01", "updated > @today + 1y", "stars IS NULL",
    "done = FALSE",
    "empty CONTAINS 'x'",
    "ANY empty = 3", "ANY affected (fixed = 3)", "FALSE", "stars IN {'1', 2}", "stars BEGINSWITH '9'",
    "name = nil",
  ])
  func `a comparison that values of these types can fulfil has no hint`(text: String) throws {
    #expect(try hints(text) == [])
  }

  @Test(arguments: [
    (
      "done AND stars LIKE '*' AND tags LIKE 'PATTERN'",
      "a list with a string, so no item matches. Write ANY before it.", 29
    ),
    ("stars > 'PATTERN'", "a number with a string, so no item matches. Write a number without quotes.", 1),
    ("m = 'PATTERN'", "a map with a string, so no item matches. Write one of its keys.", 1),
  ])
  func `a hint shows the beginning and the column of a long comparison`(
    text: String, types: String, column: Int
  ) throws {
    let pattern = String(repeating: "1a*", count: 10_000)
    let hint = try #require(try hints(text.replacing("PATTERN", with: pattern)).last)
    #expect(hint.contains("1a*1a*"))
    #expect(hint.contains("…` at column \(column) compares \(types)"), "\(hint)")
    #expect(hint.utf8.count < 300)
  }

  @Test func `a hint about a pattern that takes too long shows its beginning`() throws {
    let pattern = "*\(String(repeating: "?", count: 16_000))\(String(repeating: "a", count: 16_000))b*"
    let predicate = ItemPredicate("t LIKE \(pattern)")
    #expect(!predicate.matches(.map(["t": .string(String(repeating: "a", count: 1 << 17))])))
    let hint = try #require(predicate.consumeHint())
    #expect(hint.contains("“t LIKE \"*????"))
    #expect(hint.utf8.count < 300)
  }

  @Test func `a predicate of many comparisons has few hints`() throws {
    let text = (0..<100).map { "stars = 'x\($0)'" }.joined(separator: " OR ")
    #expect(try hints(text).count == 8)
  }

  @Test func `only an empty list has hints`() throws {
    let request = FetchRequest(predicate: ItemPredicate("stars > '1' OR done"))
    let state = StoreState(PredicateHintsTests.items, problems: [], settings: Settings(), version: 0)
    #expect(ListSnapshot<Item>(of: state, request: request).predicateHints == [])
    let empty = FetchRequest(predicate: ItemPredicate("stars > '1'"))
    #expect(ListSnapshot<Item>(of: state, request: empty).predicateHints.count == 1)
  }
}
