import Printing
import Store
import Streams

/// One line of the stream that has the rows of a window.
struct WindowLine {
  let position: StreamPosition
  let list: ListSnapshot<Item>
  let window: ListWindow
  /// The fields that the list shows, the first ones first.
  let columns: [TableColumn]
  /// The step that the line reports; nil for an answer without one.
  var step: Step?
  /// The changes of the step; nil for those of a change of the view, which are not counted.
  private(set) var changes: Changes?
  /// The rows of the last line that are no longer in the list.
  var gone: [(id: Item.ID, reason: DeleteReason)] = []
  /// The number of the request that the line answers; nil for none.
  var answer: Int?

  /// The longest value that a cell of the page shows, and the text of a snippet after its last match.
  fileprivate static let maxShownText = 60
  fileprivate static let maxSnippet = 100
  private static let maxProblems = 100

  struct Step {
    let origin: UpdateOrigin
    let cause: UpdateCause
    let time = WallClock.now()
  }

  /// The changes of an update: their numbers in the complete list, and those of the rows in the window.
  struct Changes {
    var inserts = 0
    var deletes = 0
    var moves = 0
    /// The number of items that changed without moving.
    var updates = 0
    /// The kinds of the rows' changes, and the fields that changed; nil if none did.
    var rows: [Item.ID: (kind: String, fields: FieldChanges?)] = [:]
  }

  /// Counts the changes of an update. Costs O(k) for k changes.
  mutating func count(_ update: ListUpdate<Item>) {
    var changes = Changes()
    let ids = Set(window.ids)
    for change in update.diff.changes {
      let kind: String
      switch change {
      case .delete:
        changes.deletes += 1
        continue
      case .insert: (changes.inserts, kind) = (changes.inserts + 1, "insert")
      case .move: (changes.moves, kind) = (changes.moves + 1, "move")
      case .update: (changes.updates, kind) = (changes.updates + 1, "update")
      }
      guard ids.contains(change.item) else { continue }
      let fields = kind == "insert" ? nil : update.fieldChanges(of: change.item)
      changes.rows[change.item] = (kind, fields?.isEmpty == true ? nil : fields)
    }
    self.changes = changes
  }

  /// `known` is the window of the last line, whose values the client has.
  func bytes(after known: ListWindow?) -> [UInt8] {
    JSONWriter.line("window") { line in
      line.field("token", position.token)
      line.field("seq", position.seq)
      line.field("count", list.count)
      line.field("total", list.storeItems.count)
      line.field("lines", window.lineCount)
      line.field("sections", list.request.section == nil ? 0 : list.list.numberOfSections)
      line.field("columns") { writer in
        writer.list(columns.prefix(CutValue.maxCount)) { $0.write(WindowLine.written($1)) }
      }
      line.field("first", window.first)
      line.field("rows") { writer in
        writer.list(window.lines) { writer, row in writer.raw(bytes: bytes(of: row, known)) }
      }
      if let section = window.section { line.field("section") { $0.raw(bytes: header(section)) } }
      if let step { write(step, to: &line) }
      if !gone.isEmpty {
        line.field("gone") { writer in
          writer.list(gone) {
            $0.write(.map(["id": .string($1.id.description), "reason": .string($1.reason.description)]))
          }
        }
      }
      line.field("problems", list.problemCount)
      let problems = list.problemRows
      if !problems.isEmpty {
        let rows = problems.prefix(WindowLine.maxProblems).map(\.value)
        line.field("problemRows", ["total": .integer(problems.count), "rows": .list(rows)])
      }
      if !list.warnings.isEmpty {
        line.field("warnings", .list(list.warnings.map { .string($0.message) }))
      }
      if list.count == 0 { line.field("empty", emptyText) }
      if isFolderMissing { line.field("missing", true) }
      if let answer { line.field("answer", answer) }
    }
  }

  private static func written(_ column: TableColumn) -> Value {
    let keys = column.path.keys
    var written: Fields = [
      "field": .string(column.path.description), "pointer": .string(FieldPath.pointer(to: keys)),
    ]
    if keys.count == 1, Item.titleKeys.contains(keys[0]) { written["title"] = .bool(true) }
    written["width"] = column.width.map { .integer($0) }
    return .map(written)
  }

