import ArgumentParser
import GitHistory
import PlainStore
import PlainText
import Sinks

/// `diff`: what happened to the list between two revisions.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Print what happened to the list between two git revisions, or one and the work tree.",
    usage:
      "notes-watch diff DIR [REV [REV]] [--staged] [view] [-o text|jsonl]\nnotes-watch diff DIR REV..REV|REV...REV [view] [-o text|jsonl]",
    discussion: """
      Without a revision: from the last commit to the work tree, new files included that git does not ignore. Files that a sparse checkout \
      leaves out count as unchanged. A file of the work tree or the index that cannot be read is a problem, and its item counts as unchanged. \
      Between two commits, what each of them lists is compared. Items are read straight from git's objects; nothing is checked out. Both lists are made by the settings of the newer side. A renamed file keeps its item, which then stands \
      under its new id.

      EXAMPLES
        notes-watch diff contacts
        notes-watch diff contacts HEAD~3 HEAD --view friends
        notes-watch diff contacts main...topic -o jsonl | jq -c '.changes[]?'
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, jsonl
  }

  @OptionGroup var folder: FolderOptions

  @Argument(help: ArgumentHelp("One or two revisions: HEAD~3, v1.2, main..topic.", valueName: "rev"))
  var revisions: [String] = []

  @Flag(name: [.long, .customLong("cached")], help: "Compare with the index instead of the work tree.")
  var staged = false

  @Flag(help: "End with 1 if there is any difference.")
  var exitCode = false

  @OptionGroup(title: "View") var view: ViewOptions
  @OptionGroup var colors: ColorOptions

  @Option(name: .shortAndLong, help: "How to print it: text or jsonl (a hello, then an update if the list changed).")
  var output = Format.text

  func run() async throws {
    let resolve = view.resolver(try view.definition())
    let diff = try await Failure.translating {
      let range = try RevisionRange(revisions, isStaged: staged)
      return try await RevisionDiff(of: folder.folder, range, options: folder.storeOptions()) { settings throws(SettingsError) in
        try resolve(settings).request
      }
    }
    for side in [diff.from, diff.to] where !side.hasFolder {
      StandardError.writeLine("notes-watch: there is no folder \(folder.folder) in \(side.name).")
    }
    for hint in diff.hints { StandardError.writeLine("notes-watch: hint: \(hint)") }
    switch output {
    case .text: try writeText(diff)
    case .jsonl: try writeLines(diff, resolve(diff.settings))
    }
    if exitCode, diff.event != nil { throw ExitCode(1) }
  }

  private func writeText(_ diff: RevisionDiff) throws {
    guard let event = diff.event else { return }
    var sink = TextSink(root: folder.folder, options: .standardOutput(colors.color), output: StandardOutput(), clock: Clock.local)
    try sink.receive(event, titled: "\(diff.from.name) → \(diff.to.name)")
  }

  private func writeLines(_ diff: RevisionDiff, _ view: ViewDefinition) throws {
    let time = diff.to.revision?.time
    var sink = JSONLinesSink(StandardOutput()) { time ?? Clock.now() }
    try sink.begin(root: folder.folder, view: view.written, from: diff.from.written, to: diff.to.written)
    if let event = diff.event { try sink.receive(event) }
  }
}
