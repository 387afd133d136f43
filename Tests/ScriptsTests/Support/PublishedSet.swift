import Store
import Values
import Streams

@testable import Scripts

/// What a command has made outside of the folder: the values that it was told, by rows. A run that
/// fails may have done any part of its update.
struct PublishedSet: Equatable {
  private var values: [Item.ID: PackedValue] = [:]

  init(_ list: ListSnapshot<Item>) { list.forEachRow { values[$0.id] = $0.value } }

  /// Does the first things of an update, as the lines of `--stdin changes` name them.
  mutating func apply(_ update: ListUpdate<Item>, first count: Int = .max) {
    for change in update.diff.changes.prefix(count) {
      // A move alone has no value.
      if case .move(_, _, _, isUpdated: false) = change { continue }
      values[change.item] = update.new.row(change.item)?.value
    }
    for entry in update.takenBack.prefix(max(0, count - update.diff.changes.count)) {
      values[entry.id] = entry.isDeleted ? nil : update.new.row(entry.id)?.value
    }
  }
}
