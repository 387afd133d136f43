import ArgumentParser
import PlainStore

/// `rm`: items go, with their files.
struct RemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Remove items with their files.",
    usage: "notes-watch rm DIR ID... | notes-watch rm DIR -",
    discussion: """
      Prints `removed PATH` for each. With - in place of ids the items are read from standard input, as list -o jsonl prints them. What fails is listed, and all else is removed.

      EXAMPLES
        notes-watch rm contacts friends/ada
        notes-watch list todos --where 'done = true' -o jsonl |
          notes-watch rm todos - --dry-run
      """)

  @OptionGroup var folder: FolderOptions

  @Argument(help: ArgumentHelp("Ids, as list -o id prints them, or - for JSON Lines on standard input.", valueName: "id"))
  var ids: [String]

  @OptionGroup(title: "Writing") var writing: WriteOptions

  func run() async throws {
    var writer = try ItemWriter(folder, writing)
    var input = ItemInput(writer.editor.limits)
    for id in ids.areInput ? await input.all(&writer).map(\.id) : ids.asIDs { writer.scope.delete(id) }
    try writer.finish()
  }
}
