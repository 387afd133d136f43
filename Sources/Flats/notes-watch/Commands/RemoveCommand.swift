import ArgumentParser
import Store

struct RemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Remove items and their files.",
    usage: "notes-watch rm DIR ID...\nnotes-watch rm DIR -",
    discussion: """
      Prints `removed PATH` for each item. If an item fails, the error is printed and the other items are removed.

      \(InputOptions.helpWithIDs)

      EXAMPLES
        notes-watch rm contacts friends/ada
        notes-watch list todos --where 'done = true' -o jsonl |
          notes-watch rm todos - --dry-run
      """)

  @OptionGroup var folder: FolderOptions

  @Argument(
    help: ArgumentHelp(
      "Ids, as `list -o id` prints them, or - for items from standard input.", valueName: "ID"))
  var ids: [String]

  @OptionGroup(title: "Writing") var writing: WriteOptions
  @OptionGroup(title: "Writing") var input: InputOptions

  func validate() throws { try ids.checkInput() }

  func run() async throws {
    var writer = try ItemWriter(folder, writing)
    if ids.areInput {
      let ids = writer.existingIDs(try writer.standardInput(usesValues: false))
      try writer.checkInput(input)
      for id in ids { writer.scope.delete(id) }
    } else {
      for id in writer.ids(of: ids) { writer.scope.delete(id) }
    }
    try writer.finish()
  }
}
