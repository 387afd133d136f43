import PlainStore

/// Finds the pending items that only the command itself changed (`--ignore-own`).
///
/// An item that another program has changed, too, since the command last got it, is not the
/// command's own. Otherwise the other program's change would be lost.
struct ChangeOwners: Sendable {
  /// The number of the last step in which the command itself changed an item, by items.
  private var own: [Item.ID: Int] = [:]
  /// The number of the last step in which another program changed an item, by items.
  private var others: [Item.ID: Int] = [:]
  /// The number of steps.
  private(set) var step = 0

  /// Records a step.
  ///
  /// - Parameters:
  ///   - update: The changes of the step.
  ///   - ownRows: The rows among them that the command itself changed.
  mutating func record(_ update: ResultsUpdate, own ownRows: Set<Item.ID>) {
    step += 1
    for change in update.diff.changes {
      if ownRows.contains(change.item) {
        own[change.item.item] = step
      } else {
        others[change.item.item] = step
      }
    }
  }

  /// Records that the command has the changes of an update, up to a step.
  mutating func acknowledge(_ update: ResultsUpdate, upTo step: Int) {
    for change in update.diff.changes {
      let item = change.item.item
      if let last = own[item], last <= step { own[item] = nil }
      if let last = others[item], last <= step { others[item] = nil }
    }
  }

  /// Acknowledges the pending changes that only the command itself has made.
  ///
  /// - Returns: The update with these changes; nil if there are none.
  mutating func acknowledgeOwn(in pending: inout PendingChanges) -> ResultsUpdate? {
    if own.isEmpty { return nil }
    let rows = pending.update?.diff.changes.map(\.item) ?? []
    keep(only: rows)
    // What a failed run did with an item is still to be corrected.
    let ownRows = rows.filter { own[$0.item] != nil && others[$0.item] == nil && !pending.offer.contains($0) }
    guard let part = pending.part(Set(ownRows)) else { return nil }
    pending.acknowledge(part)
    acknowledge(part, upTo: step)
    return part
  }

  /// Removes all items but those of some rows.
  private mutating func keep(only rows: [Item.ID]) {
    let items = Set(rows.map(\.item))
    own = own.filter { items.contains($0.key) }
    others = others.filter { items.contains($0.key) }
  }
}
