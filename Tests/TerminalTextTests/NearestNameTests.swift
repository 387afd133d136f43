import TerminalText
import Testing

struct NearestNameTests {
  private static let keys = ["sort", "section", "section-order", "where", "search", "limit", "offset"]

  @Test(
    arguments: [
      ("sorts", "sort"), ("sotr", "sort"), ("sort", "sort"), ("limt", "limit"), ("whre", "where"), ("xyz", nil), ("", nil),
      ("section_order", "section-order"),
    ] as [(String, String?)])
  func `the nearest key is at most two edits away`(word: String, nearest: String?) {
    #expect(Self.keys.nearest(to: word) == nearest)
  }

  @Test func `short names have no nearest key, and long words are compared fast`() {
    #expect(["ab"].nearest(to: "xy") == nil)
    #expect([String]().nearest(to: "a") == nil)
    #expect(["sort"].nearest(to: String(repeating: "sort", count: 1_000_000)) == nil)
  }
}
