import ArgumentParser
import Store
import Survey

struct AddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add items, each in its own file.",
    usage: "notes-watch add DIR ID... [FIELD=VALUE...]\nnotes-watch add DIR - [FIELD=VALUE...]",
    discussion: """
      An id is the path of the file below DIR without its extension: friends/ada. An item that already exists is an error \
      and is not overwritten. A new item gets the `defaults` of the folder's .notes-watch.yaml, then the given fields. Prints \
      `added PATH` for each item. If an item fails, the error is printed and the other items are added.

      \(InputOptions.helpForNewItems) Pseudo-fields such as @size are ignored.

      \(StrictOptions.help)

      \(ItemOptions.fieldsHelp)

      EXAMPLES
        notes-watch add contacts friends/ada name='Ada Lovelace' born=1815-12-10
        notes-watch add notes today --format md title=Today body@draft.md
        notes-watch list old -o jsonl | notes-watch add new -
      """)

  @OptionGroup var folder: FolderOptions
  @OptionGroup var items: ItemOptions

  @Option(
    help: ArgumentHelp(
      "The format of the new files; the default is the most frequent format in DIR.", valueName: "FORMAT"))
  var format: Format?

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case yaml, json, md
  }

  @OptionGroup(title: "Writing") var writing: WriteOptions
  @OptionGroup(title: "Writing") var comparing: StrictOptions
  @OptionGroup(title: "Writing") var input: InputOptions

  func validate() throws {
    let words = try items.itemWords()
    if words.ids.isEmpty { throw ValidationError("Missing expected argument 'ID': the id of the new item.") }
    try words.checkInput()
  }

  func run() async throws {
    let words = try items.itemWords()
    var writer = try ItemWriter(folder, writing)
    let format = format.flatMap { TextFormat(pathExtension: $0.rawValue) }
    let assignments = try writer.resolved(words.assignments)
    let survey = writer.session.fieldSurvey
    // Edits of fields that an item does not have yet; removals set nothing.
    let edits = try assignments.filter { $0.verb != .remove }.edits(of: [:])
    // A text that was typed; JSON and files are exact.
    let isTyped = assignments.contains { $0.word.hasPrefix("body=") }
    if words.ids.areInput {
      let entries = try writer.standardInput(areNew: true)
      for entry in entries {
        if let mistake = entry.line.mistakeOfNewItem {
          writer.fail(.badData, "Standard input, line \(entry.number): \(mistake)")
        }
      }
      try writer.checkInput(input)
      for entry in entries {
        guard let value = entry.line.value?.withoutPseudoFields else { continue }
        let own = value.map { TextEdit.set(FieldPath(keys: [$0.key]), $0.value) }
        writer.add(survey.doubts(about: own + edits, of: entry.id))
        writer.add(entry.id.description, entry, format, isTyped: isTyped) {
          try $0.setting(value).applying(assignments)
        }
      }
      try writer.checkInput(input)
    } else {
      for id in words.ids.uniqueIDs {
        writer.add(survey.doubts(about: edits, of: id))
        writer.add(id.description, nil, format, isTyped: isTyped) { try $0.applying(assignments) }
      }
    }
    try writer.reportDoubts(comparing)
    try writer.finish()
  }
}

extension ItemWriter {
  fileprivate mutating func add(
    _ id: String, _ entry: ItemList.Entry?, _ format: TextFormat?, isTyped: Bool,
    _ change: (Fields) throws -> Fields
  ) {
    let place = entry.map { "Standard input, line \($0.number): " } ?? ""
    do {
      let plan = try session.newItems.plan(id, at: entry?.line.path, as: format, isTyped: isTyped, change)
      scope.insert(plan)
    } catch let error as EditError {
      fail(error, at: place)
    } catch let error as TextEditError {
      fail(.badData, "\(place)\(id): \(error.path): \(error.message)")
    } catch {
      fail(.badData, "\(place)\(id): \(error)")
    }
  }
}

extension Fields {
  fileprivate func applying(_ assignments: [Assignment]) throws -> Fields {
    try applying(try assignments.edits(of: self))
  }

  fileprivate func setting(_ other: Fields) -> Fields {
    other.reduce(into: self) { $0[$1.key] = $1.value }
  }
}

extension [String] {
  fileprivate var uniqueIDs: [Item.ID] {
    var known: Set<Item.ID> = []
    return map { Item.ID(printed: $0) }.filter { known.insert($0).inserted }
  }
}
