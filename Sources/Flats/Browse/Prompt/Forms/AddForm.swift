import Store
import Terminal
import Survey

/// The form that adds an item: its id, the common fields of the list, and the fields of the
/// settings' defaults. A field that is left empty is not written; then the default applies.
struct AddForm: PromptPane {
  private(set) var rows: [FormRow]
  private(set) var focus = 0
  private let defaults: ItemDefaults
  private let check: FieldWord.Check
  /// The message about a row that keeps the item from being added, until the next key.
  private(set) var refusal: (row: Int, message: String)?
  /// True if the warnings were shown, and nothing has changed since.
  private var isConfirmed = false
  /// True if Escape was pressed once, and would discard what was typed.
  private(set) var isLeaving = false
  private var submitted: (id: String, words: [String])?
  private var size = ScreenSize(columns: 0, rows: 0)

  private static let maxFields = 40
  private static let messageRows = 3

  init(_ survey: FieldSurvey, settings: Settings, check: @escaping FieldWord.Check) {
    rows = [FormRow()] + survey.common.prefix(AddForm.maxFields).map { FormRow($0) }
    defaults = settings.defaults
    self.check = check
    applyDefaults()
  }

  var boxColumns: Int? { 76 }

  func rows(in size: ScreenSize) -> Int {
    // With room for messages, so that the box stays where it is while they come and go.
    let count = FormLayout(self, columns: PromptBox.content(of: size).columns).count
    return max(count, rows.count + AddForm.messageRows) + PromptBox.border
  }

  mutating func fit(_ size: ScreenSize) { self.size = size }

  mutating func handle(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    switch input {
    case .mouse(.press, let place, _):
      focusRow(at: place)
      return .handled([])
    case .key, .paste: break
    default: return .handled([])
    }
    if case .key(let key) = input {
      switch (key.code, key.modifiers) {
      case (.escape, _): return leave()
      case (.character("s"), .control): return submit()
      case (.enter, _): return focus == rows.count - 1 ? submit() : move(by: 1)
      case (.tab, []), (.down, []): return move(by: 1)
      case (.tab, .shift), (.up, []): return move(by: -1)
      default: break
      }
    }
    edit(input, &memory)
    return .handled([])
  }

  mutating func receive(_ outcome: ActionOutcome) -> PaneResult {
    guard case .add(let id, let words)? = outcome.action, let submitted, submitted == (id, words) else {
      return .unhandled
    }
    guard outcome.isFailure else { return .closed([]) }
    let row = outcome.word.flatMap { word in rows.firstIndex { $0.words.contains(word) } } ?? 0
    refuse(row, outcome.message)
    return .handled([])
  }

  private mutating func edit(_ input: TerminalInput, _ memory: inout PromptMemory) {
    let old = rows[focus].field.characters
    guard rows[focus].field.handle(input, &memory) else { return }
    isLeaving = false
    refusal = nil
    if rows[focus].field.characters == old { return }
    isConfirmed = false
    rows[focus].updateDoubt()
    if focus == 0 { applyDefaults() }
  }

  private mutating func move(by count: Int) -> PaneResult {
    moveFocus(to: (focus + count + rows.count) % rows.count)
    isLeaving = false
    return .handled([])
  }

  /// Checks the row that the caret leaves: while a text is being typed, it is not a mistake.
  private mutating func moveFocus(to row: Int) {
    rows[focus].check(check)
    focus = row
  }

  /// Closes the form. If something was typed, Escape has to be pressed twice.
  private mutating func leave() -> PaneResult {
    if isLeaving || rows.allSatisfy(\.field.isEmpty) { return .closed([]) }
    isLeaving = true
    return .handled([])
  }

  private mutating func refuse(_ row: Int, _ message: String) {
    moveFocus(to: row)
    refusal = (row, message)
  }

  private mutating func submit() -> PaneResult {
    isLeaving = false
    let id = rows[0].field.text
    if id.allSatisfy(\.isWhitespace) {
      refuse(0, "The id is missing.")
      return .handled([])
    }
    rows[focus].check(check)
    if let index = rows.firstIndex(where: { $0.mistake != nil }) {
      refuse(index, rows[index].mistake ?? "")
      return .handled([])
    }
    if !isConfirmed, let index = rows.firstIndex(where: { $0.doubt != nil }) {
      refuse(index, "\(rows[index].doubt ?? "") Press ctrl-s to add the item anyway.")
      isConfirmed = true
      return .handled([])
    }
    let words = rows.flatMap(\.words)
    submitted = (id, words)
    return .closed([.act(.add(id: id, words: words))])
  }

