import ArgumentParser
import Git
import Printing
import Store
import Streams

struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract:
      "Print what changed in the list between two git revisions, or between a revision and the work tree.",
    usage:
      """
      notes-watch diff DIR [REV [REV]] [--staged] [VIEW] [-o text|jsonl]\nnotes-watch diff DIR \
      REV..REV|REV...REV [VIEW] [-o text|jsonl]
      """,
    discussion: """
      Without a revision, the last commit is compared with the work tree, including new files that git does not ignore. \
      Items are read from git's objects; nothing is checked out. Both lists use the settings of the newer side. A \
      renamed file keeps its item, which is shown with its new id.

      A file of the work tree or the index that cannot be read is a problem, and its item counts as unchanged. Files \
      that a sparse checkout leaves out count as unchanged, too.

      EXAMPLES
        notes-watch diff contacts
        notes-watch diff contacts HEAD~3 HEAD --view friends
        notes-watch diff contacts main...topic -o jsonl | jq -c '.changes[]?'
      """)

  @OptionGroup var folder: FolderOptions

  @Argument(
    help: ArgumentHelp("One or two revisions, such as HEAD~3, v1.2 or main..topic.", valueName: "REV"))
  var revisions: [String] = []

  @Flag(name: [.long, .customLong("cached")], help: "Compare with the index instead of the work tree.")
  var staged = false

  @Flag(help: "Exit with 1 if there is a difference.")
  var exitCode = false

  @OptionGroup(title: "View") var view: ViewOptions
  @OptionGroup var colors: ColorOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The output format; jsonl prints a hello line, then an update line if the list changed.",
      valueName: "FORMAT"))
  var output = WatchCommand.Format.text

  func run() async throws {
    let resolve = view.resolver(try view.definition())
    let range = try RevisionRange(revisions, isStaged: staged)
    let diff = try RevisionDiff(of: folder.folder, range, options: folder.storeOptions()) {
      settings throws(SettingsError) in
      try resolve(settings).request
    }
    try view.checkQuotes(diff.unquotedStrings)
    for side in [diff.from, diff.to] where !side.hasFolder {
      StandardError.reportLine("There is no folder `\(folder.folder)` in \(side.nameInSentence).")
    }
    StandardError.report(notes: diff.unquotedStrings.map { "warning: \($0.error.message)" })
    StandardError.report(notes: Hint.messages(onUnknown: diff.unknownFields(), nearest: diff.nearestField))
    for hint in diff.hints { StandardError.reportLine("hint: \(hint)") }
    switch output {
    case .text: try writeText(diff)
    case .jsonl: try writeLines(diff, resolve(diff.settings))
    }
    if exitCode, diff.event != nil { throw ExitCode(1) }
  }

  private func writeText(_ diff: RevisionDiff) throws {
    guard let event = diff.event else { return }
    let writer = EventWriter(
      root: folder.folder, options: .standardOutput(colors.color), clock: WallClock.local)
    var output = StandardOutput()
    try writer.pieces(of: event, titled: "\(diff.from.name) → \(diff.to.name)").write(to: &output)
  }

  private func writeLines(_ diff: RevisionDiff, _ view: ViewDefinition) throws {
    let time = diff.to.revision?.time
    var writer = StreamWriter(root: folder.folder) { time ?? WallClock.now() }
    writer.begin(view: view.written, from: diff.from.written, to: diff.to.written)
    if let event = diff.event { writer.add(event) }
    var output = StandardOutput()
    try writer.write(to: &output)
  }
}
