import Foundation
import TestSupport
import Testing

/// The commands that the README, the pages of `docs` and the READMEs of the sample data show print what these pages say.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: ["script", "git", "jq"].allSatisfy(Machine.has), "needs script, git and jq"))
struct CommandsInDocsTests {
  private static let top: URL = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The pages, from the top of the package.
  private static let pages: [String] = {
    let files = FileManager.default
    let guides = (try? files.contentsOfDirectory(atPath: top.appendingPathComponent("docs").path)) ?? []
    let samples = (try? files.contentsOfDirectory(atPath: top.appendingPathComponent("SampleData").path)) ?? []
    return ["README.md", "CONTRIBUTING.md", "SampleData/README.md"] + guides.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
      + samples.sorted().map { "SampleData/\($0)/README.md" }.filter { files.fileExists(atPath: top.appendingPathComponent($0).path) }
  }()

  /// The pages without a command that can be run.
  private static let pagesWithoutCommands: Set = ["CONTRIBUTING.md", "docs/architecture.md", "docs/library.md"]

  private static func text(of page: String) throws -> String {
    try String(contentsOf: top.appendingPathComponent(page), encoding: .utf8)
  }

  @Test func `Every page is found`() throws {
    let expected: Set = [
      "README.md", "CONTRIBUTING.md", "docs/commands.md", "docs/items.md", "docs/predicates.md", "docs/stream.md", "docs/git.md",
      "docs/merges.md", "docs/library.md", "docs/architecture.md", "docs/editors-and-git.md", "docs/how-to-lose-data.md",
      "SampleData/README.md", "SampleData/colors/README.md", "SampleData/contacts/README.md", "SampleData/quotes/README.md",
      "SampleData/todos/README.md", "SampleData/users/README.md",
    ]
    #expect(expected.subtracting(Self.pages).isEmpty)
  }

  @Test(arguments: pages) func `The commands of a page print what it says`(page: String) throws {
    let steps = try DocumentedStep.steps(of: Self.text(of: page))
    var commands = try DocumentedCommands(sampleData: Self.top.appendingPathComponent("SampleData").path)
    for step in steps {
      if case .notRun(let reason) = step.kind { #expect(!reason.isEmpty, "line \(step.line): say why this block is not run") }
      try commands.run(step)
    }
    for difference in commands.differences { Issue.record("\(page), \(difference)") }
    #expect(commands.count == steps.count(where: \.isRun))
    if !Self.pagesWithoutCommands.contains(page) { #expect(commands.count > 0) }
  }

  @Test(arguments: pages) func `Prose is at most 100 columns wide`(page: String) throws {
    let lines = try Self.text(of: page).components(separatedBy: "\n")
    var isCode = false
    var wide: [Int] = []
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") { isCode.toggle() }
      if !isCode, line.count > 100, !line.hasPrefix("|"), !line.hasPrefix("<!--") { wide.append(index + 1) }
    }
    #expect(lines.count > 10)
    #expect(wide.isEmpty)
  }

  @Test func `The page of the stream has an example of every type and names every key`() throws {
    let page = try Self.text(of: "docs/stream.md")
    #expect(!page.contains("\n\n```json"), "an example says where it comes from")
    var commands = try DocumentedCommands(sampleData: Self.top.appendingPathComponent("SampleData").path)
    for step in try DocumentedStep.steps(of: page) { try commands.run(step) }
    #expect(commands.formatKeys.count > 20)
    let unnamed = commands.formatKeys.filter { !page.contains("`\($0)`") }
    #expect(unnamed.isEmpty)
    for type in ["hello", "snapshot", "update", "problem", "bookmark", "error", "commit"] {
      #expect(page.contains("\"type\":\"\(type)\""), "there is no example of \(type)")
    }
  }
}
