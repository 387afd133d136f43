import ArgumentParser
import PlainStore
import PlainText

/// `set`: other values for fields of items.
struct SetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set fields of items, changing no other byte of their files.",
    usage: "notes-watch set DIR ID... FIELD=VALUE... | notes-watch set DIR - [FIELD=VALUE...]",
    discussion: """
      Prints `changed PATH` or `unchanged PATH` for each item. With - in place of ids the items are read from standard input, as list -o jsonl prints them: their values are \
      set where they differ, also from what was saved since they were listed, or, where fields are given, these in each of them. What fails is listed, and all else is written.

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
      var input = ItemInput(writer.editor.limits)
      let entries = await input.all(&writer)
      if assignments.isEmpty { try setValues(entries, &writer) } else { try set(assignments, in: entries.map(\.id), &writer) }
    } else {
      try set(assignments, in: words.ids.asIDs, &writer)
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

  private func setValues(_ entries: [ItemInput.Entry], _ writer: inout ItemWriter) throws {
    let values = Dictionary(entries.map { ($0.id, $0.line.value ?? [:]) }) { first, _ in first }
    for file in try writer.read(entries.map(\.id)) {
      let wanted = file.fields.updated(with: values[file.id] ?? [:])
      writer.change(file, TextEdit.edits(from: file.fields, to: wanted))
    }
  }
}
