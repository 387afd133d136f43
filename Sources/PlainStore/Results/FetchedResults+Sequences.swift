import DiffableSnapshot
import HashTreeCollections

/// What happens, as `AsyncSequence`s. Each begins with the list as it is when its loop begins.
extension FetchedResults {
  /// The snapshot, then every step, of the list and of the problems.
  public var events: ResultsSequence<ResultsEvent> {
    ResultsSequence(self) { step in step.event.map { [$0] } ?? [] }
  }

  /// Every change to the list, one step at a time.
  ///
  /// The first, which is the only one that may be empty, leads from an empty list to the list as it is: whoever applies each update to what it shows needs no other beginning.
  ///
  /// ```swift
  /// for await update in results.updates { dataSource.apply(update.new.list) }
  /// ```
  public var updates: ResultsSequence<ResultsUpdate> {
    ResultsSequence(self) { step in step.updateFromNothing.map { [$0] } ?? [] }
  }

  /// Every change to an item of the list, one at a time, in the order in which they can be read to a person: deletes, inserts and moves, updates. First each item as an insert.
  ///
  /// The places of one update's changes count as those of its diff do: `from` in the list before all of it, `to` in the list after all of it.
  ///
  /// ```swift
  /// for await change in results.changes { print(change.kind, change.object.id) }
  /// ```
  public var changes: ResultsSequence<ResultsChange<Item>> {
    ResultsSequence(self) { step in
      guard let update = step.updateFromNothing else { return [] }
      return update.changes { $1.items[$0] }
    }
  }

  /// What is wrong with files: all that is, then what comes and goes.
  public var problems: ResultsSequence<ProblemChange> { ResultsSequence(self, \.problems) }

  /// One item: as it is, then whenever what the list shows of it changes, and nil while the list does not show it. A move alone is no change of the item.
  ///
  /// O(log n) for each step of the list, whatever else it changed.
  ///
  /// ```swift
  /// for await ada in results.updates(of: "friends/ada") { print(ada?.fields.value ?? .null) }
  /// ```
  public func updates(of id: Item.ID) -> ResultsSequence<Item?> {
    ResultsSequence(self) { step in step.changes(id) ? [step.new.item(id)] : [] }
  }
}

extension ResultsStep {
  /// The update; of the first step the one that leads from an empty list to it.
  var updateFromNothing: ResultsUpdate? {
    old == nil ? ResultsUpdate(from: new.emptied, to: new, touched: nil, origin: .view) : update
  }

  /// Whether an item came, went, or shows something else.
  func changes(_ id: Item.ID) -> Bool {
    guard let old else { return true }
    if let ids = touched.ids, !ids.contains(id) { return false }
    let (was, isThere) = (old.list.contains(id), new.list.contains(id))
    return was != isThere || isThere && new.shows(of: id, otherThan: old)
  }
}

extension ResultsSnapshot {
  /// The same view of a store without items.
  fileprivate var emptied: ResultsSnapshot {
    // One section cannot stand there twice.
    let list = request.section == nil ? try? Snapshot<SectionID, Item.ID>([(id: SectionID(""), items: [])]) : nil
    return ResultsSnapshot(request: request, list: list ?? Snapshot(), items: [:], problems: [:])
  }
}
