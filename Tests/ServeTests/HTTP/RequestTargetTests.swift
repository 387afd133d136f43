import HTTPTypes
import Serve
import Testing

struct RequestTargetTests {
  @Test func `A target is decoded once`() throws {
    let target = try RequestTarget("/item?id=friends%2Fada%2525&where=a%20%3E+1&flag")
    #expect(target.path == "/item")
    #expect(try target.value("id") == "friends/ada%25")
    #expect(try target.value("where") == "a > 1")
    #expect(try target.value("flag") == "")
    #expect(try target.value("other") == nil)
  }

  @Test(arguments: [
    "/item?id=%", "/item?id=%4", "/item?id=%zz", "/item?id=%+1", "/item?id=%ff", "/item?id=%00", "item", "",
  ])
  func `A malformed target is a bad request`(text: String) {
    #expect { try RequestTarget(text) } throws: { ($0 as? ProblemDocument)?.status == .badRequest }
  }

  @Test func `A parameter that is needed once is given once`() throws {
    let target = try RequestTarget("/item?id=a&id=b")
    #expect(throws: ProblemDocument.self) { try target.value("id") }
    #expect(target.values("id") == ["a", "b"])
  }
}
