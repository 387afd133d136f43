import PlainStore

/// An action of this run that can be undone: several items at once are one step.
struct UndoStep: Sendable {
  /// The action in words, such as `the deletion of ada`.
  var title: String
  /// The outcomes of the changes that were made and are not undone.
  var outcomes: [SaveOutcome]

  /// The changes that undo the step, the last one first.
  var scope: EditScope { EditScope(undoing: outcomes) }
}

/// The step that the next undo takes back, for a question and a hint.
public struct UndoSummary: Sendable, Hashable {
  /// The action in words, such as `the deletion of ada`.
  public var title: String
  /// The number of items.
  public var count: Int
}

/// The actions of this run, the last one on top.
struct UndoStack: Sendable {
  /// The maximum number of steps. The oldest ones are forgotten.
  static let maxSteps = 1000

  private(set) var steps: [UndoStep] = []

  /// The next step, as a summary; nil if there is none.
  var next: UndoSummary? { steps.last.map { UndoSummary(title: $0.title, count: $0.outcomes.count) } }

  /// Adds an action. Outcomes that changed nothing are left out.
  mutating func push(_ title: String, _ outcomes: [SaveOutcome]) {
    let changes = outcomes.filter(\.inverse.hasChanges)
    if changes.isEmpty { return }
    steps.append(UndoStep(title: title, outcomes: changes))
    if steps.count > UndoStack.maxSteps { steps.removeFirst() }
  }

  mutating func pop() -> UndoStep? { steps.popLast() }

  /// Puts back the part of a step that was not undone.
  ///
  /// - Parameter isRefused: True if another program changed the items since. Then the step comes
  ///   below all others, so that it does not keep them from being undone.
  mutating func putBack(_ step: UndoStep, isRefused: Bool) {
    if step.outcomes.isEmpty { return }
    if isRefused { steps.insert(step, at: 0) } else { steps.append(step) }
  }
}