  /// The defaults of the folder that is typed. A row in which something was typed stays.
  private mutating func applyDefaults() {
    let path = RelativePath(printed: rows[0].field.text)
    let standards = defaults.fields(at: path ?? .root)
    let focused = rows[focus].path
    for index in rows.indices {
      rows[index].standard = rows[index].path.flatMap { path in path.keys.first.flatMap { standards[$0] } }
    }
    rows.removeAll { !$0.isCommon && $0.standard == nil && $0.field.isEmpty && $0.path != focused }
    let known = Set(rows.compactMap { $0.path?.keys.first })
    rows += standards.filter { !known.contains($0.key) }.prefix(AddForm.maxFields).map {
      FormRow($0.key, $0.value)
    }
    focus = rows.firstIndex { $0.path == focused } ?? 0
  }

  private mutating func focusRow(at place: CellPosition) {
    let content = PromptBox.content(of: size)
    let layout = FormLayout(self, columns: content.columns)
    let window = layout.window(rows: content.rows)
    let row = place.row - (PromptBox.hasBorder(size) ? 1 : 0)
    guard row >= 0, row < window.count else { return }
    moveFocus(to: layout.lines[window.lowerBound + row].row)
  }

  func message(below row: Int) -> (text: String, isMistake: Bool)? {
    if let refusal, refusal.row == row { return (refusal.message, true) }
    if rows[row].field.refusedInput { return ("The text is too long for one line.", true) }
    if row != focus, let mistake = rows[row].mistake { return (mistake, true) }
    if let doubt = rows[row].doubt { return (doubt, true) }
    return row == focus && !rows[row].help.isEmpty ? (rows[row].help, false) : nil
  }
}

/// The lines of a form: each row, and below it its message.
private struct FormLayout {
  /// The row of each line, and the text of its message; nil for the row itself.
  private(set) var lines: [(row: Int, message: StyledLine?)] = []
  let labelColumns: Int
  private var focused = 0..<0

  private static let maxMessageRows = 5

  init(_ form: AddForm, columns: Int) {
    let widest = form.rows.map { DisplayText.width(of: $0.label) }.max() ?? 0
    labelColumns = min(widest, 20, max(columns / 3, 1)) + 2
    for index in form.rows.indices {
      let start = lines.count
      lines.append((index, nil))
      if let message = form.message(below: index) {
        let style = Style(message.isMistake ? .problem : .dim, on: .box)
        let room = max(columns - labelColumns, 1)
        for text in LinePrompt.wrap(message.text, columns: room).prefix(FormLayout.maxMessageRows) {
          lines.append((index, StyledLine(String(repeating: " ", count: labelColumns) + text, style)))
        }
      }
      if index == form.focus { focused = start..<lines.count }
    }
  }

  var count: Int { lines.count }

  /// Returns the lines that are visible in a number of rows: those of the row with the caret are.
  func window(rows: Int) -> Range<Int> {
    let window = PromptBox.window(lines.count, around: focused.lowerBound + focused.count / 2, rows: rows)
    if window.contains(focused.lowerBound) || rows <= 0 { return window }
    return focused.lowerBound..<min(focused.lowerBound + rows, lines.count)
  }
}

extension AddForm {
  private static let hint = "Enter next, ctrl-s add, Esc close"
  private static let leavingHint = "Escape again discards this"

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    let hint = isLeaving ? AddForm.leavingHint : AddForm.hint
    let inner = PromptBox.draw("Add an item", hints: [hint], into: &canvas, area: area)
    let paper: Style.Paper = inner == area ? .plain : .box
    let layout = FormLayout(self, columns: inner.columns.count)
    for (row, index) in zip(inner.rows, layout.window(rows: inner.rows.count)) {
      let line = layout.lines[index]
      if var message = line.message {
        for piece in message.pieces.indices { message.pieces[piece].style.paper = paper }
        canvas.write(message, row: row, columns: inner.columns, paper: paper)
      } else {
        draw(
          line.row, into: &canvas, row: row, columns: inner.columns, labelColumns: layout.labelColumns, paper)
      }
    }
  }

  private func draw(
    _ index: Int, into canvas: inout Canvas, row: Int, columns: Range<Int>, labelColumns: Int,
    _ paper: Style.Paper
  ) {
    let line = rows[index]
    let isFocused = index == focus
    let start = min(columns.lowerBound + labelColumns, columns.upperBound)
    let label = DisplayText.safe(line.label, limit: max(labelColumns - 2, 1)) + (isFocused ? ":" : "")
    canvas.write(
      StyledLine(label, isFocused ? .prompt : .key, on: paper), row: row,
      columns: columns.lowerBound..<start, paper: paper)
    if line.field.isEmpty {
      canvas.write(
        StyledLine(line.placeholder, .dim, on: paper), row: row, columns: start..<columns.upperBound,
        paper: paper)
      if isFocused {
        canvas.cursor = CellPosition(row: row, column: min(start, max(columns.upperBound - 1, 0)))
      }
      return
    }
    let cursor = canvas.cursor
    line.field.draw(
      into: &canvas, row: row, columns: start..<columns.upperBound, style: Style(.plain, on: paper))
    if !isFocused { canvas.cursor = cursor }
  }
}
