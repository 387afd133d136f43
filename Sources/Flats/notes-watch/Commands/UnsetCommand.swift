import ArgumentParser
import Store

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
    var writer = try ItemWriter(folder, writing, policy: merging.policy)
    let isInput = items.words.first == "-"
    let names = isInput ? [] : writer.session.ids(named: items.beforeDashes)
    let found = existing(items.beforeDashes, names, &writer)
    let (named, fields) = try items.divided { before, after throws(Failure) in
      try UnsetCommand.divide(before, afterDashes: after, items: found.mapValues(\.fields))
    }
    if fields.isEmpty {
      throw ValidationError("Each word names an item. Write the fields to remove after `--`.")
    }
    let entries = isInput ? try writer.standardInput(usesValues: false) : []
    let ids = isInput ? writer.existingIDs(entries) : writer.ids(Array(names.prefix(named.count)))
    let files = writer.read(ids)
    if isInput { try writer.checkInput(input) }
    let missing = fields.filter { field in
      !files.contains { $0.item.fields.value.element(at: field) != nil }
    }
    if isInput, !files.isEmpty, let word = misplacedID(fields, missing, &writer) {
      throw ValidationError(
        "`\(DisplayText.safe(word))` is an id, not a field of the items on standard input. \(ItemWords.mixedInput)"
      )
    }
    if !files.isEmpty, let field = missing.first {
      let which =
        files.count == 1
        ? "\(files[0].path) has no field `\(field)`" : "None of the items has the field `\(field)`"
      let hint = UnsetCommand.valueHint("\(field)")
      throw Failure(
        .noInput, "\(which), and there is no item with this id. Nothing was changed.\(hint)")
    }
    for file in files { writer.change(file, UnsetCommand.edits(removing: fields, from: file.fields)) }
    try writer.finish()
  }

  /// Returns a word after `-` that is the id of an item and not a field.
  private func misplacedID(_ fields: [FieldPath], _ missing: [FieldPath], _ writer: inout ItemWriter)
    -> String?
  {
    if items.words.contains("--") || missing.isEmpty { return nil }
    let words = zip(items.words.dropFirst(), fields).filter { missing.contains($1) }.map(\.0)
    let found = existing(words, writer.session.ids(named: words), &writer)
    return words.first { found[$0] != nil }
  }

  /// Reads nothing if `names` is empty.
  private func existing(_ words: [String], _ names: [Result<Item.ID, EditError>], _ writer: inout ItemWriter)
    -> [String: ItemFile]
  {
    let results = writer.session.readAll(
      zip(words, names).map { (try? $1.get()) ?? Item.ID(printed: $0) }, waits: false)
    return Dictionary(
      zip(words, results).compactMap { word, result in (try? result.get()).map { (word, $0) } }
    ) { first, _ in first }
  }

  /// The first word is an id. So are the following words up to the first one that names no item; all others
  /// are fields. A word that can be both is an error: `--` separates ids and fields.
  static func divide(
    _ words: [String], afterDashes: [String] = [], items: [String: Fields]
  ) throws(Failure) -> (ids: [String], fields: [FieldPath]) {
    var ids = afterDashes.isEmpty ? Array(words.prefix(1)) : words
    var fields: [FieldPath] = []
    if words.dropFirst().contains("-") || ids.count > 1 && ids.contains("-") {
      throw Failure(word: "-", ItemWords.mixedInput)
    }
    for word in afterDashes.isEmpty ? words.dropFirst() : [] {
      guard fields.isEmpty, items[word] != nil else {
        fields.append(try field(word))
        continue
      }
      if ids.contains(where: { has(word, items[$0]) }) {
        throw Failure(
          word: word,
          "This names an item and also a field of an item before it. Write `--` between the ids and the fields."
        )
      }
      ids.append(word)
    }
    fields += try afterDashes.map(field)
    return (ids, fields)
  }

  /// Numbers elements as they are now.
  static func edits(removing fields: [FieldPath], from item: Fields) -> [TextEdit] {
    // `tags[0]` and `tags.0` are the same element.
    let present = Set(fields.map { FieldPath(keys: $0.keys) }).filter {
      Value.map(item).element(at: $0) != nil
    }
    return present.sorted { isLater($0.keys, $1.keys) }.map { .remove($0) }
  }

  private static func field(_ word: String) throws(Failure) -> FieldPath {
    do throws(Failure) {
      return try FieldPath(writing: word, in: word)
    } catch {
      throw Failure(word: word, column: error.column, "\(error.message)\(valueHint(word))")
    }
  }

  private static func valueHint(_ word: String) -> String {
    word.utf8.contains(UInt8(ascii: "="))
      ? " `unset` takes field names without values; to set a value, use `set`." : ""
  }

  private static func has(_ word: String, _ fields: Fields?) -> Bool {
    guard let fields, let path = try? FieldPath(parsing: word) else { return false }
    return Value.map(fields).element(at: path) != nil
  }

  /// Orders elements from the end of a list, and inner fields before outer ones.
  private static func isLater(_ a: [String], _ b: [String]) -> Bool {
    for (a, b) in zip(a, b) where !a.hasSameBytes(as: b) {
      if let a = Int(a), let b = Int(b) { return a > b }
      return a > b
    }
    return a.count > b.count
  }
}
