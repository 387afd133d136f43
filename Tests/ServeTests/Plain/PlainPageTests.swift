import Foundation
import Serve
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct PlainPageTests {
  private static func files(_ count: Int) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: (0..<count).map { ("n\(1_000 + $0).yaml", "rating: \($0)\ngroup: g\($0 % 2)\n") })
  }

  /// Returns the addresses of the links with a text that begins so.
  private static func links(_ page: Answer, _ text: String) -> [String] {
    page.text.matches(of: /<a href="([^"]*)"[^>]*>([^<]*)<\/a>/).filter { $0.2.hasPrefix(text) }
      .map { $0.1.replacingOccurrences(of: "&amp;", with: "&") }
  }

  @Test func `a page has the list in sections, with totals`() async throws {
    let served = try await ServedFolder(Self.files(3))
    let page = try await served.get("/plain?section=group&search=")
    #expect(page.type == "text/html; charset=utf-8")
    #expect(page.text.contains("<p>3 items.</p>"))
    #expect(page.text.contains("<h2>g0 (2)</h2>"))
    #expect(
      page.text.contains(
        "<th scope=\"row\"><a href=\"plain?id=n1001&amp;section=group\">n1001</a></th><td class=\"number\">1</td>"
      ))
    #expect(!page.text.contains("<script"))
    #expect(!page.text.contains("style="))
  }

  @Test func `a long list has pages, whose links keep the view`() async throws {
    let served = try await ServedFolder(Self.files(450))
    let first = try await served.get("/plain?sort=-rating&section=group")
    #expect(first.text.contains("Page 1 of 3: items 1 to 200."))
    #expect(Self.links(first, "Previous").isEmpty)
    let next = try #require(Self.links(first, "Next").first)
    let second = try await served.get("/\(next)")
    #expect(second.text.contains("Page 2 of 3: items 201 to 400."))
    #expect(second.text.contains("<h2>g0 (225), continued</h2>"))
    #expect(second.text.contains("<h2>g1 (225)</h2>"))
    let end = try #require(Self.links(second, "Last").first)
    let last = try await served.get("/\(end)")
    #expect(last.text.contains("Page 3 of 3: items 401 to 450."))
    #expect(try await served.get("/plain?page=99").text.contains("Page 3 of 3"))
    let ids = [first, second, last].flatMap { page in page.text.matches(of: />(n\d+)<\/a>/).map { $0.1 } }
    #expect(Set(ids).count == 450)
    #expect(ids.count == 450)
  }

  @Test func `an error of a predicate is shown at its column`() async throws {
    let served = try await ServedFolder(Self.files(1))
    let page = try await served.get("/plain?where=rating+%3E")
    #expect(page.status == 400)
    #expect(page.text.contains("<pre>rating &gt;\n        ^</pre>"))
    #expect(page.text.contains("name=\"where\" value=\"rating &gt;\""))
  }

  @Test(arguments: [
    "/plain?nope=1", "/plain?page=0", "/plain?page=x", "/plain?limit=x", "/plain?view=none", "/plain?id=none",
  ])
  func `an error is a page`(target: String) async throws {
    let served = try await ServedFolder(Self.files(1))
    let page = try await served.get(target)
    #expect([400, 404].contains(page.status))
    #expect(page.type == "text/html; charset=utf-8")
    #expect(page.text.contains("role=\"alert\""))
  }

  @Test func `an empty list has its sentence, and named views are choices`() async throws {
    let settings = "views:\n  none:\n    where: rating > 100\n    empty: Nothing is that good.\n"
    let served = try await ServedFolder(Self.files(1).merging([".notes-watch.yaml": settings]) { $1 })
    let page = try await served.get("/plain?view=none")
    #expect(page.text.contains("<p>Nothing is that good.</p>"))
    #expect(page.text.contains("<option value=\"none\" selected>none</option>"))
    let filtered = try await served.get("/plain?view=none&where=rating+%3E+7&search=ada")
    #expect(filtered.text.contains("<p>No item matches the search and the filter.</p>"))
    #expect(!filtered.text.contains("Nothing is that good."))
  }

  @Test func `an item has its fields, its problems and its file`() async throws {
    let served = try await ServedFolder(["a.md": "---\nrating: 5\ntags: [x, y]\n---\nOne\nTwo <b>\n"])
    let page = try await served.get("/plain?id=a&sort=-rating")
    #expect(page.text.contains("<th scope=\"row\">tags</th><td>x, y</td>"))
    #expect(page.text.contains("<pre>---\nrating: 5"))
    #expect(page.text.contains("Two &lt;b&gt;"))
    #expect(Self.links(page, "Back to the list") == ["plain?sort=-rating"])
  }

  @Test func `a file with a problem is named at its row and below the list`() async throws {
    let served = try await ServedFolder(["a.yaml": "rating: [\n"])
    let page = try await served.get("/plain")
    #expect(page.text.contains("<h2 id=\"problems\">1 file with a problem</h2>"))
    #expect(page.text.contains("<li>a.yaml:"))
  }

  @Test(arguments: Randomness.seeds(60))
  func `nothing of an item becomes markup, and control characters are visible`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    var texts: [String] = [
      "<script>alert(1)</script>", "\" onclick=\"x", "</title><b>", "&lt;", "--><!--", "</pre>", "'>",
    ]
    for _ in 0..<6 {
      texts.append(
        generator.hostileText() + generator.one(of: ["<", ">", "&", "\"", "'", "</td>"])
          + generator.hostileText())
    }
    var files: [String: String] = [:]
    for (number, text) in texts.enumerated() {
      let json = String(
        decoding: try JSONSerialization.data(withJSONObject: ["a": text, text + "k": [text], "g": text]),
        as: UTF8.self)
      files["n\(number).json"] = json
    }
    files["<img src=x>&'\".yaml"] = "a: 1\n"
    let served = try await ServedFolder(files)
    let targets =
      ["/plain?section=g", "/plain?sort=a&search=%3Cb%3E", "/plain?fields=a,g"]
      + (0..<texts.count).map { "/plain?id=n\($0)" }
    for target in targets {
      let page = try await served.get(target)
      #expect(page.status == 200, "\(seedNote(seed))")
      let elements = Set(
        page.text.unicodeScalars.split(separator: "<", omittingEmptySubsequences: false).dropFirst().map(
          Self.name))
      #expect(elements.subtracting(Self.elements) == [], "\(target), \(seedNote(seed))")
      let controls = page.text.unicodeScalars.filter {
        $0.properties.generalCategory == .control && $0 != "\n"
      }
      #expect(controls.isEmpty, "\(target), \(seedNote(seed))")
      let bidi = page.text.unicodeScalars.filter {
        (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
      }
      #expect(bidi.isEmpty, "\(target), \(seedNote(seed))")
    }
  }

  /// Returns the name of the element that begins after a `<`.
  private static func name(_ markup: Substring.UnicodeScalarView) -> String {
    String(markup.drop { $0 == "/" }.prefix { $0 != ">" && !$0.properties.isWhitespace }).lowercased()
  }

  /// The elements that pages have.
  private static let elements: Set<String> = Set(
    """
    !doctype html head meta title link body header h1 p a form label input select option button main nav ul li h2 table thead tbody \
    tr th td pre strong
    """.split(separator: " ").map(String.init))
}
