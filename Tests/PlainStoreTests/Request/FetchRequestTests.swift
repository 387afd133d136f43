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
  }
}
