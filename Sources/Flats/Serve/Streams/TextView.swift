import Printing
import Store
import Streams
package import Values
import Survey

/// The terminal for which a list is written as text: what `watch -o text` prints.
package struct TextForm: Hashable {
  /// The folder as its user typed it, which messages name.
  package var name: String
  package var usesColor: Bool
  /// The width of the window in columns; nil for a pipe or a file.
  package var columns: Int?
  /// True for a terminal: long updates are summarised.
  package var isTerminal: Bool
  /// True if no cell of a table is cut.
  package var isWide: Bool

  package init(name: String, usesColor: Bool, columns: Int?, isTerminal: Bool, isWide: Bool = false) {
    self.name = name
    self.usesColor = usesColor
    self.columns = columns
    self.isTerminal = isTerminal
    self.isWide = isWide
  }

  package var written: Fields {
    var fields: Fields = [
      "name": .string(name), "color": .bool(usesColor), "terminal": .bool(isTerminal), "wide": .bool(isWide),
    ]
    fields["columns"] = columns.map { .integer($0) }
    return fields
  }

  init(_ value: Value) throws(ProblemDocument) {
    guard case .map(let fields) = value, case .string(let name)? = fields["name"] else {
      throw ProblemDocument.badView(
        "text: expected an object with the name of the folder.", parameter: "text")
    }
    self.init(
      name: name, usesColor: fields["color"] == .bool(true), columns: TextForm.columns(in: fields),
      isTerminal: fields["terminal"] == .bool(true), isWide: fields["wide"] == .bool(true))
  }

  /// Returns the width that a request or a control line has; nil if it has none.
  static func columns(in fields: Fields) -> Int? {
    guard case .number(.integer(let columns))? = fields["columns"], columns >= 0 else { return nil }
    return columns
  }
}

/// A view whose client gets the list as text, and each change of it: lines with a piece of the
/// output, and lines with a message.
struct TextView: StreamedView {
  private let view: OpenedView
  private var form: TextForm
  /// The warnings that the client was sent and that still hold.
  private var warnings: [Hint]
  var output = LineQueue()

  init(_ view: OpenedView, _ form: TextForm) {
    self.view = view
    self.form = form
    let snapshot = view.results.snapshot
    warnings = snapshot.warnings
    let name = FolderName(form.name)
    for warning in view.context.store.currentState.frontMatterWarnings {
      output.add(StreamEncoder.message("warning: \(name.path(of: warning.path)): \(warning.message)"))
    }
    for hint in snapshot.hintMessages { output.add(StreamEncoder.message(hint)) }
    view.subscription.followFolder()
    _ = addStep()
  }

  mutating func addStep() -> Bool {
    guard let event = view.consumeEvent() else { return false }
    let pieces = writer.pieces(of: event)
    for number in 0..<pieces.count {
      output.add(
        OutputPieces(1) { _ in
          JSONWriter.line("output") { line in
            line.field("text", String(decoding: pieces[number], as: UTF8.self))
          }
        }, token: nil)
    }
    let known = warnings
    warnings = view.subscription.given?.warnings ?? []
    for warning in warnings where !known.contains(warning) {
      output.add(StreamEncoder.message(warning.warningMessage))
    }
    if let hint = view.results.request.predicate?.consumeHint() {
      output.add(StreamEncoder.message("hint: \(hint)"))
    }
    return true
  }

  mutating func change(to new: RequestedView) throws(ProblemDocument) -> Bool { false }

  /// Follows the size of the client's window: `{"columns":120}`.
  mutating func answer(_ line: ControlLine) {
    let value = line.bytes.flatMap { try? PackedValue(reading: $0, as: .json).value }
    guard case .map(let fields)? = value, let columns = TextForm.columns(in: fields) else {
      output.add(
        StreamEncoder.message("Expected a line with the width of the window, such as {\"columns\":120}."))
      return
    }
    form.columns = columns
  }

  func finish() { view.finish() }

  private var writer: EventWriter {
    EventWriter(
      root: form.name,
      options: TextOptions(
        width: form.columns, usesColor: form.usesColor, isTerminal: form.isTerminal, isWide: form.isWide),
      followsChanges: true, clock: WallClock.local)
  }
}
