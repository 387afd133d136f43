/// The events of a list as `AsyncSequence`s. Each begins with the list as it is when its loop begins.
extension FetchedResults {
  /// The snapshot, then each step of the list and of the problems.
  public var events: ResultsSequence<ResultsEvent> {
    ResultsSequence(self) { step in step.event.map { [$0] } ?? [] }
  }

  /// The updates of the list, one step at a time.
  ///
  /// The first update leads from an empty list to the list as it is, so a view that applies each
  /// update needs no other start. Only the first one may be empty.
  ///
  /// ```swift
  /// for await update in results.updates { dataSource.apply(update.diffableSnapshot) }
  /// ```
  public var updates: ResultsSequence<ResultsUpdate> {
    ResultsSequence(self) { step in step.updateFromNothing.map { [$0] } ?? [] }
  }

  /// The changes to the list's items, one at a time. First comes each item as an insert.
  ///
  /// The changes of one update come in the order deletes, inserts and moves, updates. Their places count as
  /// in its diff: `from` in the list before the complete update, `to` in the list after it.
  ///
  /// ```swift
  /// for await change in results.changes { print(change.kind, change.object.id) }
  /// ```
  public var changes: ResultsSequence<ResultsChange<Item>> {
    ResultsSequence(self) { step in step.updateFromNothing?.changes ?? [] }
  }

  /// Returns the updates of the list since a snapshot of it. Nothing in between is lost, however
  /// late the loop begins.
  ///
  /// ```swift
  /// let shown = results.snapshot
  /// for await update in results.updates(after: shown) { print(update.changes) }
  /// ```
  ///
  /// - Parameter snapshot: A snapshot of this list; nil (the default) for the list as it is at this
  ///   call. The first update leads from it to the newest list, if they differ. That costs O(n)
  ///   if the snapshot is not the newest one.
  public func updates(after snapshot: ResultsSnapshot? = nil) -> ResultsSequence<ResultsUpdate> {
    ResultsSequence(self, after: subscribe(after: snapshot)) { step in step.update.map { [$0] } ?? [] }
  }

  /// Returns the changes to the list's items since a snapshot, one at a time, as ``updates(after:)`` does.
  public func changes(after snapshot: ResultsSnapshot? = nil) -> ResultsSequence<ResultsChange<Item>> {
    ResultsSequence(self, after: subscribe(after: snapshot)) { step in step.update?.changes ?? [] }
  }

  /// The problems of files: first all that there are, then each that comes or goes.
  public var problems: ResultsSequence<ProblemChange> { ResultsSequence(self, \.problems) }

  /// Returns one item as it is now, then each time the fields that the list shows of it change. Nil
  /// while the list does not show it. A move alone is not a change of the item.
  ///
  /// Costs O(log n) per step of the list, whatever else the step changed.
  ///
  /// ```swift
  /// for await ada in results.updates(of: "friends/ada") { print(ada?.fields.value ?? .null) }
  /// ```
  public func updates(of id: Item.ID) -> ResultsSequence<Item?> {
    ResultsSequence(self) { step in step.changes(id) ? [step.new[id: id]] : [] }
  }
}

extension ResultsStep {
  /// The update; for the first step the one that leads from an empty list to the snapshot.
  package var updateFromNothing: ResultsUpdate? {
    old == nil
      ? ResultsUpdate(from: new.emptied, to: new, touched: nil, origin: .view, cause: .first) : update
  }

  /// Returns true if an item came, went, or shows something else.
  package func changes(_ id: Item.ID) -> Bool {
    guard let old else { return true }
    let was = old.rows(of: id)
    let now = new.rows(of: id)
    if let ids = unread.ids, !was.contains(where: ids.contains), !now.contains(where: ids.contains) {
      return false
    }
    return was.isEmpty != now.isEmpty || !now.isEmpty && new.shows(of: id, otherThan: old)
  }
}

/// The events of a `FetchedResults` as an `AsyncSequence`. Each iterator has its own subscription
/// and keeps the results alive. It begins with the list as it is when the loop begins, or with what
/// changed since a snapshot.
///
/// Nothing is queued: what happens while a loop's body runs becomes the one step that it gets next.
public struct ResultsSequence<Element: Sendable>: AsyncSequence, Sendable {
  private let results: FetchedResults
  private let elements: @Sendable (ResultsStep) -> [Element]
  /// A subscription that collects the steps since a snapshot, from which each iterator begins; nil
  /// if iterators begin with the list as it is then.
  private let start: ResultsSubscription?

  package init(
    _ results: FetchedResults, after start: ResultsSubscription? = nil,
    _ elements: @escaping @Sendable (ResultsStep) -> [Element]
  ) {
    self.results = results
    self.start = start
    self.elements = elements
  }

  /// Begins with the list as it is when the iterator is made, or with the changes since a snapshot.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let results: FetchedResults
    fileprivate let subscription: ResultsSubscription
    fileprivate let elements: @Sendable (ResultsStep) -> [Element]
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

extension FetchedResults {
  /// Returns a subscription for a consumer that has a list from an earlier run. Its first step has
  /// everything that changed since then, with the cause `resumed`, and all current problems.
  package func subscribe(resumingAfter list: ResultsSnapshot) -> ResultsSubscription {
    follow { ResultsSubscription(after: list, newest: $0, .resumed($0)) }
  }
}
