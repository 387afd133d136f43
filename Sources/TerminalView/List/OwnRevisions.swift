import PlainStore
import PlainText

/// The values that actions of this run gave to the painted items.
///
/// A person who sets two fields, one after the other, means by the second one the item with the
/// first change, also before that is painted, and for a selected row that is not on the screen.
struct OwnRevisions: Sendable {
  private struct Chain {
    /// The states that were painted when the actions were asked for, the oldest first.
    var earlier: [ItemRevision]
    /// The fields that the actions left, the oldest first. An undo returns to one of them.
    var made: [Fields]
  }

  /// The maximum number of states of one item. Older ones are forgotten.
  private static let maxStates = 16

  private var chains: [Item.ID: Chain] = [:]

  /// Records the change of an item.
  ///
  /// - Parameters:
  ///   - painted: The item as it was painted.
  ///   - before: The item on which the change was based; nil if it is not known.
  ///   - after: The fields of the file after the change; nil if they are not known.
  mutating func record(_ painted: PaintedItem, from before: Item?, to after: Fields?) {
    let old = chains[painted.id]
    chains[painted.id] = nil
    guard let before, let after else { return }
    // A state that own actions did not make begins a chain of its own.
    let isOwn = old?.made.contains(before.ownFields) ?? false
    let (earlier, made) = isOwn ? (old?.earlier ?? [], old?.made ?? []) : ([], [])
    let isKnown = earlier.contains { $0.hasSameValues(as: painted.revision) }
    let all = isKnown ? earlier : earlier + [painted.revision]
    let count = OwnRevisions.maxStates
    chains[painted.id] = Chain(earlier: all.suffix(count), made: (made + [after]).suffix(count))
  }

  /// Returns true if own actions alone made a state of the painted one.
  func leads(from painted: PaintedItem, to newest: Item) -> Bool {
    guard let chain = chains[painted.id], newest.path == painted.revision.path, chain.made.contains(newest.ownFields) else { return false }
    return chain.earlier.contains { $0.hasSameValues(as: painted.revision) }
  }
}
