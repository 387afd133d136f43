import Foundation
import Testing

/// The shape of the Markdown pages: their links, their width and their length.
@Suite struct PagesTests {
  @Test func `Every page is found`() throws {
    let expected: Set = [
      "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/commands.md", "docs/items.md",
      "docs/predicates.md",
      "docs/stream.md", "docs/scripts.md", "docs/daemon.md", "docs/git.md", "docs/merges.md",
      "docs/library.md", "docs/saving.md", "docs/migrating.md", "docs/architecture.md",
      "docs/editors-and-git.md", "docs/http.md", "docs/install.md", "docs/serve.md", "docs/words.md",
      "docs/how-to-lose-data.md", "docs/building-blocks.md", "docs/coming-from-core-data.md",
      "docs/coming-from-grdb-or-swiftdata.md", "SampleData/README.md", "SampleData/colors/README.md",
      "SampleData/contacts/README.md",
      "SampleData/quotes/README.md", "SampleData/todos/README.md", "SampleData/users/README.md",
    ]
    #expect(expected.subtracting(MarkdownPage.all).isEmpty)
  }

  @Test(arguments: MarkdownPage.all) func `Prose is at most 100 columns wide`(path: String) throws {
    let lines = try MarkdownPage(path).prose
    #expect(lines.count > 5)
    #expect(lines.filter { $0.text.count > 100 && !$0.text.hasPrefix("|") }.map(\.number).isEmpty)
  }

  @Test(arguments: [("README.md", 120), ("CONTRIBUTING.md", 90)]) func `A front page is short`(
    path: String, limit: Int
  ) throws {
    #expect(try MarkdownPage(path).text.count { $0 == "\n" } <= limit)
  }

  @Test(arguments: MarkdownPage.all) func `Links lead to files and headings that exist`(path: String) throws {
    let page = try MarkdownPage(path)
    let folder = MarkdownPage.top.appendingPathComponent(path).deletingLastPathComponent()
    for target in page.prose.flatMap({ $0.text.matches(of: /\]\(([^)]+)\)/) }).map(\.output.1)
    where !target.hasPrefix("http") {
      let parts = target.split(separator: "#", omittingEmptySubsequences: false)
      let file =
        parts[0].isEmpty
        ? MarkdownPage.top.appendingPathComponent(path) : folder.appendingPathComponent(String(parts[0]))
      #expect(FileManager.default.fileExists(atPath: file.path), "\(target)")
      guard parts.count == 2, let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      #expect(MarkdownPage(text: text).anchors.contains(String(parts[1])), "\(target)")
    }
  }
}
