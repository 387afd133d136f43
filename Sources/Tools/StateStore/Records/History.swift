import Streams

/// The lists that a state can still produce, oldest first, and which of them was acknowledged.
///
/// The newest list is stored. Each other list has an undo log, which leads back to it from the next
/// one. Pure.
package struct History {
  struct Step: Equatable {
    /// The number of the step in the state. It is never used again.
    let number: Int64
    let position: StreamPosition
    let digest: RecordDigest
    /// The size of the undo log that leads back to the list before it.
    var undoSize: Int
  }

  package struct Limits {
    var steps = 1_000
    /// The size of all undo logs in bytes.
    var bytes = 10 << 20
    /// The number of steps since the acknowledged one that are kept, regardless of their size.
    var recent = Delivery.maxOffered

    package static let standard = Limits()
  }

  enum Reduction: Equatable {
    /// Removes the oldest list.
    case drop(Step)
    /// Removes the second-oldest list: its undo log is merged into that of the oldest one.
    case merge(Step, into: Step)
  }

  private(set) var steps: [Step] = []
  /// The number of the acknowledged step; nil if nothing was acknowledged.
  private(set) var acknowledged: Int64?
  private var undoSize = 0

  init() {}

  /// Creates a history from what is stored; nil if it contradicts itself.
  init?(_ steps: [Step], acknowledged: Int64?) {
    guard zip(steps, steps.dropFirst()).allSatisfy({ $0.number < $1.number }) else { return nil }
    if let acknowledged, !steps.contains(where: { $0.number == acknowledged }) { return nil }
    self.steps = steps
    self.acknowledged = acknowledged
    undoSize = steps.dropFirst().reduce(0) { $0 + $1.undoSize }
  }

  var newest: Step? { steps.last }

  func step(_ number: Int64) -> Step? { steps.first { $0.number == number } }

  /// Returns a step by its token; the newest one of several.
  func step(_ token: String) -> Step? { steps.last { $0.position.token == token } }

  mutating func append(_ step: Step) {
    if !steps.isEmpty { undoSize += step.undoSize }
    steps.append(step)
  }

  mutating func acknowledge(_ step: Step) { acknowledged = step.number }

  /// Returns the next reduction of undo logs that exceed their limits; nil if none is possible or
  /// needed. The acknowledged step always stays reachable.
  func reduction(_ limits: Limits) -> Reduction? {
    guard steps.count > 2, steps.count > limits.steps + 1 || undoSize > limits.bytes else { return nil }
    let first = steps[0]
    if let acknowledged, first.number < acknowledged { return .drop(first) }
    if steps.count - 1 <= limits.recent { return nil }
    return acknowledged == nil ? .drop(first) : .merge(steps[1], into: first)
  }

  /// Applies a reduction. The remaining log of a merge grows by a size.
  mutating func apply(_ reduction: Reduction, growth size: Int = 0) {
    switch reduction {
    case .drop:
      steps.removeFirst()
      undoSize -= steps[0].undoSize
    case .merge(let step, _):
      undoSize += size - steps[2].undoSize
      steps[2].undoSize = step.undoSize + size
      steps.remove(at: 1)
    }
  }
}
