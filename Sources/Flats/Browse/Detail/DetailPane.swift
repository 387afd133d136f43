import Printing
import Store
import Terminal

/// The detail pane: the file of the item or problem under the cursor, highlighted, with its problems at their
/// lines and what changed last.
///
/// It never waits for a file: one file is read at a time, and the previous one stays until the next
/// one is ready. Each `.load` is answered by one `.document`.
struct DetailPane {
  var view = PaneView()
  /// The row whose file the pane shows or is about to show.
  private(set) var target: ScreenRow?
  private(set) var loading: ScreenRow?
  private var document: ItemDocument?
  /// The item as it was in the list when its file was asked for.
  private var item: Item?
  /// True if the file of the item has to be read again after the one that is being read.
  private var isStale = false
  private var change: RecentChange?
  private var problem: Problem?

  init() {}

  /// Follows the cursor and the list. Reads the file if the item or its file is a different one.
  mutating func follow(_ row: ScreenRow?, in snapshot: ListSnapshot<Item>, _ changes: RecentChanges)
    -> [ScreenEffect]
  {
    guard let row else {
      target = nil
      item = nil
      problem = nil
      change = nil
      document = nil
      isStale = false
      view.show(PaneText())
      return []
    }
    let found = row.item.flatMap { snapshot[id: $0] }
    var path = found?.path
    if case .problem(let broken) = row { path = broken }
    let foundProblem = path.flatMap(snapshot.problem)
    if target?.subject == row.subject, found === item, foundProblem == problem { return [] }
    target = row
    item = found
    problem = foundProblem
    change = row.item.flatMap { changes[$0] }
    isStale = true
    return load()
  }

  /// Reads the file again, as after an edit that left all values as they were.
  mutating func reload() -> [ScreenEffect] {
    isStale = target != nil
    return load()
  }

  mutating func show(_ document: ItemDocument) -> [ScreenEffect] {
    if loading?.subject == document.row.subject { loading = nil }
    guard let target, target.subject == document.row.subject else { return load() }
    let isSame = self.document?.row.subject == target.subject
    self.document = document
    if isSame { view.update(text) } else { view.show(text) }
    if !isSame, target.item == nil, let line = text.messages.keys.min() {
      view.reveal(view.text.lines.count + line)
    }
    return load()
  }

  private mutating func load() -> [ScreenEffect] {
    guard isStale, loading == nil, let target else { return [] }
    loading = target
    isStale = false
    return [.load(target)]
  }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    let title = document.map { "\($0.path)" } ?? (target == nil ? "" : "Reading …")
    view.draw(title, note: note, into: &canvas, area: area)
  }

  private var note: String {
    guard let document else { return "" }
    if !document.problems.isEmpty { return Wording.count(document.problems.count, "problem") }
    guard let lines = document.lines else { return "" }
    let line = view.top.line - view.text.lines.count + 1
    return line > 1 ? "line \(line) of \(lines.count)" : Wording.count(lines.count, "line")
  }

  private var text: PaneText {
    guard let document else { return PaneText() }
    let details = change?.details ?? ([], 0, [])
    var text = PaneText(lines: header(details), document: document.lines, isAnnotated: true)
    guard let lines = document.lines else { return text }
    for problem in document.problems where DetailPane.hasPlace(problem) && lines.count > 0 {
      let line = min(max(problem.line, 1), lines.count) - 1
      text.messages[line, default: []].append((max(problem.column, 1) - 1, problem.message))
    }
    text.changed = changedLines(details, in: document)
    return text
  }

  private static func hasPlace(_ problem: Problem) -> Bool { problem.line > 1 || problem.column > 1 }

  private func header(_ details: RecentChange.Details) -> [StyledLine] {
    guard let document else { return [] }
    var lines: [StyledLine] = []
    if document.lines == nil, document.problems.isEmpty {
      lines.append(StyledLine("The file cannot be read.", .problem))
    }
    for problem in document.problems
    where document.lines == nil || !DetailPane.hasPlace(problem) || document.lines?.count == 0 {
      lines.append(StyledLine("! \(problem.message)", .problem))
    }
    if let change {
      switch change.kind {
      case .insert: lines.append(StyledLine("+ new in the list", .inserted))
      case .delete: break
      case .move where details.notes.isEmpty: lines.append(StyledLine("→ moved in the list", .moved))
      case .move, .update:
        lines += details.notes.map { StyledLine([.init("~ ", Style(.changed)), .init($0)]) }
      }
      if details.moreNotes > 0 {
        lines.append(StyledLine("… and \(Wording.count(details.moreNotes, "more field"))", .dim))
      }
    }
    if document.lines?.count == 0, document.bytes?.isEmpty == true {
      lines.append(StyledLine("The file is empty.", .dim))
    }
    return lines.isEmpty ? [] : lines + [StyledLine()]
  }

  private func changedLines(_ details: RecentChange.Details, in document: ItemDocument) -> [Range<Int>] {
    guard let located = document.fields, let lines = document.lines else { return [] }
    var ranges: [Range<Int>] = []
    for field in details.fields {
      guard let value = located.value(at: field.path) else { continue }
      let first = lines.line(containing: value.fullRange.lowerBound)
      let last = lines.line(containing: max(value.fullRange.upperBound - 1, value.fullRange.lowerBound))
      switch value.style {
      case .body, .literal:
        let start = first + (value.style == .literal ? 1 : 0)
        guard let changed = field.lines else { fallthrough }
        ranges += changed.map { $0.lowerBound + start..<$0.upperBound + start }
      default: ranges.append(first..<last + 1)
      }
    }
    return DetailPane.merged(ranges)
  }

  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
      if let last = merged.last, last.upperBound >= range.lowerBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
  }
}