  /// True if the folder is missing or cannot be read. The rows are then those that it had last.
  private var isFolderMissing: Bool { list.problem(of: .root) != nil }

  private var emptyText: String {
    if isFolderMissing {
      return "The folder is missing or cannot be read. The list continues when it is back."
    }
    return list.request.emptyText ?? "No items."
  }

  private func write(_ step: Step, to line: inout JSONWriter) {
    line.field("origin", step.origin.description)
    line.field("cause", step.cause.description)
    line.field("time", step.time.text)
    guard let changes else { return }
    let counts: Fields = [
      "insert": .integer(changes.inserts), "delete": .integer(changes.deletes),
      "move": .integer(changes.moves), "update": .integer(changes.updates),
    ]
    line.field("changes", .map(counts))
  }

  private func bytes(of row: ListWindow.Line, _ known: ListWindow?) -> [UInt8] {
    switch row {
    case .header(let section): header(section)
    case .item(let id, let section, let number): self.row(id, section, number, known)
    }
  }

  private func header(_ section: SectionID) -> [UInt8] {
    let number = list.list.indexOfSection(section) ?? 0
    let line = (list.list.numberOfItems(beforeSection: section) ?? 0) + number
    let header: Fields = [
      "section": .string(section.description), "title": .string(list.heading(of: section)),
      "count": .integer(list.list.numberOfItems(inSection: section)),
      "number": .integer(number + 1), "line": .integer(line),
    ]
    var writer = JSONWriter()
    writer.write(.map(header))
    return writer.bytes
  }

  private func row(_ id: Item.ID, _ section: SectionID, _ number: Int, _ known: ListWindow?) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("{\"id\":")
    writer.write(id.description)
    writer.field("position", number + 1)
    if list.request.section != nil {
      writer.field("section", section.description)
    }
    if let item = list.item(ofShownRow: id) {
      if known?.has(item, as: id, showing: list.request.fields) != true {
        writer.writeRow(item, showing: list.request.fields, columns.map(\.path))
      }
      if known?.has(item, as: id) != true {
        writer.field("revision", item.rowRevision)
      }
      if let problem = list.problem(of: item.path) {
        writer.field("problem", problem.message)
      }
      if list.request.searches { writer.writeSnippet(of: item, SearchHighlighter(list.request)) }
    }
    if let (kind, fields) = changes?.rows[id] { writer.writeChange(kind, fields) }
    writer.raw("}")
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes `,"path":…,"value":…`, and `,"cut":true` if the value is not complete.
  fileprivate mutating func writeRow(_ item: Item, showing fields: [FieldPath], _ columns: [FieldPath]) {
    var cut = CutValue(columns)
    let shown = cut.fields(of: item, showing: fields)
    field("path", item.path.description)
    raw(",")
    writeValue(shown)
    if cut.isCut { raw(",\"cut\":true") }
  }

  /// Writes `,"snippet":{"field":…,"parts":[…]}` if an item matches where a row hardly shows it. Every second
  /// part is a match.
  fileprivate mutating func writeSnippet(of item: Item, _ highlighter: SearchHighlighter) {
    let hasTitle = Item.titleKeys.contains { item.hasField(at: FieldPath(keys: [$0])) }
    let snippet = highlighter.snippet(of: item) { field, text in
      if field.keys == [PseudoField.id.rawValue] { return !hasTitle }
      return field.keys.count == 1 && text.count <= WindowLine.maxShownText
    }
    guard let (field, text, matches) = snippet else { return }
    var parts: [String] = []
    var end = text.startIndex
    for match in matches {
      parts += [String(text[end..<match.lowerBound]), String(text[match])]
      end = match.upperBound
    }
    parts.append(String(text[end...].prefix(WindowLine.maxSnippet)))
    self.field(
      "snippet", .map(["field": .string(field.description), "parts": .list(parts.map(Value.string))]))
  }

  fileprivate mutating func writeChange(_ kind: String, _ fields: FieldChanges?) {
    field("change", kind)
    guard let fields else { return }
    var cut = CutValue()
    raw(",\"fields\":")
    list(fields.pointers.prefix(CutValue.maxCount)) { $0.write($1) }
    field("before", .map(cut.fields(fields.before)))
  }
}
