import Store

/// The direction of a step in the actions of this run, by its verb.
enum UndoDirection: String {
  case undo, redo

  var opposite: UndoDirection { self == .undo ? .redo : .undo }

  var action: ItemAction { self == .undo ? .undo : .redo }

  var past: String { self == .undo ? "Undid" : "Redid" }
}

/// The step that the next undo or redo takes back, for a question and a hint.
struct UndoSummary: Sendable, Hashable {
  /// The action in words, such as `the deletion of ada`.
  var title: String
  var count: Int
}

/// The actions of this run, the last one on top, and those that were undone. What was refused stays on top:
/// otherwise, the same key would take back something older.
struct UndoStack {
  static let maxSteps = 1000

  /// Several items at once are one step. The outcomes are those that were not taken back.
  private var steps: [UndoDirection: [(title: String, outcomes: [SaveOutcome])]] = [:]

  func next(_ direction: UndoDirection) -> UndoSummary? {
    steps[direction]?.last.map { UndoSummary(title: $0.title, count: $0.outcomes.count) }
  }

  /// Leaves out outcomes that changed nothing. After a new action, what was undone cannot be redone.
  mutating func push(_ title: String, _ outcomes: [SaveOutcome]) {
    if put(title, outcomes, on: .undo) { steps[.redo] = nil }
  }

  mutating func pop(_ direction: UndoDirection) -> (title: String, outcomes: [SaveOutcome])? {
    steps[direction]?.popLast()
  }

  /// Ends a removed step: `rest` was not taken back; `made` are the outcomes of taking back the others.
  mutating func conclude(
    _ title: String, _ direction: UndoDirection, rest: [SaveOutcome], made: [SaveOutcome]
  ) {
    put(title, made, on: direction.opposite)
    put(title, rest, on: direction)
  }

  @discardableResult
  private mutating func put(_ title: String, _ outcomes: [SaveOutcome], on direction: UndoDirection) -> Bool {
    let changes = outcomes.filter(\.inverse.hasChanges)
    if changes.isEmpty { return false }
    steps[direction, default: []].append((title, changes))
    if steps[direction, default: []].count > UndoStack.maxSteps { steps[direction]?.removeFirst() }
    return true
  }
}
