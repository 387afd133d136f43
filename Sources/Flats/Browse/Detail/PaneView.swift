import Files
import Terminal

/// The visible part of the text of a pane. Scrolling costs as much as the visible rows.
struct PaneView {
  private(set) var text = PaneText()
  /// The first visible row: a line, and a row of it.
  private(set) var top = Position()
  private(set) var size = ScreenSize(columns: 0, rows: 0)

  struct Position: Hashable, Comparable {
    var line = 0
    var row = 0

    static func < (left: Position, right: Position) -> Bool {
      (left.line, left.row) < (right.line, right.row)
    }
  }

  enum Movement {
    /// Up (negative) or down by rows.
    case rows(Int)
    case halves(Int)
    case pages(Int)
    case start, end
  }

  /// Sets the size of the window. The first visible line stays.
  mutating func fit(_ size: ScreenSize) {
    guard size != self.size else { return }
    if size.columns != self.size.columns { top.row = 0 }
    self.size = size
    clamp()
  }

  mutating func show(_ text: PaneText) {
    self.text = text
    top = Position()
  }

  /// Scrolls to a line, with lines above it.
  mutating func reveal(_ line: Int) {
    top = Position(line: max(line - size.rows / 2, 0))
    clamp()
  }

  /// Replaces the text by a newer one. The first visible line of the file stays.
  mutating func update(_ text: PaneText) {
    let isInFile = top.line >= self.text.lines.count && top.line > 0
    if isInFile { top.line += text.lines.count - self.text.lines.count }
    self.text = text
    clamp()
  }

  /// Changes the text by lines that were added at the end and removed at the start.
  mutating func update(_ text: PaneText, removing removed: Int, staysAtEnd: Bool) {
    self.text = text
    top.line -= removed
    if top.line < 0 { top = Position() }
    if staysAtEnd { top = last } else { clamp() }
  }

  mutating func scroll(_ movement: Movement) {
    switch movement {
    case .rows(let count): move(count)
    case .halves(let count): move(count * max(size.rows / 2, 1))
    case .pages(let count): move(count * max(size.rows - 1, 1))
    case .start: top = Position()
    case .end: top = last
    }
  }

  var isAtEnd: Bool { top >= last }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    var row = area.rows.lowerBound
    guard !area.rows.isEmpty else { return }
    canvas.clear(area)
    text.forEachRow(from: top.line, width: area.columns.count) { line, number, styled in
      if line == top.line, number < top.row { return true }
      canvas.write(styled, row: row, columns: area.columns)
      row += 1
      return row < area.rows.upperBound
    }
  }

  private mutating func move(_ count: Int) {
    let last = last
    var rows = rowCount(top.line)
    for _ in 0..<count.magnitude {
      if count > 0 {
        guard top < last else { return }
        if top.row + 1 < rows {
          top.row += 1
        } else {
          top = Position(line: top.line + 1)
          rows = rowCount(top.line)
        }
      } else if top.row > 0 {
        top.row -= 1
      } else {
        guard top.line > 0 else { return }
        rows = rowCount(top.line - 1)
        top = Position(line: top.line - 1, row: max(rows - 1, 0))
      }
    }
  }

  private mutating func clamp() {
    top.row = min(top.row, max(rowCount(top.line) - 1, 0))
    top = min(top, last)
  }

  private func rowCount(_ line: Int) -> Int { text.rowCount(of: line, width: size.columns) }

  private var last: Position {
    var line = text.count
    var rest = max(size.rows, 1)
    while line > 0 {
      line -= 1
      let rows = rowCount(line)
      if rows >= rest { return Position(line: line, row: rows - rest) }
      rest -= rows
    }
    return Position()
  }

  /// Sets the window to an area without the row of its title. Call it when the layout changes.
  mutating func fitBelowTitle(_ area: ScreenArea) {
    fit(ScreenSize(columns: area.columns.count, rows: area.rows.count - 1))
  }

  /// The title may contain anything. The note at the right is left out where there is no room.
  func draw(_ title: String, note: String = "", into canvas: inout Canvas, area: ScreenArea) {
    guard let row = area.rows.first else { return }
    let style = Style(.title, on: .bar)
    let width = area.columns.count
    let noteWidth = note.isEmpty ? 0 : DisplayText.width(of: note, limit: width) + 1
    let room = noteWidth < width / 2 ? width - noteWidth : width
    var line = StyledLine(DisplayText.safe(title, limit: room), style)
    if room < width {
      let used = DisplayText.width(of: title, limit: room)
      line.append(String(repeating: " ", count: room - used + 1) + note, .dim, on: .bar)
    }
    canvas.write(line, row: row, columns: area.columns, paper: .bar)
    draw(into: &canvas, area: ScreenArea(rows: row + 1..<area.rows.upperBound, columns: area.columns))
  }

  static let wheelRows = 3

  mutating func scroll(wheel input: TerminalInput) {
    switch input {
    case .mouse(.wheelUp, _, _): scroll(.rows(-PaneView.wheelRows))
    case .mouse(.wheelDown, _, _): scroll(.rows(PaneView.wheelRows))
    default: break
    }
  }

  /// The keys of the list scroll a pane that has the focus. Returns true if the input closes it.
  mutating func closes(by input: TerminalInput, _ keys: KeyMap) -> Bool {
    scroll(wheel: input)
    guard case .key(let key) = input, let action = keys[key] else { return false }
    if let movement = Movement(action) { scroll(movement) }
    return [.leave, .quit].contains(action)
  }
}

extension PaneView.Movement {
  /// The movement of an action in a pane that has the focus; nil if the action does not scroll.
  init?(_ action: BrowseAction) {
    switch action {
    case .down, .detailDown: self = .rows(1)
    case .up, .detailUp: self = .rows(-1)
    case .pageDown, .detailPageDown, .select: self = .pages(1)
    case .pageUp, .detailPageUp: self = .pages(-1)
    case .halfPageDown: self = .halves(1)
    case .halfPageUp: self = .halves(-1)
    case .first: self = .start
    case .last: self = .end
    default: return nil
    }
  }
}

extension PaneView {
  /// Shows why an action was refused, and the difference from what was expected, as `git diff` prints it.
  init(_ message: String, difference: [UInt8]) {
    self.init()
    var text = PaneText(lines: [StyledLine(message, .problem), StyledLine()])
    // Bytes that are not UTF-8 are replaced here, so that the spans fit the text.
    let lines = String(decoding: difference, as: UTF8.self)
    text.document = DocumentLines(Array(lines.utf8), PaneView.differenceSpans(of: lines))
    show(text)
  }

  private static func differenceSpans(of text: String) -> [TextSpan] {
    var end = 0
    return text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      end += line.count + 1
      let isHeader = ["+++ ", "--- ", "diff ", "\\"].contains { line.starts(with: $0.utf8) }
      let ink: Style.Ink =
        switch line.first {
        case _ where isHeader: .dim
        case UInt8(ascii: "+"): .inserted
        case UInt8(ascii: "-"): .deleted
        case UInt8(ascii: "@"): .header
        default: .plain
        }
      return TextSpan(end: end, style: Style(ink))
    }
  }
}
