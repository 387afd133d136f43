import ArgumentParser
import Store
import Survey

struct SetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set fields of items. No other byte of their files changes.",
    usage: "notes-watch set DIR ID... FIELD=VALUE...\nnotes-watch set DIR - [FIELD=VALUE...]",
    discussion: """
      Prints `changed PATH` or `unchanged PATH` for each item. If an item fails, the error is printed and the other items are written.

      \(InputOptions.help)

      With fields, each of these items gets them, and the input may also be one id per line. Without fields, the values \
      on standard input are written back: each line is compared with what the item prints now in the same shape, and \
      only the differences are set. Nothing is removed. A difference in a computed value (tags.@count) or below a list \
      (releases.cycle, tags[0]) is an error, and that item is not written. Pseudo-fields are ignored. Another spelling \
      of the same number (3.1 for 3.10, 1000 for 1e3), as jq prints it, is not a difference; `set DIR ID version:=3.1` \
      sets it.

      \(StrictOptions.help)

      \(ItemOptions.fieldsHelp)

      EXAMPLES
        notes-watch set contacts friends/ada rating=9 address.city=London
        notes-watch set todos mend-fence done=true closedAt=@today --dry-run
        notes-watch list todos --where 'due < @today' -o jsonl |
          notes-watch set todos - late=true
      """)

  @OptionGroup var folder: FolderOptions
  @OptionGroup var items: ItemOptions
  @OptionGroup(title: "Writing") var writing: WriteOptions
  @OptionGroup(title: "Writing") var merging: PolicyOptions
  @OptionGroup(title: "Writing") var comparing: StrictOptions
  @OptionGroup(title: "Writing") var input: InputOptions

  func validate() throws {
    let words = try items.itemWords()
    if words.ids.isEmpty { throw ValidationError("Missing expected argument 'ID': the id of an item.") }
    if words.assignments.isEmpty, !words.ids.areInput {
      throw ValidationError(
        "Missing expected argument 'FIELD=VALUE': what to set. A word without `=` or `@` is an id.")
    }
    try words.checkInput()
  }

  func run() async throws {
    let words = try items.itemWords()
    var writer = try ItemWriter(folder, writing, policy: merging.policy)
    let assignments = try writer.resolved(words.assignments)
    if words.ids.areInput {
      let entries = try writer.standardInput(usesValues: assignments.isEmpty)
      let ids = writer.existingIDs(entries)
      if assignments.isEmpty { return try setValues(entries, ids, &writer) }
      try writer.checkInput(input)
      try set(assignments, in: ids, &writer)
    } else {
      try set(assignments, in: writer.ids(of: words.ids), &writer)
    }
    try writer.finish()
  }

  private func set(_ assignments: [Assignment], in ids: [Item.ID], _ writer: inout ItemWriter) throws {
    writer.warn(of: assignments, in: ids)
    try writer.compare(assignments, in: ids)
    try writer.reportDoubts(comparing)
    guard assignments.contains(where: \.needsFields) else {
      // These edits do not depend on the item's fields, so no other change can conflict with them.
      let edits = try assignments.edits(of: [:])
      for id in ids { writer.scope.update(id, edits) }
      return
    }
    for file in writer.read(ids) {
      do throws(Failure) {
        writer.change(file, try assignments.edits(of: file.fields))
      } catch {
        writer.fail(.badData, "\(file.path): \(error)")
      }
    }
  }

  private func setValues(_ entries: [ItemList.Entry], _ ids: [Item.ID], _ writer: inout ItemWriter) throws {
    let lines = Dictionary(entries.map { ($0.id, $0.line) }) { first, _ in first }
    let files = writer.read(ids)
    try writer.checkInput(input)
    let survey = writer.session.fieldSurvey
    for file in files {
      do throws(Failure) {
        let wanted = try file.item.fields(
          writingBack: lines[file.id]?.value ?? [:], computed: lines[file.id]?.computed)
        let edits = TextEdit.edits(from: file.fields, to: wanted)
        writer.add(survey.doubts(about: edits, of: file.id, holding: file.fields))
        writer.change(file, edits)
      } catch {
        let hint = error.assignment.map {
          " To set it, run: notes-watch set \(folder.folder.shellWord) -- \(file.id.description.shellWord) -- \($0.shellWord)"
        }
        writer.fail(.badData, "\(file.id): \(error)\(hint ?? "") The item was not written.")
      }
    }
    try writer.reportDoubts(comparing)
    try writer.finish()
  }
}
