import ArgumentParser
import Git
import Printing
import Store
import Streams
import Processes

struct LogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Print what each git commit changed in an item, field by field, newest first.",
    usage: "notes-watch log DIR ID [-n N] [--fields FIELDS] [-o text|jsonl]",
    discussion: """
      Deleted items work too, by their id or their file's path. Renames are followed. With --id-field, the item is every \
      file with that id. For a merge commit, only changes that differ from all parents are shown.

      The history is read only as far as needed, so -n 1 is fast. The network is never used: a partial clone that lacks \
      a version is an error. In a shallow clone the oldest commit has no parents; a note on standard error says so, and \
      jsonl has "shallow":true.

      EXAMPLES
        notes-watch log contacts ada
        notes-watch log contacts ada --fields rating -n 5
        notes-watch log contacts ada -o jsonl | jq -c '[.time, .before]'
      """)

  @OptionGroup var folder: FolderOptions

  @Argument(
    help: ArgumentHelp("The item's id, as `list -o id` prints it, or its file's path.", valueName: "ID"))
  var id: String

  @Option(
    name: [.customShort("n"), .customLong("max-count")], parsing: .unconditional,
    help: ArgumentHelp("Print at most N commits.", valueName: "N"))
  var maxCount: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Print only changes of these fields, such as rating,address.city.", valueName: "FIELDS"))
  var fields: String?

  @OptionGroup var colors: ColorOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The output format; jsonl prints one line per commit.", valueName: "FORMAT"))
  var output = WatchCommand.Format.text

  func validate() throws {
    if let fields { try ViewOptions.checkNamesField(fields, in: "fields") }
    _ = try shownFields()
    try ViewOptions.checkCount(maxCount, of: "-n")
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
    let id = try item()
    var history = try ItemHistory(
      of: id, in: folder.folder, showing: fields, options: folder.storeOptions())
    if history.isShallow {
      StandardError.reportLine(
        "This is a shallow clone, so the oldest commits are missing. `git fetch --unshallow` gets them.")
    }
    let notice = LateNotice(
      "Reading the history of `\(id)` back to the first commit. -n N stops after the N newest changes.")
    var alarm = notice.wait()
    var count = 0
    while let entry = try history.next() {
      count += 1
      if let maxCount, count > maxCount { return }
      // A pager that doesn't read must not cause the message.
      alarm?.cancel()
      try output.write(line(entry, id, fields))
      if count == maxCount { return }
      alarm = notice.wait()
    }
    alarm?.cancel()
    if !history.hasItem {
      let store = try? ItemStore(at: folder.folder, watching: false, options: folder.storeOptions())
      let nearest = store.flatMap { id.nearest(among: $0.fetch(FetchRequest()).list.itemIdentifiers) }
      throw Failure(
        .noInput,
        "No commit of \(folder.folder) has an item `\(id)`. "
          + (nearest.map { "Did you mean `\($0)`?" } ?? "Check the id, or the path of its file."))
    }
    let hints = Hint.messages(onUnknown: history.unseenFields, nearest: history.nearestField) {
      field, nearest in
      "no commit has the field `\(field)` of `\(id)`." + (nearest.map { " Did you mean `\($0)`?" } ?? "")
    }
    StandardError.report(notes: hints)
  }

  /// Finds the item by its id, or by the path of a file that exists or once existed.
  private func item() throws -> Item.ID {
    // The folder or its settings may exist only in the history.
    let options = try folder.storeOptions()
    if var session = try? EditSession(RootPath(folder.folder), options),
      let existing = try session.existingID(named: id)
    {
      return existing
    }
    let paths = EditSession.filePaths(named: id, below: folder.folder)
    let formerID = try ItemHistory.id(
      ofFile: paths, orOf: Item.ID(printed: id), in: folder.folder, options: folder.storeOptions())
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
        words, id, from: entry.old, to: entry.new, entry.changes, entry.problem, showing: fields,
        isOldestKnown: entry.isOldestKnown)
    }
  }
}
