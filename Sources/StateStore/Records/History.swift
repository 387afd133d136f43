import PlainStore

/// The lists that a state can still produce, oldest first, and which of them was acknowledged.
///
/// The newest one is stored. For each other one there is a log that leads back to it from the next
/// one. Pure.
struct History {
  /// One list.
  struct Step: Equatable {
    /// The number of the step in the state. It is never used again.
    let number: Int64
    let position: StreamPosition
    let digest: RecordDigest
    /// The size of the log that leads back to the list before it.
    var undoSize: Int
  }

  /// The bounds of the logs.
  struct Limits {
    /// The number of steps that can be undone.
    var steps = 1_000
    /// The size of all logs in bytes.
    var bytes = 10 << 20
    /// The number of steps since the acknowledged one that are kept whatever their size.
    var recent = Delivery.maxOffered
  }

  /// A way to make the logs smaller.
  enum Reduction: Equatable {
    /// Removes the oldest list.
    case drop(Step)
    /// Removes the second list: the log that leads back to it becomes part of the one that leads back
    /// to the first.
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

  /// The step from which the consumer goes on if nothing else is known.
  var base: Step? { acknowledged.flatMap(step) ?? steps.first }

  /// Returns a step by its number.
  func step(_ number: Int64) -> Step? { steps.first { $0.number == number } }

  /// Returns a step by its token; the newest one of several.
  func step(_ token: String) -> Step? { steps.last { $0.position.token == token } }

  /// Adds the step after the newest one.
  mutating func append(_ step: Step) {
    if !steps.isEmpty { undoSize += step.undoSize }
    steps.append(step)
  }

  mutating func acknowledge(_ step: Step) { acknowledged = step.number }

  /// The next reduction that brings the logs to their limits; nil if they are within them. Never
  /// removes the way back to the acknowledged step.
  func reduction(_ limits: Limits) -> Reduction? {
    guard steps.count > 2, steps.count > limits.steps + 1 || undoSize > limits.bytes else { return nil }
    let first = steps[0]
    if let acknowledged, first.number < acknowledged { return .drop(first) }
    if steps.count - 1 <= limits.recent { return nil }
    return acknowledged == nil ? .drop(first) : .merge(steps[1], into: first)
  }

  /// Makes a reduction.
  ///
  /// - Parameter size: The size by which the log of a merge grows.
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
