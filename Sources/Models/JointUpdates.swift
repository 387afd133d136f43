public import Store

extension ItemStore {
  /// Returns the updates of several lists as one sequence. Each element has one update for each
  /// list, or nil for a list that did not change. All updates of an element show the same version
  /// of the store.
  ///
  /// So an item that moves from one list to another is never in both or in neither: both updates
  /// are in the same element. The first element has the first update of each list.
  ///
  /// ```swift
  /// let open = try store.list(where: "done = \(false)")
  /// let done = try store.list(where: "done = \(true)")
  /// for await joint in store.updates(of: open, done) {
  ///   let (opened, finished) = joint.updates
  ///   print(opened?.new.count ?? 0, finished?.new.count ?? 0)
  /// }
  /// ```
  ///
  /// Costs as much as the updates of the lists one by one. A list of another store may be among
  /// them; each store then has its own version.
  public func updates<each Element: Sendable>(of lists: repeat LiveList<each Element>)
    -> JointUpdates<repeat each Element>
  {
    JointUpdates(lists: (repeat each lists))
  }
}

/// One step of several lists, which all show one version of their store.
public struct JointUpdate<each Element: Sendable>: Sendable {
  /// One update for each list; nil for a list that did not change.
  ///
  /// These are properties of a type because a tuple of any length as the element of a sequence
  /// crashes the compiler (Swift 6.3) where the sequence is given to generic code, such as `map`.
  public let updates: (repeat ListUpdate<each Element>?)
}

extension JointUpdate: CustomStringConvertible {
  /// The changes of each list, one list after the other.
  public var description: String {
    var lists: [String] = []
    for update in repeat each updates { lists.append(update.map { "\($0)" } ?? "no change") }
    return lists.joined(separator: "\n")
  }
}

/// The updates of several lists as one `AsyncSequence`. Each iterator has its own subscription,
/// made when the loop begins, and keeps the lists alive.
public struct JointUpdates<each Row: Sendable>: AsyncSequence, Sendable {
  /// One update for each list.
  public typealias Element = JointUpdate<repeat each Row>
  /// The sequence does not fail.
  public typealias Failure = Never

  let lists: (repeat LiveList<each Row>)

  /// An iterator that begins with the lists as they are when it is made.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let updates: JointUpdates<repeat each Row>
    private let subscription: JointSubscription
    /// The lists hold these weakly.
    private let receivers: [any Sendable]

    fileprivate init(_ updates: JointUpdates<repeat each Row>) {
      self.updates = updates
      (subscription, receivers) = JointSubscription.subscribe(to: updates.sharedLists)
    }

    /// Returns the next element; nil when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let steps = await subscription.nextSteps() {
        let reader = StepReader(steps)
        let element = updates.element(reader)
        if reader.isChanged { return Task.isCancelled ? nil : element }
      }
      return nil
    }
  }

  /// Subscribes to the lists.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  private var sharedLists: [SharedList] {
    var shared: [SharedList] = []
    for list in repeat each lists { shared.append(list.shared) }
    return shared
  }

  private func element(_ reader: StepReader) -> Element {
    JointUpdate(updates: (repeat reader.update(of: each lists)))
  }
}

/// A reader that turns the steps of several lists into their updates, in the order of the lists.
private final class StepReader {
  private var rest: ArraySlice<ListStep?>
  private(set) var isChanged = false

  init(_ steps: [ListStep?]) {
    rest = steps[...]
  }

  func update<Element>(of list: LiveList<Element>) -> ListUpdate<Element>? {
    guard let step = rest.popFirst() ?? nil, let update = step.mapped(by: list.mapping).updateFromNothing
    else { return nil }
    isChanged = true
    return ListUpdate(update)
  }
}
