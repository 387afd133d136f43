import Files
import TestSupport
import Testing

struct NearestNameTests {
  private static let keys = ["sort", "section", "section-order", "where", "search", "limit", "offset"]

  @Test(
    arguments: [
      ("sorts", "sort"), ("sort", "sort"), ("limt", "limit"), ("whre", "where"), ("xyz", nil), ("", nil),
      ("section_order", "section-order"), ("Limit", "limit"), ("sotr", "sort"),
    ] as [(String, String?)])
  func `the nearest key is at most two edits away`(word: String, nearest: String?) {
    #expect(Self.keys.nearest(to: word) == nearest)
  }

  @Test func `short words differ by one edit, and an exchange is one`() {
    #expect(["done", "due"].nearest(to: "doen") == "done")
    #expect(["due", "tags"].nearest(to: "tgas") == "tags")
    #expect(["search"].nearest(to: "srch") == "search")
    #expect(["edit", "get", "serve"].nearest(to: "init") == nil)
    #expect(["get", "serve"].nearest(to: "web") == nil)
  }

  @Test func `short names have no nearest key, and long words are compared fast`() {
    #expect(["ab"].nearest(to: "xy") == nil)
    #expect([String]().nearest(to: "a") == nil)
    #expect(["sort"].nearest(to: String(repeating: "sort", count: 1_000_000)) == nil)
  }

  @Test func `the nearest name has the smallest of all distances`() {
    var found = 0
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      func text() -> String {
        String((0..<generator.below(6)).map { _ in "abA".randomElement(using: &generator) ?? "a" })
      }
      let (word, names, limit) = (text(), (0..<5).map { _ in text() }, generator.below(4))
      let best = names.map {
        ($0, distance: Self.distance($0.lowercased().utf8[...], word.lowercased().utf8[...]))
      }.min {
        $0.distance < $1.distance
      }
      let expected = best.flatMap { $0.distance <= limit && $0.distance < $0.0.count ? $0.0 : nil }
      #expect(
        names.nearest(to: word, within: limit) == expected,
        "\(seedNote(seed)): \(word) among \(names) within \(limit)")
      if expected != nil { found += 1 }
    }
    #expect(found > 0)
  }

  /// Damerau's distance by its definition, for strings without exchanges across other edits.
  private static func distance(_ a: Substring.UTF8View, _ b: Substring.UTF8View) -> Int {
    guard let first = a.first, let second = b.first else { return a.count + b.count }
    let (rest, other) = (a.dropFirst(), b.dropFirst())
    var best = min(distance(rest, b), distance(a, other)) + 1
    best = min(best, distance(rest, other) + (first == second ? 0 : 1))
    if rest.first == second, other.first == first {
      best = min(best, distance(rest.dropFirst(), other.dropFirst()) + 1)
    }
    return best
  }
}
