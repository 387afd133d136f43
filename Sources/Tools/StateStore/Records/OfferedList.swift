import PlainStore
import Streams

/// A list that a consumer was offered, with its position.
struct OfferedList {
  let list: ResultsSnapshot
  let position: StreamPosition
  /// The rows that may differ from the list that was offered before it; nil if any may.
  var touched: Set<Item.ID>?
  /// The rows that were offered with it.
  var offer = Offer()
}
