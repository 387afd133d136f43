/// The events of a `FetchedResults` as an `AsyncSequence`. Each iterator has its own subscription,
/// made when the loop begins, and keeps the results alive.
///
/// Nothing is queued: what happens while a loop's body runs becomes the one step that it gets next.
public struct ResultsSequence<Element: Sendable>: AsyncSequence, Sendable {
  private let results: FetchedResults
  /// Returns the elements that a step adds to this sequence.
  private let elements: @Sendable (ResultsStep) -> [Element]

  init(_ results: FetchedResults, _ elements: @escaping @Sendable (ResultsStep) -> [Element]) {
    self.results = results
    self.elements = elements
  }

  /// Reads the sequence from the list as it is when the iterator is made.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let results: FetchedResults
    fileprivate let subscription: ResultsSubscription
    fileprivate let elements: @Sendable (ResultsStep) -> [Element]
    /// The elements of the last step that were not returned yet.
    private var pending: ArraySlice<Element> = []

    fileprivate init(_ results: FetchedResults, _ elements: @escaping @Sendable (ResultsStep) -> [Element]) {
      self.results = results
      self.elements = elements
      subscription = results.subscribe()
    }

    /// Returns the next element; nil when the results are gone or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while pending.isEmpty {
        guard let step = await subscription.nextStep() else { return nil }
        pending = elements(step)[...]
      }
      return Task.isCancelled ? nil : pending.popFirst()
    }
  }

  /// Subscribes to the list.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(results, elements) }
}
