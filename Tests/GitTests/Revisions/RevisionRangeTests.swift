import Testing

@testable import Git

@Suite struct RevisionRangeTests {
  @Test func `revisions are parsed as by git diff`() throws {
    func range(_ words: String..., isStaged: Bool = false) throws -> [RevisionRange.Endpoint] {
      let range = try RevisionRange(words, isStaged: isStaged)
      return [range.from, range.to]
    }
    #expect(try range() == [.head, .workTree])
    #expect(try range(isStaged: true) == [.head, .index])
    #expect(try range("a") == [.revision("a"), .workTree])
    #expect(try range("a", isStaged: true) == [.revision("a"), .index])
    #expect(try range("a", "b") == [.revision("a"), .revision("b")])
    #expect(try range("a..b") == [.revision("a"), .revision("b")])
    #expect(try range("a..") == [.revision("a"), .revision("HEAD")])
    #expect(try range("..b") == [.revision("HEAD"), .revision("b")])
    #expect(try range("a...b") == [.mergeBase("a", "b"), .revision("b")])
    #expect(try range(":/fix a..b") == [.revision(":/fix a..b"), .workTree])
    #expect(try range("HEAD^{/a..b}") == [.revision("HEAD^{/a..b}"), .workTree])
  }

  @Test func `words that do not name one comparison are an error`() {
    for (words, isStaged) in [
      (["a", "b", "c"], false), (["a..b", "c"], false), (["a", "b"], true), (["a..b"], true),
    ] {
      #expect("\(words)") { try RevisionRange(words, isStaged: isStaged) } throws: {
        ($0 as? GitError)?.code == .usage
      }
    }
  }
}
