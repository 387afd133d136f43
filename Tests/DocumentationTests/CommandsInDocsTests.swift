import Foundation
import TestSupport
import Testing

/// The commands that the README, the pages of `docs` and the READMEs of the sample data show print
/// what these pages say.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(
    if: ["script", "git", "jq", "python3", "curl"].allSatisfy(Machine.has),
    "needs script, git, jq, python3 and curl"))
struct CommandsInDocsTests {
  private static let sampleData = MarkdownPage.top.appendingPathComponent("SampleData").path

  /// The pages without a command that can be run.
  private static let pagesWithoutCommands: Set = [
    "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/architecture.md", "docs/library.md",
    "docs/saving.md", "docs/building-blocks.md",
    "docs/coming-from-core-data.md", "docs/coming-from-grdb-or-swiftdata.md", "docs/install.md",
    "docs/words.md", "docs/migrating.md",
  ]

  @Test func `The commands of each page print what it says`() async throws {
    #expect(MarkdownPage.all.count > 20)
    try await concurrently(MarkdownPage.all) { page in
      let commands = try Self.runAll(of: page)
      if !Self.pagesWithoutCommands.contains(page) { #expect(commands.count > 0, "\(page)") }
      if page == Self.streamPage { try Self.expectEachTypeAndKey(commands.formatKeys) }
    }
  }

  /// Runs the commands of a page, and reports what is not as the page says.
  private static func runAll(of page: String) throws -> DocumentedCommands {
    let steps = try DocumentedStep.steps(of: MarkdownPage(page).text)
    var commands = try DocumentedCommands(sampleData: Self.sampleData)
    for step in steps {
      if case .notRun(let reason) = step.kind {
        #expect(!reason.isEmpty, "\(page), line \(step.line): say why this block is not run")
      }
      try commands.run(step)
    }
    for difference in commands.differences { Issue.record("\(page), \(difference)") }
    #expect(commands.count == steps.count(where: \.isRun), "\(page)")
    return commands
  }

  @Test func `Every option of a command is on a page`() async throws {
    let pages = try ["commands", "git", "daemon"].map { try MarkdownPage("docs/\($0).md").text }.joined()
    let commands = [
      "watch", "list", "browse", "serve", "check", "get", "add", "set", "unset", "rm", "edit", "diff", "log",
      "daemon", "status",
    ]
    try await concurrently(commands) { command in
      let help = try Shell.run("'\(BuiltProgram.path)' \(command) --help", in: "/")
      let options = Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
      #expect(options.count > 2, "\(command)")
      #expect(options.filter { !pages.contains($0) }.isEmpty, "\(command)")
    }
  }

  private static let streamPage = "docs/stream.md"

  /// Expects that the page of the stream has an example of every type and names every key of its
  /// examples.
  private static func expectEachTypeAndKey(_ keys: Set<String>) throws {
    let page = try MarkdownPage(streamPage).text
    #expect(!page.contains("\n\n```json"), "an example says where it comes from")
    #expect(keys.count > 20)
    let unnamed = keys.filter { !page.contains("`\($0)`") }
    #expect(unnamed.isEmpty)
    for type in ["hello", "snapshot", "update", "problem", "bookmark", "error", "commit"] {
      #expect(page.contains("\"type\":\"\(type)\""), "there is no example of \(type)")
    }
  }
}
