import Files
import Terminal

/// The help: the keys of the list, as they are remapped, and the keys of a line and a form.
struct HelpPane: PromptPane {
  private let keys: KeyMap
  private var offset = 0
  private var size = ScreenSize(columns: 0, rows: 0)

  private static let columns = 76
  private static let maxKeyColumns = 24
  private static let hints = ["arrows scroll, Escape closes", "Esc closes"]

  private static let mouse: [(keys: String, summary: String)] = [
    ("click", "Go to the row, or choose in a menu"),
    ("two clicks", "As enter"),
    ("wheel", "Scroll what is below it"),
  ]

  private static let fixed: [(keys: String, summary: String)] = [
    ("enter", "Keep, choose or answer; in the search, open the best match"),
    ("escape", "Leave without a change"),
    ("tab", "Complete a field, or go to the next one; keep the search"),
    ("up, down", "An earlier line, the next field, choice or match"),
    ("ctrl-p, ctrl-n", "An earlier search, a later one"),
    ("ctrl-s", "Add the item of a form"),
    ("ctrl-a, ctrl-e", "Go to the start or the end"),
    ("ctrl-b, ctrl-f", "Go by a character"),
    ("alt-b, alt-f", "Go by a word"),
    ("ctrl-w, alt-d", "Remove the word before or after the caret"),
    ("ctrl-u, ctrl-k", "Remove all before or after the caret"),
    ("ctrl-y", "Insert what was removed last"),
  ]

  init(_ keys: KeyMap) {
    self.keys = keys
  }

  var boxColumns: Int? { HelpPane.columns }

  func rows(in size: ScreenSize) -> Int {
    lines(columns: PromptBox.content(of: size).columns).count + PromptBox.border
  }

  mutating func fit(_ size: ScreenSize) {
    self.size = size
    scroll(by: 0)
  }

  mutating func handle(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    let page = max(PromptBox.content(of: size).rows - 1, 1)
    switch input {
    case .mouse(.wheelDown, _, _): scroll(by: 3)
    case .mouse(.wheelUp, _, _): scroll(by: -3)
    case .key(let key):
      if key.code == .escape || key.code == .enter { return .closed([]) }
      switch keys[key] {
      case .down?: scroll(by: 1)
      case .up?: scroll(by: -1)
      case .pageDown?, .select?: scroll(by: page)
      case .pageUp?: scroll(by: -page)
      case .halfPageDown?: scroll(by: max(page / 2, 1))
      case .halfPageUp?: scroll(by: -max(page / 2, 1))
      case .first?: scroll(by: -offset)
      case .last?: scroll(by: .max / 2)
      case .help?, .leave?, .quit?: return .closed([])
      default: break
      }
    default: break
    }
    return .handled([])
  }

  private mutating func scroll(by rows: Int) {
    let content = PromptBox.content(of: size)
    offset = min(max(offset + rows, 0), max(lines(columns: content.columns).count - content.rows, 0))
  }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    let inner = PromptBox.draw("Keys", hints: HelpPane.hints, into: &canvas, area: area)
    let paper: Style.Paper = inner == area ? .plain : .box
    let lines = lines(columns: inner.columns.count)
    for (row, line) in zip(inner.rows, lines.dropFirst(min(offset, lines.count))) {
      var line = line
      for index in line.pieces.indices { line.pieces[index].style.paper = paper }
      canvas.write(line, row: row, columns: inner.columns, paper: paper)
    }
  }

  /// Continues summaries that are too long for the columns on further lines.
  private func lines(columns: Int) -> [StyledLine] {
    let groups = BrowseAction.Group.allCases.map { group in
      (
        group.rawValue,
        BrowseAction.allCases.filter { $0.group == group }.map { action in
          (keys: keys.keys(of: action).map(\.description).joined(separator: ", "), summary: action.summary)
        }
      )
    }
    let sections = groups + [("In a line, a menu or a form", HelpPane.fixed), ("Mouse", HelpPane.mouse)]
    let widest = sections.flatMap(\.1).map { DisplayText.width(of: $0.keys) }.max() ?? 0
    let width = min(widest, HelpPane.maxKeyColumns, max(columns / 3, 1))
    return sections.enumerated().flatMap { index, section in
      (index > 0 ? [StyledLine()] : []) + [StyledLine(section.0, .header)]
        + section.1.flatMap { HelpPane.entry($0.keys, $0.summary, width: width, columns: columns) }
    }
  }

  private static func entry(_ keys: String, _ summary: String, width: Int, columns: Int) -> [StyledLine] {
    let names = LinePrompt.wrap(keys.isEmpty ? "no key" : keys, columns: width)
    let texts = LinePrompt.wrap(summary, columns: max(columns - width - 2, 1))
    return (0..<max(names.count, texts.count)).map { index in
      let name = index < names.count ? names[index] : ""
      var line = StyledLine(
        name + String(repeating: " ", count: max(width + 2 - DisplayText.width(of: name), 0)), .key)
      line.append(index < texts.count ? texts[index] : "")
      return line
    }
  }
}
