import Foundation
import TestSupport
import Testing

/// The commands that the README, the pages of `docs` and the READMEs of the sample data show print
/// what these pages say.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: ["script", "git", "jq", "python3"].allSatisfy(Machine.has), "needs script, git, jq and python3"))
struct CommandsInDocsTests {
  private static let sampleData = MarkdownPage.top.appendingPathComponent("SampleData").path

  /// The pages without a command that can be run.
  private static let pagesWithoutCommands: Set = [
    "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/architecture.md", "docs/library.md", "docs/building-blocks.md",
    "docs/coming-from-core-data.md", "docs/coming-from-grdb-or-swiftdata.md", "docs/install.md",
  ]

  @Test(arguments: MarkdownPage.all) func `The commands of a page print what it says`(page: String) throws {
    let steps = try DocumentedStep.steps(of: MarkdownPage(page).text)
    var commands = try DocumentedCommands(sampleData: Self.sampleData)
    for step in steps {
      if case .notRun(let reason) = step.kind { #expect(!reason.isEmpty, "line \(step.line): say why this block is not run") }
      try commands.run(step)
    }
    for difference in commands.differences { Issue.record("\(page), \(difference)") }
    #expect(commands.count == steps.count(where: \.isRun))
    if !Self.pagesWithoutCommands.contains(page) { #expect(commands.count > 0) }
  }

  @Test(arguments: ["watch", "list", "browse", "check", "get", "add", "set", "unset", "rm", "edit", "diff", "log", "daemon", "status"])
  func `Every option of a command is on a page`(command: String) throws {
    let help = try Shell.run("'\(BuiltProgram.path)' \(command) --help", in: "/")
    let pages = try ["commands", "git", "daemon"].map { try MarkdownPage("docs/\($0).md").text }.joined()
    let options = Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
    #expect(options.count > 2)
    #expect(options.filter { !pages.contains($0) }.isEmpty)
  }

  @Test func `The page of the stream has an example of every type and names every key`() throws {
    let page = try MarkdownPage("docs/stream.md").text
    #expect(!page.contains("\n\n```json"), "an example says where it comes from")
    var commands = try DocumentedCommands(sampleData: Self.sampleData)
    for step in try DocumentedStep.steps(of: page) { try commands.run(step) }
    #expect(commands.formatKeys.count > 20)
    let unnamed = commands.formatKeys.filter { !page.contains("`\($0)`") }
    #expect(unnamed.isEmpty)
    for type in ["hello", "snapshot", "update", "problem", "bookmark", "error", "commit"] {
      #expect(page.contains("\"type\":\"\(type)\""), "there is no example of \(type)")
    }
  }
}
