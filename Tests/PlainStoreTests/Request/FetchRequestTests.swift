@testable import Store
import Testing
import Values

@testable import Query

struct FetchRequestTests {
  @Test(
    arguments: [
      (nil, 0, 0..<Int.max), (10, 0, 0..<10), (10, 5, 5..<15), (0, 0, 0..<0), (0, 7, 7..<7),
      (nil, 7, 7..<Int.max), (.max, 7, 7..<Int.max),
      (.max, .max, .max ..< .max), (-1, -1, 0..<0), (nil, -5, 0..<Int.max),
    ] as [(Int?, Int, Range<Int>)])
  func `the window begins at the offset and never overflows`(limit: Int?, offset: Int, window: Range<Int>) {
    #expect(FetchRequest(limit: limit, offset: offset).window == window)
  }

  @Test func `only a limit or an offset makes a window`() {
    #expect(!FetchRequest().hasWindow)
    #expect(!FetchRequest(offset: -1).hasWindow)
    #expect(FetchRequest(limit: 0).hasWindow)
    #expect(FetchRequest(offset: 1).hasWindow)
  }

  @Test func `a second descriptor for one field is ignored`() {
    let request = FetchRequest(sort: ["-a", "b:exact", "a", "a:exact", "b", "/b", "c"])
    #expect(request.decidingSort == ["-a", "b:exact", "c"])
    #expect(FetchRequest().decidingSort == [])
  }

  @Test func `the ordering paths are those of the sort, the section, the predicate and the search`() throws {
    let request = FetchRequest(
      sort: ["-a", "b:exact"], section: SectionDescriptor("c"),
      predicate: ItemPredicate("d.e > 1 AND f = g"), searchFields: ["h"],
      fields: ["i"])
    #expect(Set(request.orderingPaths) == ["a", "b", "c", "d.e", "f", "g", "h"])
    let query = FetchRequest(query: try SearchQuery("i:x -j:>3 ~k l"))
    #expect(query.orderingPaths == ["i", "j"])
  }

  @Test func `the explanation is one predicate of all conditions`() throws {
    #expect(FetchRequest().explanation == "TRUEPREDICATE")
    #expect(FetchRequest(predicate: "a = 1 OR b = 2").explanation == "a = 1 OR b = 2")
    let request = FetchRequest(
      predicate: "a = 1 OR b = 2", search: "x", query: try SearchQuery("y -z"), searchFields: ["c", "d.e"])
    #expect(
      request.explanation
        == "(a = 1 OR b = 2) AND (`c`.@text CONTAINS[cd] \"x\" OR d.e.@text CONTAINS[cd] \"x\")"
        + " AND (`c`.@text CONTAINS[cd] \"y\" OR d.e.@text CONTAINS[cd] \"y\")"
        + " AND (NOT @text CONTAINS[cd] \"z\")")
    #expect(try ItemPredicate(request.explanation).text == request.explanation)
  }

  @Test func `a query may use today`() throws {
    #expect(!FetchRequest(query: try SearchQuery("due:<2026-01-01")).usesToday)
    #expect(FetchRequest(query: try SearchQuery("due:<@today")).usesToday)
  }

  @Test func `a query is a part of the description`() throws {
    #expect(FetchRequest(query: try SearchQuery("a OR b")).description == "query \"a OR b\"")
  }
}
