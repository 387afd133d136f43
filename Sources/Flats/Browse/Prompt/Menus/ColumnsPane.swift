import Files
import Printing
import Store
import Streams
import Survey
import Terminal

/// The columns of the list: which fields it shows, in which order, and how wide. Each key changes the list at
/// once; Escape brings back the columns of before. `s` asks for a name, under which the list is saved as a view.
struct ColumnsPane: PromptPane {
  private struct Row {
    let path: FieldPath
    var isShown: Bool
  }

  private let original: FetchRequest
  private let automatic: [FieldPath]
  /// The widths on the screen, from which a column is made wider or narrower.
  private let widths: [FieldPath: Int]
  private let settings: Settings
  private let view: String?
  private var list: ListSnapshot<Item>
  private var rows: [Row]
  private var request: FetchRequest
  private var selected = 0
  /// The name that is typed; nil while columns are chosen.
  private var name: LineField?
  private var size = ScreenSize(columns: 0, rows: 0)

  private static let title = "Columns"
  private static let hints = ["Enter keeps, Escape drops", "Enter, Esc"]
  private static let help = ["Space shows or hides, J K move, ← → width", "r resets, s saves as a view"]
  /// In a lower box the help would hide the fields.
  private static let minHelpedRows = 7
  private static let nameTitle = "Save as a view"
  private static let nameHints = ["Enter saves, Escape goes back", "Enter, Esc"]
  private static let nameSign = "name: "
  private static let columns = 46
  private static let maxRows = 20
  private static let (minWidth, step) = (4, 2)

  /// - Parameters:
  ///   - columns: The columns of the list, also those that have no room.
  ///   - view: The name of the view that the list shows; nil for all items.
  init(_ list: ListSnapshot<Item>, _ columns: ListColumns, view: String?, settings: Settings) {
    self.list = list
    self.view = view
    self.settings = settings
    original = list.request
    request = list.request
    automatic = ColumnSurvey.automatic(for: list).map(\.path)
    widths = columns.widths
    rows = []
    show(columns.allPaths)
  }

  /// Lists the fields that are shown, then all others that items have, then the pseudo-fields.
  private mutating func show(_ paths: [FieldPath]) {
    let survey = FieldSurvey(list).fields.filter { $0.kind != .map }.map(\.path)
    let pseudo = PseudoField.allCases.map { FieldPath(keys: [$0.rawValue]) }
    var seen: Set<FieldPath> = []
    rows = (paths + automatic + survey + pseudo).filter { seen.insert($0).inserted }
      .map { Row(path: $0, isShown: paths.contains($0)) }
  }

  var boxColumns: Int? { ColumnsPane.columns }

  func rows(in size: ScreenSize) -> Int {
    let lines =
      name == nil
      ? rows.count + ColumnsPane.help.count
      : 1 + nameNotes(columns: size.columns - 2 * PromptBox.border).count
    return min(lines + PromptBox.border, ColumnsPane.maxRows)
  }

  /// The pane stays closed after a refusal: the settings have changed, and the person has to look at them.
  mutating func receive(_ outcome: ActionOutcome) -> PaneResult {
    if case .saveView? = outcome.action { .closed([]) } else { .unhandled }
  }

  mutating func see(_ list: ListSnapshot<Item>) { self.list = list }

  mutating func fit(_ size: ScreenSize) { self.size = size }

  mutating func handle(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    if name != nil { return handleName(input, &memory) }
    switch input {
    case .key(let key): return handle(key)
    case .mouse(.wheelDown, _, _): select(selected + 1)
    case .mouse(.wheelUp, _, _): select(selected - 1)
    case .mouse(.press, let place, _):
      let row = place.row - (PromptBox.hasBorder(size) ? 1 : 0)
      let window = window
      guard row >= 0, row < window.count else { return .handled([]) }
      select(window.lowerBound + row)
      return toggle()
    default: break
    }
    return .handled([])
  }

  private mutating func handle(_ key: Key) -> PaneResult {
    switch (key.code, key.modifiers) {
    case (.character("j"), []), (.down, []), (.character("n"), .control): select(selected + 1)
    case (.character("k"), []), (.up, []), (.character("p"), .control): select(selected - 1)
    case (.pageDown, []): select(selected + max(listRows - 1, 1))
    case (.pageUp, []): select(selected - max(listRows - 1, 1))
    case (.home, []), (.character("g"), []): select(0)
    case (.end, []), (.character("G"), []): select(rows.count - 1)
    case (.character(" "), []), (.character("x"), []): return toggle()
    case (.character("J"), []), (.down, .shift): return move(by: 1)
    case (.character("K"), []), (.up, .shift): return move(by: -1)
    case (.right, []), (.character(">"), []), (.character("+"), []): return widen(by: ColumnsPane.step)
    case (.left, []), (.character("<"), []), (.character("-"), []): return widen(by: -ColumnsPane.step)
    case (.character("0"), []): return set(width: nil)
    case (.character("r"), []): return reset()
    case (.character("s"), []): name = LineField(view ?? "")
    case (.enter, _), (.character("c"), []), (.character("q"), []): return .closed([])
    case (.escape, _): return .closed(hasChanged ? [change(to: original)] : [])
    default: break
    }
    return .handled([])
  }

  private mutating func select(_ row: Int) { selected = min(max(row, 0), max(rows.count - 1, 0)) }

