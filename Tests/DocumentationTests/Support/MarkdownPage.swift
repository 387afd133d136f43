import Foundation

/// A Markdown page of the project.
struct MarkdownPage {
  let text: String

  /// The top folder of the package.
  static let top: URL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The pages for users and contributors, from the top of the package.
  static let all: [String] = {
    let files = FileManager.default
    let guides = (try? files.contentsOfDirectory(atPath: top.appendingPathComponent("docs").path)) ?? []
    let samples =
      (try? files.contentsOfDirectory(atPath: top.appendingPathComponent("SampleData").path)) ?? []
    return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "SampleData/README.md"]
      + guides.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
      + samples.sorted().map { "SampleData/\($0)/README.md" }.filter {
        files.fileExists(atPath: top.appendingPathComponent($0).path)
      }
  }()

  init(text: String) {
    self.text = text
  }

  /// - Parameter path: The page, from the top of the package.
  init(_ path: String) throws {
    text = try String(contentsOf: MarkdownPage.top.appendingPathComponent(path), encoding: .utf8)
  }

  /// The lines outside of code blocks and comments, with their numbers from 1.
  var prose: [(number: Int, text: String)] {
    var isCode = false
    var isComment = false
    var lines: [(Int, String)] = []
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") { isCode.toggle() }
      if line.hasPrefix("<!--") { isComment = true }
      if !isCode, !isComment, !line.hasPrefix("```") { lines.append((index + 1, line)) }
      if line.hasSuffix("-->") { isComment = false }
    }
    return lines
  }

  /// The anchors of its headings, as forges make them.
  var anchors: Set<String> {
    Set(
      prose.filter { $0.text.hasPrefix("#") }.map { line in
        let title = line.text.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return title.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
      })
  }
}
