import PlainStore
import Terminal

/// The form that adds an item: its id, the common fields of the list, and the fields of the
/// settings' defaults. A field that is left empty is not written; then the default applies.
struct AddForm: PromptPane {
  private(set) var rows: [FormRow]
  /// The row with the caret.
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

  var memory = PromptMemory()

  /// Opens the form.
  ///
  /// - Parameters:
  ///   - survey: The fields of the list.
  ///   - settings: The settings of the folder.
  ///   - check: Returns the mistake in a word.
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

  mutating func handle(_ input: TerminalInput) -> PaneResult {
    if case .mouse(.press, let place, _) = input {
      focusRow(at: place)
      return .handled([])
    }
    guard isTyping(input) else { return .handled([]) }
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
    edit(input)
    return .handled([])
  }

  mutating func receive(_ outcome: ActionOutcome) -> PromptAnswer {
    guard case .add(let id, let words)? = outcome.action, let submitted, submitted == (id, words) else {
      return .notMine
    }
    guard outcome.isFailure else { return .done }
    let row = outcome.word.flatMap { word in rows.firstIndex { $0.words.contains(word) } } ?? 0
    refuse(row, outcome.message)
    return .refused
  }

  private func isTyping(_ input: TerminalInput) -> Bool {
    switch input {
    case .key, .paste: true
    default: false
    }
  }

  private mutating func edit(_ input: TerminalInput) {
    let old = rows[focus].field.characters
    rows[focus].field.killed = memory.killed
    guard rows[focus].field.handle(input) else { return }
    memory.killed = rows[focus].field.killed
    (isLeaving, refusal) = (false, nil)
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

  /// Puts the caret into a row, and checks the one that it leaves: while a text is being typed, it
  /// is not a mistake.
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
}

extension AddForm {
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

  /// Gives the rows the defaults of the folder that is typed. A row in which something was typed
  /// stays.
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

  /// Returns the message below a row, and true if it is a mistake; nil if there is none.
  func message(below row: Int) -> (text: String, isMistake: Bool)? {
    if let refusal, refusal.row == row { return (refusal.message, true) }
    if rows[row].field.refusedInput { return ("The text is too long for one line.", true) }
    if row != focus, let mistake = rows[row].mistake { return (mistake, true) }
    if let doubt = rows[row].doubt { return (doubt, true) }
    return row == focus && !rows[row].help.isEmpty ? (rows[row].help, false) : nil
  }
}
