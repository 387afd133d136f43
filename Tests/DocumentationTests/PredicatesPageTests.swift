import Foundation
import PlainStore
import Testing

/// The Swift code of `docs/predicates.md` compiles, and its predicates match what the page says.
@Suite struct PredicatesPageTests {
  @Test func `The page has no other code`() throws {
    let page = try DocumentationPage("docs/predicates.md", below: #filePath)
    #expect(page.lines.count == 5)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
  }

  @Test func `The predicates hold`() throws {
    let (text, field, line) = ("o\" OR TRUEPREDICATE", "full name", "rating > 3")
    let named: ItemPredicate = "name CONTAINS[cd] \(text) AND rating IN \(4...5)"
    let since: ItemPredicate = "due >= \(Date(timeIntervalSince1970: 0)) AND \(named)"
    let path: FieldPath = "\(field)"
    let chosen: ItemPredicate = "\(path) = \(text)"
    let typed = try ItemPredicate(line)
    let item: Value = [
      "name": .string("An \(text)."), "full name": .string(text), "rating": 4, "due": "2026-11-22",
    ]
    let other: Value = ["name": "Ada", "full name": "Ada", "rating": 4, "due": "2026-11-22"]
    #expect(
      [named, since, chosen, typed].map { $0.matches(item) } == [true, true, true, true])
    #expect(
      [named, since, chosen, typed].map { $0.matches(other) } == [false, false, false, true])
  }
}
