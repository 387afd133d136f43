import ArgumentParser
import Files
import Store
import Values

/// `unset`: removes fields of items.
struct UnsetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Remove fields, or elements of lists, from items.",
    usage: "notes-watch unset DIR ID... FIELD...\nnotes-watch unset DIR - FIELD...",
    discussion: """
      The first word is an id, and so is each following word that names an item. The other words are fields: rating, \
      address.city, tags[0], or a JSON Pointer. If a word can be both, separate ids and fields with `--`. A field that \
      none of the items has is an error, and nothing is written.

      \(InputOptions.helpWithIDs)

      EXAMPLES
        notes-watch unset contacts friends/ada nickname tags[0]
        notes-watch unset todos mend-fence water-plants -- due
        notes-watch list todos --where 'done = true' -o jsonl |
          notes-watch unset todos - due
      """)

  @OptionGroup var folder: FolderOptions
  @OptionGroup var items: ItemOptions
  @OptionGroup(title: "Writing") var writing: WriteOptions
  @OptionGroup(title: "Writing") var merging: PolicyOptions
  @OptionGroup(title: "Writing") var input: InputOptions

  func validate() throws {
    if items.words.isEmpty { throw ValidationError("Missing expected argument 'ID': the id of an item.") }
    if items.words.count < 2 {
      throw ValidationError("Missing expected argument 'FIELD': the field to remove.")
    }
  }

  func run() async throws {
    var writer = try ItemWriter(folder, writing, policy: merging.mergePolicy.policy)
    let isInput = items.words.first == "-"
    let names = isInput ? [] : writer.session.ids(named: items.beforeDashes)
    let found = existing(items.beforeDashes, names, &writer)
    let words = try items.unsetWords(found.mapValues(\.fields))
    if words.fields.isEmpty {
      throw ValidationError("Each word names an item. Write the fields to remove after `--`.")
    }
    let entries = isInput ? try ItemInput.read(for: writer.listUse.union(.ids), &writer) : []
    let ids = isInput ? writer.existingIDs(entries) : writer.ids(Array(names.prefix(words.ids.count)))
    let files = writer.read(ids)
    if isInput { try writer.checkInput(input) }
    if isInput, !files.isEmpty, let word = misplacedID(in: words, files, &writer) {
      throw ValidationError(
        "`\(DisplayText.safe(word))` is an id, not a field of the items on standard input. \(AssignmentError.mixedInput)"
      )
    }
    let missing = words.fields.filter { field in !files.contains { $0.has(field) } }
    if !files.isEmpty, let field = missing.first {
      let which =
        files.count == 1
        ? "\(files[0].path) has no field `\(field)`" : "None of the items has the field `\(field)`"
      throw Failure.report(
        .noInput,
        "\(which), and there is no item with this id. Nothing was changed.\(UnsetWords.valueHint("\(field)"))"
      )
    }
    for file in files { writer.change(file, words.edits(of: file.fields)) }
    try writer.finish()
  }

  /// Returns a word after `-` that is the id of an item and not a field.
  private func misplacedID(in words: UnsetWords, _ files: [ItemFile], _ writer: inout ItemWriter) -> String? {
    let fields = zip(items.words.dropFirst(), words.fields).filter { _, field in
      !files.contains { $0.has(field) }
    }.map(\.0)
    if items.words.contains("--") || fields.isEmpty { return nil }
    let found = existing(fields, writer.session.ids(named: fields), &writer)
    return fields.first { found[$0] != nil }
  }

  /// Returns the items that words name, by the words.
  ///
  /// - Parameter names: the id that each word may be. If it is empty, nothing is read.
  private func existing(_ words: [String], _ names: [Result<Item.ID, EditError>], _ writer: inout ItemWriter)
    -> [String: ItemFile]
  {
    let results = writer.session.readAll(
      zip(words, names).map { (try? $1.get()) ?? Item.ID(printed: $0) }, waits: false)
    return Dictionary(
      zip(words, results).compactMap { word, result in (try? result.get()).map { (word, $0) } }
    ) { first, _ in first }
  }
}

extension ItemFile {
  func has(_ path: FieldPath) -> Bool { item.fields.value.element(at: path) != nil }
}
