import ArgumentParser
import GitHistory
import PlainStore
import PlainText
import Sinks

/// `log`: the history of one item.
struct LogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Print what each git commit did to an item, field by field, the newest first.",
    usage: "notes-watch log DIR ID [-n N] [--fields FIELDS] [-o text|jsonl]",
    discussion: """
      Deleted items work too, by their id or their file's path. Renames are followed; where fields make the id, whichever file has it is the \
      item. For a merge commit only changes that differ from all parents are shown. git is read no further than needed, so -n 1 is fast. In a shallow clone the oldest commit has no \
      parents (a note on standard error, "shallow":true in jsonl). The network is never used: a partial clone that lacks a version is an error.

      EXAMPLES
        notes-watch log contacts ada
        notes-watch log contacts ada --fields rating -n 5
        notes-watch log contacts ada -o jsonl | jq -c '[.time, .before]'
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, jsonl
  }

  @OptionGroup var folder: FolderOptions

  @Argument(help: ArgumentHelp("The item's id, as list -o id prints it, or its file's path.", valueName: "id"))
  var id: String

  @Option(
    name: [.customShort("n"), .customLong("max-count")], parsing: .unconditional,
    help: ArgumentHelp("At most so many commits.", valueName: "n"))
  var maxCount: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Only commits that changed one of these: rating,address.city.", valueName: "fields"))
  var fields: String?

  @OptionGroup var colors: ColorOptions

  @Option(name: .shortAndLong, help: "How to print it: text or jsonl (a line a commit).")
  var output = Format.text

  func validate() throws {
    if let fields { try ViewOptions.checkNamesField(fields, in: "fields") }
    _ = try shownFields()
    if let maxCount, maxCount < 0 { throw ValidationError("-n: Expected a number of commits, 0 or more, found \(maxCount).") }
  }

  private func shownFields() throws -> [FieldPath] {
    do throws(SettingsError) {
      return try ViewDefinition(["fields": .string(fields ?? "")]).fields ?? []
    } catch {
      throw ValidationError("--\(error)")
    }
  }

  func run() async throws {
    let fields = try shownFields()
    let output = StandardOutput()
    try await Failure.translating {
      let id = try await item()
      var history = try await ItemHistory(of: id, in: folder.folder, showing: fields, options: folder.storeOptions())
      if history.isShallow {
        StandardError.writeLine(
          "notes-watch: this is a shallow clone: its history ends before the first commit; `git fetch --unshallow` gets the rest.")
      }
      var count = 0
      while let entry = try history.next() {
        count += 1
        if let maxCount, count > maxCount { return }
        try output.write(line(entry, id, fields))
        if count == maxCount { return }
      }
      if !history.hasItem { throw Failure.exit(.noInput, "No commit of \(folder.folder) has an item `\(id)`.") }
      FieldHints.write(history.unseenFields, { "no commit has the field `\($0)` of `\(id)`." }, nearest: history.nearestField)
    }
  }

  /// The item that was meant: by its id, or by the path of a file that exists or existed once.
  private func item() async throws -> Item.ID {
    // The folder, or its settings, may only be in the history.
    let editor = try? ItemEditor(root: folder.folder, options: folder.storeOptions())
    if let found = try? editor?.existingIDs(named: [id])[0], let existing = try found.get() { return existing }
    let paths = ItemEditor.filePaths(named: id, below: folder.folder)
    let formerID = try await ItemHistory.id(ofFile: paths, orOf: Item.ID(printed: id), in: folder.folder, options: folder.storeOptions())
    return formerID ?? Item.ID(printed: id)
  }

  private func line(_ entry: ItemHistory.Entry, _ id: Item.ID, _ fields: [FieldPath]) -> [UInt8] {
    let commit = entry.commit
    switch output {
    case .text:
      let heading = "\(commit.id.prefix(10))  \(commit.date)  \(commit.author)  \(commit.subject)"
      return HistoryWriter(.standardOutput(colors.color), showing: fields).text(
        heading, from: entry.old, to: entry.new, entry.changes, entry.problem)
    case .jsonl:
      let words: KeyValuePairs<StaticString, String> = [
        "commit": commit.id, "time": commit.date, "author": commit.author, "subject": commit.subject,
      ]
      return StreamEncoder.commit(
        words, id, from: entry.old, to: entry.new, entry.changes, entry.problem, showing: fields, isOldestKnown: entry.isOldestKnown)
    }
  }
}
