import ArgumentParser
import Printing
import StateStore
import Store
import Streams

extension ListFormat: ExpressibleByArgument {}

struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print the list once, as a table or for programs.",
    usage: "notes-watch list DIR [VIEW] [-o table|json|jsonl|csv|tsv|id]",
    discussion: """
      Files with a problem are reported on standard error, and the other items are listed. The exit code is then 0.

      EXAMPLES
        notes-watch list contacts --section group --sort lastName
        notes-watch list products -o json --where 'releases.@count > 20'
      """)

  @OptionGroup var folder: FolderOptions
  @OptionGroup(title: "View") var view: ViewOptions
  @OptionGroup var colors: ColorOptions
  @OptionGroup var cache: CacheOptions
  @OptionGroup var connect: ConnectOptions

  @Option(name: .shortAndLong, help: ArgumentHelp("The output format.", valueName: "FORMAT"))
  var output = ListFormat.table

  @Flag(help: "Print the predicate that items must match, and hints about it, instead of the list.")
  var explain = false

  @Flag(help: "Cut no cell of the table, at the width of the terminal or after 200 characters in a pipe.")
  var wide = false

  func validate() throws {
    if connect.isOn { try ConnectOptions.check([("--no-cache", cache.isOff), ("--explain", explain)]) }
  }

  func run() async throws {
    if connect.isOn { return try runConnected() }
    let session = try Session(folder, view, cache)
    defer { session.recording.finish() }
    let snapshot = session.results.snapshot
    try view.checkQuotes(snapshot.unquotedStrings)
    try write(snapshot)
    let name = FolderName(folder.folder)
    for problem in snapshot.problems { StandardError.reportLine(name.description(of: problem)) }
    session.warnAboutFrontMatter()
    session.hintAtRequest()
    session.hintAtPredicate()
  }

  func write(_ snapshot: ListSnapshot<Item>) throws {
    var output = BufferedOutput()
    if explain {
      try output.writeLines([snapshot.request.explanation])
    } else {
      try self.output.pieces(of: snapshot, .standardOutput(colors.color, isWide: wide)).write(to: &output)
    }
    try output.flush()
  }
}
