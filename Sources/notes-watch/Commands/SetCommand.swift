import ArgumentParser
import PlainStore
import PlainText

/// `set`: other values for fields of items.
struct SetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set fields of items, changing no other byte of their files.",
    usage: "notes-watch set DIR ID... FIELD=VALUE...\nnotes-watch set DIR - [FIELD=VALUE...]",
    discussion: """
      Prints `changed PATH` or `unchanged PATH` for each item. What fails is listed, and all else is written.

      \(InputOptions.help) Where fields are given they are set in each of these items, and their ids alone will do, one per line. \
      Otherwise the items' values are written back: a line is compared with what the item itself prints in that shape, also if it was saved since, and only what differs is set. \
      Nothing is removed. An edit of what is computed (tags.@count) or lies below a list (releases.cycle, tags[0]) is an error, and that item is not written; pseudo-fields are \
      ignored. A number that a program such as jq prints in its own way (3.1 for 3.10, 1000 for 1e3) counts as not edited; `set DIR ID version:=3.1` changes it.

      \(ItemOptions.fieldsHelp)

      EXAMPLES
        notes-watch set contacts friends/ada rating=9 address.city=London
        notes-watch set todos mend-fence done=true closedAt=2024-05-01 --dry-run
        notes-watch list todos --where 'due < @today' -o jsonl |
          notes-watch set todos - late=true
      """)

  @OptionGroup var folder: FolderOptions
  @OptionGroup var items: ItemOptions
  @OptionGroup(title: "Writing") var writing: WriteOptions
  @OptionGroup(title: "Writing") var merging: PolicyOptions
  @OptionGroup(title: "Writing") var input: InputOptions

  func validate() throws {
    let words = try items.itemWords()
    if words.ids.isEmpty { throw ValidationError("Say which item: `notes-watch set DIR ID field=value`.") }
    if words.assignments.isEmpty, !words.ids.areInput { throw ValidationError("Say what to set: `notes-watch set DIR ID field=value`.") }
    if words.ids.areInput, words.assignments.readStandardInput { throw ValidationError("Standard input cannot be both items and a text.") }
  }

  func run() async throws {
    let words = try items.itemWords()
    var writer = try ItemWriter(folder, writing, policy: merging.mergePolicy.policy)
    let assignments = try words.assignments.resolved(writer.editor.limits)
    if words.ids.areInput {
      let use = assignments.isEmpty ? writer.listUse : writer.listUse.union(.ids)
      let entries = try ItemInput.read(for: use, &writer)
      let ids = try writer.existingIDs(entries)
      if assignments.isEmpty { return try setValues(entries, ids, &writer) }
      try writer.checkInput(input)
      try set(assignments, in: ids, &writer)
    } else {
      try set(assignments, in: writer.ids(of: words.ids), &writer)
    }
    try writer.finish()
  }

  private func set(_ assignments: [Assignment], in ids: [Item.ID], _ writer: inout ItemWriter) throws {
    try writer.warn(of: assignments, in: ids)
    guard assignments.contains(where: \.needsFields) else {
      // Whatever the item is like when it is written: nobody's change is in the way.
      let edits = try assignments.edits(of: [:])
      for id in ids { writer.scope.update(id, edits) }
      return
    }
    for file in try writer.read(ids) {
      do throws(AssignmentError) {
        writer.change(file, try assignments.edits(of: file.fields))
      } catch {
        writer.fail(.badData, "\(file.path): \(error)")
      }
    }
  }

  private func setValues(_ entries: [ItemList.Entry], _ ids: [Item.ID], _ writer: inout ItemWriter) throws {
    let lines = Dictionary(entries.map { ($0.id, $0.line) }) { first, _ in first }
    let files = try writer.read(ids)
    try writer.checkInput(input)
    for file in files {
      do throws(WriteBackError) {
        let wanted = try file.item.fields(writingBack: lines[file.id]?.value ?? [:], computed: lines[file.id]?.computed)
        writer.change(file, TextEdit.edits(from: file.fields, to: wanted))
      } catch {
        let hint = error.assignment.map {
          " To set it, run: notes-watch set \(ShellWord(folder.folder)) -- \(ShellWord(file.id.description)) -- \(ShellWord($0))"
        }
        writer.fail(.badData, "\(file.id): \(error)\(hint ?? "") The item was not written.")
      }
    }
    try writer.finish()
  }
}
