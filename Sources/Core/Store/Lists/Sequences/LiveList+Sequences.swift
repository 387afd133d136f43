/// The updates of a list as `AsyncSequence`s. Each begins with the list as it is when its loop begins.
extension LiveList {
  /// The updates of the list, one step at a time.
  ///
  /// The first update leads from an empty list to the list as it is, so a view that applies each
  /// update needs no other start. Only the first one may be empty.
  ///
  /// ```swift
  /// let contacts = try store.list(of: Contact.self, sort: "name")
  /// for await update in contacts.updates { dataSource.apply(update.diffableSnapshot) }
  /// ```
  public var updates: ListSequence<ListUpdate<Element>> {
    sequence { step in step.updateFromNothing.map { [ListUpdate($0)] } ?? [] }
  }

  /// Returns the updates of the list since a snapshot of it. Nothing in between is lost, however
  /// late the loop begins.
  ///
  /// ```swift
  /// let shown = contacts.snapshot
  /// for await update in contacts.updates(after: shown) { print(update.changes) }
  /// ```
  ///
  /// - Parameter snapshot: A snapshot of this list; nil (the default) for the list as it is at this
  ///   call. The first update leads from it to the newest list, if they differ. That costs O(n)
  ///   if the snapshot is not the newest one.
  public func updates(after snapshot: ListSnapshot<Element>? = nil) -> ListSequence<ListUpdate<Element>> {
    sequence(after: subscribe(after: snapshot)) { step in step.update.map { [ListUpdate($0)] } ?? [] }
  }

  /// Returns the element of one item: as it is now, then each time it shows something else. Nil while
  /// the list does not show it. A move alone is not a change.
  ///
  /// Costs O(log n) per step of the list, whatever else the step changed.
  ///
  /// ```swift
  /// for await ada in contacts.updates(of: "friends/ada") { print(ada?.rating ?? 0) }
  /// ```
  public func updates(of id: some ItemIDConvertible) -> ListSequence<Element?> {
    let id = id.itemID
    return sequence { step in step.changes(id) ? [ListSnapshot<Element>(step.new)[item: id]] : [] }
  }

  /// The problems of files: first all that there are, then each that comes or goes.
  public var problems: ListSequence<ProblemChange> { sequence(\.problems) }

  /// The snapshot, then each step of the list and of the problems.
  package var events: ListSequence<ListEvent> { sequence { step in step.event.map { [$0] } ?? [] } }

  private func sequence<Output>(
    after start: ListSubscription? = nil, _ elements: @escaping @Sendable (ListStep) -> [Output]
  ) -> ListSequence<Output> {
    guard let mapping else { return ListSequence(shared, after: start, elements) }
    return ListSequence(shared, after: start) { step in elements(step.mapped(by: mapping)) }
  }
}

extension ListStep {
  /// The update; for the first step the one that leads from an empty list to the snapshot.
  package var updateFromNothing: ListUpdate<Item>? {
    old == nil
      ? ListUpdate<Item>(from: new.emptied, to: new, touched: nil, origin: .view, cause: .first) : update
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

/// An `AsyncSequence` of the updates, the problems or one element of a live list. Each iterator has its own
/// subscription and keeps the list alive. It begins with the list as it is when the loop begins, or with
/// the changes since a snapshot.
///
/// Nothing is queued: the changes made while a loop's body runs become the one step that it gets next.
public struct ListSequence<Element: Sendable>: AsyncSequence, Sendable {
  private let list: SharedList
  private let elements: @Sendable (ListStep) -> [Element]
  /// A subscription that collects the steps since a snapshot, from which each iterator begins; nil
  /// if iterators begin with the list as it is then.
  private let start: ListSubscription?

  package init(
    _ list: SharedList, after start: ListSubscription? = nil,
    _ elements: @escaping @Sendable (ListStep) -> [Element]
  ) {
    self.list = list
    self.start = start
    self.elements = elements
  }

  /// Begins with the list as it is when the iterator is made, or with the changes since a snapshot.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let list: SharedList
    fileprivate let subscription: ListSubscription
    fileprivate let elements: @Sendable (ListStep) -> [Element]
    private var pending: ArraySlice<Element> = []

    fileprivate init(
      _ list: SharedList, _ start: ListSubscription?,
      _ elements: @escaping @Sendable (ListStep) -> [Element]
    ) {
      self.list = list
      self.elements = elements
      subscription =
        start.map { start in list.follow { _ in ListSubscription(copying: start) } }
        ?? list.follow { ListSubscription(newest: $0) }
    }

    /// Returns the next element; nil when the list is gone or the task is cancelled.
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
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(list, start, elements) }
}
