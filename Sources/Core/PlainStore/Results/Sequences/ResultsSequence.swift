/// The events of a `FetchedResults` as an `AsyncSequence`. Each iterator has its own subscription
/// and keeps the results alive. It begins with the list as it is when the loop begins, or with what
/// changed since a snapshot.
///
/// Nothing is queued: what happens while a loop's body runs becomes the one step that it gets next.
public struct ResultsSequence<Element: Sendable>: AsyncSequence, Sendable {
  private let results: FetchedResults
  /// Returns the elements that a step adds to this sequence.
  private let elements: @Sendable (ResultsStep) -> [Element]
  /// A subscription that collects the steps since a snapshot, from which each iterator begins; nil
  /// if iterators begin with the list as it is then.
  private let start: ResultsSubscription?

  init(
    _ results: FetchedResults, after start: ResultsSubscription? = nil,
    _ elements: @escaping @Sendable (ResultsStep) -> [Element]
  ) {
    self.results = results
    self.start = start
    self.elements = elements
  }

  /// An iterator that begins with the list as it is when it is made, or with the changes since a
  /// snapshot.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let results: FetchedResults
    fileprivate let subscription: ResultsSubscription
    fileprivate let elements: @Sendable (ResultsStep) -> [Element]
    /// The elements of the last step that were not returned yet.
    private var pending: ArraySlice<Element> = []

    fileprivate init(
      _ results: FetchedResults, _ start: ResultsSubscription?,
      _ elements: @escaping @Sendable (ResultsStep) -> [Element]
    ) {
      self.results = results
      self.elements = elements
      subscription =
        start.map { start in results.follow { _ in ResultsSubscription(copying: start) } }
        ?? results.subscribe()
    }

    /// Returns the next element; nil when the results are gone or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while pending.isEmpty {
        guard let step = await subscription.nextStep() else { return nil }
        pending = elements(step)[...]
      }
      let element = pending.popFirst()
      // An empty slice keeps what it was a part of: the snapshots of the last update.
      if pending.isEmpty { pending = [] }
      return Task.isCancelled ? nil : element
    }
  }

  /// Subscribes to the list.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(results, start, elements) }
}