  private mutating func toggle() -> PaneResult {
    // A list without columns would show the automatic ones.
    guard rows.contains(where: { $0.isShown && $0.path != rows[selected].path }) else { return .handled([]) }
    rows[selected].isShown.toggle()
    return chosen()
  }

  private mutating func move(by step: Int) -> PaneResult {
    let target = selected + step
    guard rows.indices.contains(target) else { return .handled([]) }
    rows.swapAt(selected, target)
    selected = target
    return rows[selected].isShown ? chosen() : .handled([])
  }

  private mutating func chosen() -> PaneResult {
    request.fields = rows.filter(\.isShown).map(\.path)
    return .handled([change(to: request)])
  }

  private mutating func widen(by step: Int) -> PaneResult {
    let path = rows[selected].path
    guard rows[selected].isShown else { return .handled([]) }
    let width = request.widths[path] ?? widths[path] ?? ColumnsPane.minWidth
    return set(width: min(max(width + step, ColumnsPane.minWidth), ViewDefinition.maxWidth))
  }

  private mutating func set(width: Int?) -> PaneResult {
    request.widths[rows[selected].path] = width
    return .handled([change(to: request)])
  }

  private func change(to request: FetchRequest) -> ScreenEffect {
    .change(.columns(request.fields, widths: request.widths))
  }

  private var hasChanged: Bool {
    request.fields != original.fields || request.widths != original.widths
  }

  private mutating func reset() -> PaneResult {
    (request.fields, request.widths) = ([], [:])
    show(automatic)
    select(selected)
    return .handled([change(to: request)])
  }

  // MARK: Saving

  private mutating func handleName(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    if case .key(let key) = input {
      switch (key.code, key.modifiers) {
      case (.escape, _):
        name = nil
        return .handled([])
      case (.enter, _):
        guard let name = viewName else { return .handled([]) }
        var request = list.request
        (request.fields, request.widths) = (self.request.fields, self.request.widths)
        let base = view.flatMap { settings.views[$0] } ?? ViewDefinition()
        return .closed([.act(.saveView(name, base.showing(request), settings: settings))])
      default: break
      }
    }
    _ = name?.handle(input, &memory)
    return .handled([])
  }

  /// The name without blanks around it; nil if it is empty.
  private var viewName: String? {
    let text = name?.text ?? ""
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(text[first...last])
  }

  private func nameNotes(columns: Int) -> [StyledLine] {
    let fate =
      switch viewName {
      case nil: "Type a name for the view."
      case let name? where settings.views[name] != nil: "Replaces the view `\(name)` in .notes-watch.yaml."
      case let name?: "Adds the view `\(name)` to .notes-watch.yaml."
      }
    let hasNoWord = list.request.section.map { $0.grouping != .value } ?? false
    let parts =
      "It keeps the order, \(hasNoWord ? "" : "the sections, ")the filter and the columns, not "
      + "\(hasNoWord ? "these sections and " : "")what is typed in the search."
    return LinePrompt.advice(fate, columns: columns) + LinePrompt.advice(parts, columns: columns)
  }

  // MARK: Drawing

  private var listRows: Int { listRows(PromptBox.content(of: size).rows) }

  private func listRows(_ rows: Int) -> Int {
    rows - (rows < ColumnsPane.minHelpedRows ? 0 : ColumnsPane.help.count)
  }

  private var window: Range<Int> { PromptBox.window(rows.count, around: selected, rows: listRows) }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    let isNaming = name != nil
    let inner = PromptBox.draw(
      isNaming ? ColumnsPane.nameTitle : ColumnsPane.title,
      hints: isNaming ? ColumnsPane.nameHints : ColumnsPane.hints, into: &canvas, area: area)
    guard !inner.rows.isEmpty, !inner.columns.isEmpty else { return }
    if let name {
      let notes = nameNotes(columns: inner.columns.count)
      return LinePrompt.draw(ColumnsPane.nameSign, name, notes: notes, into: &canvas, area: inner)
    }
    let paper: Style.Paper = inner == area ? .plain : .box
    let listed = listRows(inner.rows.count)
    for (row, text) in zip(inner.rows.dropFirst(listed), ColumnsPane.help) {
      canvas.write(StyledLine(text, .dim, on: paper), row: row, columns: inner.columns, paper: paper)
    }
    let window = PromptBox.window(rows.count, around: selected, rows: listed)
    for (row, index) in zip(inner.rows.prefix(listed), window) {
      let paper = index == selected ? .cursor : paper
      canvas.write(
        line(rows[index], isSelected: index == selected, paper), row: row, columns: inner.columns,
        paper: paper)
      // The cursor of the terminal is on the row, so that a screen reader says it.
      if index == selected { canvas.cursor = CellPosition(row: row, column: inner.columns.lowerBound) }
    }
  }

  private func line(_ row: Row, isSelected: Bool, _ paper: Style.Paper) -> StyledLine {
    var line = StyledLine(isSelected ? "> " : "  ", .prompt, on: paper)
    line.append(row.isShown ? "[x] " : "[ ] ", row.isShown ? .strong : .dim, on: paper)
    line.append(TableColumn(row.path).title, row.isShown ? .plain : .dim, on: paper)
    if let width = request.widths[row.path] { line.append("  width \(width)", .dim, on: paper) }
    return line
  }
}
