import DiffableSnapshot
import Files

@testable import Query
@testable import Store

/// Follows a list and prints its events in a short form: `+id@index` for an insert, `-id(reason)` for a
/// delete, `>id@index` and `*id@index` for a move without and with an edit, `~id@index` for an update,
/// sections in brackets, problems by path and line.
struct Follower {
  let results: LiveList<Item>
  let subscription: ListSubscription

  init(_ list: LiveList<some Sendable>) {
    let results = LiveList<Item>(list.shared)
    self.init(results.subscribe(), results)
  }

  init(_ subscription: ListSubscription, _ results: LiveList<Item>) {
    self.results = results
    self.subscription = subscription
  }

  /// Returns the event that is due now; nil if there is none.
  func next() -> String? { subscription.consumeEvent().map(Follower.text) }

  /// Waits for the next event.
  func wait() async -> String? { await subscription.next().map(Follower.text) }

  static func text(_ event: ListEvent) -> String {
    switch event {
    case .snapshot(let snapshot):
      (["snapshot"] + snapshot.list.itemIdentifiers.map(\.description)).joined(separator: " ")
    case .step(let update, let problems):
      ((update.map(words(of:)) ?? []) + problems.map(text)).joined(separator: " ")
    }
  }

  private static func words(of update: ListUpdate<Item>) -> [String] {
    ["\(update.origin):"] + update.diff.sections.map(text) + changes(of: update)
  }

  private static func changes(of update: ListUpdate<Item>) -> [String] {
    update.diff.changes.map { change in
      switch change {
      case .delete(let id, _): "-\(id)(\(update.reason(forDeleting: id)))"
      case .insert(let id, let to): "+\(id)@\(to.index)"
      case .move(let id, _, let to, let isUpdated): "\(isUpdated ? "*" : ">")\(id)@\(to.index)"
      case .update(let id, _, let to): "~\(id)@\(to.index)"
      }
    }
  }

  private static func text(_ change: SnapshotDiff<SectionID, Item.ID>.SectionChange) -> String {
    switch change {
    case .delete(let id, let from): "[-\(id)@\(from)]"
    case .insert(let id, let to): "[+\(id)@\(to)]"
    case .move(let id, let from, let to): "[>\(id)@\(from)-\(to)]"
    case .update(let id, _, let to): "[~\(id)@\(to)]"
    }
  }

  private static func text(_ change: ProblemChange) -> String {
    switch change {
    case .raised(let problem): "raised \(problem.path):\(problem.line)"
    case .cleared(let problem): "cleared \(problem.path)"
    }
  }
}
