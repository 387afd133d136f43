/// Compares the identifiers of two lists. The only part of a difference that knows their type, so
/// that it can be specialised where the type is known.
@usableFromInline
struct ItemAligner<ID: Hashable & Sendable> {
  @usableFromInline let old: IDTable<ID>
  @usableFromInline let new: IDTable<ID>
  @usableFromInline var oldIDs: PagedVector<ID>.Reader
  @usableFromInline var newIDs: PagedVector<ID>.Reader
  /// The number of items that may be compared for the lookups so far. Lookups that do not lead to longer runs
  /// of pairs use it up.
  @usableFromInline var credit = 2048

  @inlinable
  init(_ old: IDTable<ID>, _ new: IDTable<ID>) {
    self.old = old
    self.new = new
    oldIDs = old.reader()
    newIDs = new.reader()
  }

  /// Finds pairs by comparing the items of two ranges one after the other. Where they differ, a few
  /// items on either side are compared, then one item is looked up. If lookups don't find longer
  /// runs of pairs, the rest is left open.
  @inlinable
  mutating func align(_ matches: inout ItemMatches, _ oldRange: Range<Int>, _ newRange: Range<Int>) {
    var place = oldRange.lowerBound
    var guess = newRange.lowerBound
    var other = newRange.lowerBound
    while place < oldRange.upperBound {
      let count = commonCount(matches, place..<oldRange.upperBound, guess..<newRange.upperBound)
      if count > 0 {
        matches.match(old: place, new: guess, count: count)
        place += count
        guess += count
        credit += count
      } else if let (oldStep, newStep) = near(
        matches, place..<oldRange.upperBound, guess..<newRange.upperBound)
      {
        place += oldStep
        guess += newStep
      } else if other != guess, commonCount(matches, place..<place + 1, other..<newRange.upperBound) > 0 {
        // After an item that moved alone, continue where the others are.
        swap(&guess, &other)
      } else if credit > 0 {
        // A lookup costs as much as comparing some items.
        credit -= 32
        if let found = newOffset(matches.old[place], &matches), newRange.contains(found) {
          other = guess
          guess = found
        } else {
          place += 1
        }
      } else {
        return
      }
    }
  }

  /// Returns how many items of two ranges are the same, one by one from the start.
  @inlinable
  mutating func commonCount(_ matches: ItemMatches, _ oldRange: Range<Int>, _ newRange: Range<Int>) -> Int {
    let limit = min(oldRange.count, newRange.count)
    var count = 0
    while count < limit,
      isSame(matches.old[oldRange.lowerBound + count], matches.new[newRange.lowerBound + count])
    { count += 1 }
    return count
  }

  /// Returns how many items to skip on either side until both match again, if that is near.
  @inlinable
  mutating func near(_ matches: ItemMatches, _ oldRange: Range<Int>, _ newRange: Range<Int>) -> (
    old: Int, new: Int
  )? {
    for step in 1...3 {
      if step < newRange.count,
        isSame(matches.old[oldRange.lowerBound], matches.new[newRange.lowerBound + step])
      {
        return (0, step)
      }
      if !newRange.isEmpty, step < oldRange.count,
        isSame(matches.old[oldRange.lowerBound + step], matches.new[newRange.lowerBound])
      {
        return (step, 0)
      }
    }
    return nil
  }

  @inlinable
  mutating func lookUp(_ matches: inout ItemMatches) {
    if matches.hasFewerNew {
      for offset in matches.openNewOffsets {
        let id = newIDs.id(matches.new[offset])
        guard let number = old.number(of: id), let found = matches.oldOffset(of: number) else { continue }
        matches.match(old: found, new: offset)
      }
    } else {
      for offset in matches.openOldOffsets {
        if let found = newOffset(matches.old[offset], &matches) { matches.match(old: offset, new: found) }
      }
    }
  }

  @inlinable
  mutating func confirm(_ matches: inout ItemMatches, _ candidates: [Int32]) {
    let newIDs = PagedVector<ID>.RandomReader(new.ids)
    for (offset, candidate) in candidates.enumerated() where candidate >= 0 {
      if oldIDs.id(matches.old[offset]) == newIDs.element(at: Int(matches.new[Int(candidate)])) {
        matches.match(old: offset, new: Int(candidate))
      } else if let found = newOffset(matches.old[offset], &matches) {
        // Another item has the same hash.
        matches.match(old: offset, new: found)
      }
    }
  }

  /// Returns the offset among the open new items of an old item, or nil if it isn't among them.
  @inlinable
  mutating func newOffset(_ item: UInt32, _ matches: inout ItemMatches) -> Int? {
    new.number(of: oldIDs.id(item)).flatMap { matches.newOffset(of: $0) }
  }

  @inlinable
  mutating func isSame(_ oldItem: UInt32, _ newItem: UInt32) -> Bool {
    oldIDs.id(oldItem) == newIDs.id(newItem)
  }
}
