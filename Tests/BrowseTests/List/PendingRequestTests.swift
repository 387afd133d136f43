import Store
import Testing

@testable import Browse

@Suite struct PendingRequestTests {
  private func request(after changes: RequestChange..., base: FetchRequest = FetchRequest()) -> FetchRequest {
    var pending = PendingRequest()
    for change in changes { pending.add(change) }
    var request = FetchRequest(sort: ["old"], search: "old")
    pending.apply(to: &request, base: base)
    return request
  }

  @Test func `nothing is pending at the start`() {
    #expect(PendingRequest().isEmpty)
    #expect(request(after: []) == FetchRequest(sort: ["@relevance", "old"], search: "old"))
  }

  @Test func `the best matches come first while there is a search`() {
    #expect(request(after: .search("a")).sort == ["@relevance", "old"])
    #expect(request(after: .search("a"), .sort(["name"])).sort == ["@relevance", "name"])
    #expect(request(after: .search(" ")).sort == ["old"])
  }

  @Test func `only the newest of several searches is made`() {
    #expect(request(after: .search("a"), .search("ab")).typedSearch == "ab")
  }

  @Test func `the search of the view stays what it is when its line opens`() {
    var pending = PendingRequest()
    pending.add(.search("-draft"))
    let base = FetchRequest(search: "-draft")
    var request = FetchRequest(query: SearchQuery(typed: "other"))
    pending.apply(to: &request, base: base)
    #expect(request.search == "-draft")
    #expect(request.query == nil)
  }

  @Test func `another change ends the search for similar names`() {
    var pending = PendingRequest()
    pending.add(.sort(["name"]))
    var request = FetchRequest()
    request.query = SearchQuery(typed: "abc").fuzzy
    #expect(request.showsSimilarNames)
    pending.apply(to: &request, base: FetchRequest())
    #expect(!request.showsSimilarNames)
    #expect(request.typedSearch == "abc")
  }

  @Test func `no predicate means that of the view`() throws {
    let base = FetchRequest(predicate: ItemPredicate("rating > 3"))
    #expect(
      request(after: .predicate(ItemPredicate("a = 1")), .predicate(nil), base: base).predicate
        == base.predicate)
  }

  @Test func `a view replaces the sort, the section and the predicate before it, and keeps the search`()
    throws
  {
    var pending = PendingRequest()
    for change in [.search("ab"), .sort(["name"]), .section(nil), .predicate(nil), .view("friends")]
      as [RequestChange]
    {
      pending.add(change)
    }
    #expect(pending.view == .some("friends"))
    var request = FetchRequest(sort: ["view"], section: SectionDescriptor("group"))
    pending.apply(to: &request, base: FetchRequest())
    #expect(
      request
        == FetchRequest(
          sort: ["@relevance", "view"], section: SectionDescriptor("group"), query: SearchQuery(typed: "ab")))
  }

  @Test func `a change after a view is made in the view`() {
    var pending = PendingRequest()
    pending.add(.view(nil))
    pending.add(.sort(["-rating"]))
    #expect(pending.view == .some(nil))
    #expect(pending.changesParts)
    var request = FetchRequest()
    pending.apply(to: &request, base: FetchRequest())
    #expect(request.sort == ["-rating"])
  }

  private func request(after changes: [RequestChange]) -> FetchRequest {
    var request = FetchRequest(sort: ["old"], search: "old")
    PendingRequest().apply(to: &request, base: FetchRequest())
    return request
  }
}
