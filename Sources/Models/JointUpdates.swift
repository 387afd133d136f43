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
  /// let open = store.results(FetchRequest(predicate: try ItemPredicate("done = false")))
  /// let done = store.results(FetchRequest(predicate: try ItemPredicate("done = true")))
  /// for await joint in store.updates(of: open, done) {
  ///   let (opened, finished) = joint.updates
  ///   print(opened?.new.count ?? 0, finished?.new.count ?? 0)
  /// }
  /// ```
  ///
  /// Costs as much as the updates of the lists one by one. A list of another store may be among
  /// them; each store then has its own version.
  public func updates<each List: ResultsList>(of lists: repeat each List) -> JointUpdates<repeat each List> {
    JointUpdates(repeat each lists)
  }
}

/// One step of several lists, which all show one version of their store.
public struct JointUpdate<each Update: Sendable>: Sendable {
  /// One update for each list; nil for a list that did not change.
  ///
  /// These are properties of a type because a tuple of any length as the element of a sequence
  /// crashes the compiler (Swift 6.3) where the sequence is given to generic code, such as `map`.
  public let updates: (repeat (each Update)?)
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
public struct JointUpdates<each List: ResultsList>: AsyncSequence, Sendable {
  /// One update for each list.
  public typealias Element = JointUpdate<repeat (each List).Update>
  /// The sequence does not fail.
  public typealias Failure = Never

  private let sources: (repeat ResultsSource<(each List).Update>)

  init(_ lists: repeat each List) {
    sources = (repeat (each lists).source)
  }

  /// An iterator that begins with the lists as they are when it is made.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let updates: JointUpdates<repeat each List>
    private let subscription: JointSubscription
    /// The lists hold these weakly.
    private let receivers: [any Sendable]

    fileprivate init(_ updates: JointUpdates<repeat each List>) {
      self.updates = updates
      (subscription, receivers) = JointSubscription.subscribe(to: updates.items)
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

  private var items: [FetchedResults] {
    var items: [FetchedResults] = []
    for source in repeat each sources { items.append(source.items) }
    return items
  }

  private func element(_ reader: StepReader) -> Element {
    JointUpdate(updates: (repeat reader.update(of: each sources)))
  }
}

/// A reader that turns the steps of several lists into their updates, in the order of the lists.
private final class StepReader {
  private var rest: ArraySlice<ResultsStep?>
  private(set) var isChanged = false

  init(_ steps: [ResultsStep?]) {
    rest = steps[...]
  }

  func update<Update>(of source: ResultsSource<Update>) -> Update? {
    guard let step = rest.popFirst() ?? nil, let update = source.update(step) else { return nil }
    isChanged = true
    return update
  }
}

/// A live list of a store: of items (`FetchedResults`) or of your own type (`TypedResults`).
///
/// Use it to observe several lists as one (`ItemStore.updates(of:)`). No other type conforms to it.
public protocol ResultsList: Sendable {
  /// The updates of the list.
  associatedtype Update: Sendable

  /// The source of the list's updates.
  var source: ResultsSource<Update> { get }
}

/// The source of the updates of a list.
public struct ResultsSource<Update: Sendable>: Sendable {
  let items: FetchedResults
  /// Returns the update of a step; nil if the list did not change.
  let update: @Sendable (ResultsStep) -> Update?
}

extension ResultsSource: CustomStringConvertible {
  /// The list as it is now.
  public var description: String { items.snapshot.description }
}

extension FetchedResults: ResultsList {
  /// The source of the list's updates, for `ItemStore.updates(of:)`.
  public var source: ResultsSource<ResultsUpdate> { ResultsSource(items: self, update: \.updateFromNothing) }
}

extension TypedResults: ResultsList {
  /// The source of the list's updates, for `ItemStore.updates(of:)`.
  public var source: ResultsSource<TypedUpdate<Object>> {
    ResultsSource(items: items) { [mapping] step in
      step.mapped(by: mapping).updateFromNothing.map { TypedUpdate($0) }
    }
  }
}
