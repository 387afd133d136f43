import PlainStore
import Values

/// The values that actions of this run gave to the painted items.
///
/// If somebody sets two fields in a row, the second one applies to the item with the first change,
/// even before that is drawn, and even for a selected row that isn't on the screen.
struct OwnRevisions: Sendable {
  /// The maximum number of steps of one item. Older ones are forgotten.
  private static let maxSteps = 16

  /// The unbroken steps of each item, the oldest first: the state that was painted when the action
  /// was asked for, and the fields that the action left.
  private var steps: [Item.ID: [(painted: ItemRevision, made: Fields)]] = [:]

  /// Records the change of an item.
  ///
  /// - Parameters:
  ///   - painted: The item as it was painted.
  ///   - before: The item on which the change was based; nil if it is not known.
  ///   - after: The fields of the file after the change; nil if they are not known.
  mutating func record(_ painted: PaintedItem, from before: Item?, to after: Fields?) {
    let old = steps.removeValue(forKey: painted.id) ?? []
    guard let before, let after else { return }
    // A state that own actions did not make begins a new chain.
    let earlier = old.contains { $0.made == before.ownFields } ? old : []
    steps[painted.id] = (earlier + [(painted.revision, after)]).suffix(OwnRevisions.maxSteps)
  }

  /// Returns true if own actions alone made a state of the painted one, or an undo returned to such
  /// a state.
  func leads(from painted: PaintedItem, to newest: Item) -> Bool {
    guard newest.path == painted.revision.path, let steps = steps[painted.id] else { return false }
    guard let start = steps.firstIndex(where: { $0.painted.hasSameValues(as: painted.revision) }) else {
      return false
    }
    return steps[start...].contains { $0.made == newest.ownFields }
  }
}
