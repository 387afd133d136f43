/// What a `FetchedResults` has to say, as an `AsyncSequence`. Each iterator has a subscription of its own, made when the loop begins, and keeps the results alive.
///
/// Nothing is queued: while a loop's body runs, what happens is gathered into the one step that the loop is given next.
public struct ResultsSequence<Element: Sendable>: AsyncSequence, Sendable {
  private let results: FetchedResults
  /// What a step says to this sequence.
  private let elements: @Sendable (ResultsStep) -> [Element]

  init(_ results: FetchedResults, _ elements: @escaping @Sendable (ResultsStep) -> [Element]) {
    self.results = results
    self.elements = elements
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let results: FetchedResults
    fileprivate let subscription: ResultsSubscription
    fileprivate let elements: @Sendable (ResultsStep) -> [Element]
    /// The rest of the last step.
    private var pending: ArraySlice<Element> = []

    fileprivate init(_ results: FetchedResults, _ elements: @escaping @Sendable (ResultsStep) -> [Element]) {
      self.results = results
      self.elements = elements
      subscription = results.subscribe()
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while pending.isEmpty {
        guard let step = await subscription.nextStep() else { return nil }
        pending = elements(step)[...]
      }
      return Task.isCancelled ? nil : pending.popFirst()
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(results, elements) }
}
