@testable import Store
import Testing
import Values

@testable import Query

struct FetchRequestRebasingTests {
  @Test func `rebasing keeps the changed parts and adopts the others`() {
    let old = FetchRequest(sort: ["n"], search: "a", limit: 5, offset: 1, emptyText: "x")
    var own = old
    own.search = "b"
    own.limit = nil
    let new = FetchRequest(
      sort: ["-n"], section: SectionDescriptor("g"), search: "c", fields: ["n"], limit: 9, offset: 2)
    let rebased = own.rebased(from: old, onto: new)
    #expect(
      rebased
        == FetchRequest(
          sort: ["-n"], section: SectionDescriptor("g"), search: "b", fields: ["n"], limit: nil, offset: 2))
    #expect(old.rebased(from: old, onto: new) == new)
  }

  @Test func `rebasing keeps a query that was changed`() throws {
    let (a, b, c) = (try SearchQuery("a"), try SearchQuery("b"), try SearchQuery("c"))
    let (old, own, new) = (FetchRequest(query: a), FetchRequest(query: b), FetchRequest(query: c))
    #expect(own.rebased(from: old, onto: new).query == b)
    #expect(old.rebased(from: old, onto: new).query == c)
  }
}
