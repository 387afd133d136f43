import Store
import Streams

/// What one consumer has acknowledged, and what it was offered since then, in memory. Pure.
struct Delivery {
  /// The list that the consumer has; nil before the first acknowledgement.
  private(set) var acknowledged: OfferedList?
  /// The lists that were offered since then, oldest first.
  private(set) var offered: [OfferedList] = []

  /// The offered rows that the consumer may not have as they are in the acknowledged list.
  private(set) var offer = Offer()
  /// The part of them that no list in `offered` covers.
  private var earlierOffer = Offer()
  /// The rows in which `offer` may differ from what is recorded.
  private(set) var unrecordedRows: Set<Item.ID> = []
  /// True if the rows are recorded, because the consumer has to take them back.
  let keepsOffers: Bool

  init(keepsOffers: Bool = false) {
    self.keepsOffers = keepsOffers
  }

  /// The number of lists that are kept in memory. A state that has to be written again from memory
  /// has only the tokens of these lists.
  static let maxOffered = 64

  var newest: OfferedList? { offered.last ?? acknowledged }

  var lists: [OfferedList] { (acknowledged.map { [$0] } ?? []) + offered }

  mutating func begin(_ list: ListSnapshot<Item>, at position: StreamPosition, isAcknowledged: Bool = false) {
    let first = OfferedList(list: list, position: position)
    (acknowledged, offered) = isAcknowledged ? (first, []) : (nil, [first])
    unrecordedRows.formUnion(offer.rows)
    offer = Offer()
    earlierOffer = Offer()
  }

  /// Continues with what was read from a state. Not all rows that the state has need to count.
  mutating func resume(after list: OfferedList, newest: OfferedList?, offering offer: Offer, recorded: Offer)
  {
    acknowledged = list
    offered = newest.map { [$0] } ?? []
    self.offer = offer
    earlierOffer = offer
    unrecordedRows = offer == recorded ? [] : Set(offer.rows).union(recorded.rows)
  }

  /// Adds an update from the newest or from the acknowledged list.
  ///
  /// Who acknowledges an update from the newest list has the updates before it, too. One from the
  /// acknowledged list replaces those that failed before, so it only covers its own rows.
  ///
  /// - Returns: The changes from the previous newest list to the new one; nil if there was none.
  mutating func offer(_ update: ListUpdate<Item>, at position: StreamPosition) -> ListChanges? {
    guard let newest else {
      begin(update.new, at: position)
      return nil
    }
    let rows = keepsOffers ? Offer(of: update) : Offer()
    if keepsOffers, let acknowledged, update.old.isSame(as: acknowledged.list) {
      for index in offered.indices { earlierOffer.formUnion(exchange(&offered[index].offer, with: Offer())) }
    }
    offer.formUnion(rows)
    unrecordedRows.formUnion(rows.rows)
    let isDirect = lists.count == 1
    var touched: Set<Item.ID>? = Set(update.diff.changes.map(\.item))
    // The update may begin before the lists that were offered since then.
    for list in isDirect ? [] : offered { touched = list.touched.flatMap { touched?.union($0) } }
    offered.append(OfferedList(list: update.new, position: position, touched: touched, offer: rows))
    if offered.count > Delivery.maxOffered {
      let removed = offered.removeFirst()
      offered[0].touched = removed.touched.flatMap { offered[0].touched?.union($0) }
      offered[0].offer.formUnion(removed.offer)
    }
    return isDirect ? ListChanges(update) : ListChanges(from: newest.list, to: update.new, touched: touched)
  }

  /// Acknowledges a list in memory and everything before it; false if no list has the token.
  mutating func acknowledge(_ token: String) -> Bool {
    if acknowledged?.position.token == token { return true }
    guard let index = offered.lastIndex(where: { $0.position.token == token }) else { return false }
    let list = offered[index].list
    acknowledged = OfferedList(list: list, position: offered[index].position, touched: offered[index].touched)
    if !offer.isEmpty {
      var covered = Offer()
      for list in offered[...index] { covered.formUnion(list.offer) }
      earlierOffer.cover(covered, in: list)
      offer = earlierOffer
      unrecordedRows.formUnion(covered.rows)
      for list in offered[(index + 1)...] { offer.formUnion(list.offer) }
    }
    offered.removeFirst(index + 1)
    return true
  }

  mutating func offerIsRecorded() { unrecordedRows = [] }

  mutating func acknowledge(_ list: OfferedList) {
    acknowledged = list
    if !offered.isEmpty { offered[0].touched = nil }
  }
}

/// A list that a consumer was offered, with its position.
struct OfferedList {
  let list: ListSnapshot<Item>
  let position: StreamPosition
  /// The rows that may differ from the list that was offered before it; nil if any may.
  var touched: Set<Item.ID>?
  var offer = Offer()
}
