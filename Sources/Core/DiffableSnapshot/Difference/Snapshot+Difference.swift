extension Snapshot {
  /// Returns the difference from an older snapshot to this one.
  ///
  /// Without `touched`, the snapshots may be unrelated. Shared structure costs nothing: the difference from
  /// an ancestor costs O(log n) per edit in between. Otherwise it is one pass over both lists, with a
  /// lookup for each item that does not follow its neighbour. The number of moves is minimal: in each
  /// section, the items that stay form a longest increasing subsequence, and so do the sections.
  ///
  /// With `touched`, the cost is O(k log n) for k touched items. The caller promises that each other item
  /// is either hidden in both snapshots, or shown in both, in the same section and the same relative order.
  /// Only touched items are listed. One that stays in its section moves if it changes sides with an
  /// untouched item, or if it is not in a longest increasing subsequence of the touched items between the
  /// same two untouched ones. Sections without touched items move only if there is no other way.
  ///
  /// ```swift
  /// let diff = after.difference(from: before, touched: ["ada"], updated: ["ada"])
  /// ```
  ///
  /// - Parameters:
  ///   - touched: The items that may differ, if they are known.
  ///   - updated: The items whose content changed, in addition to marked ones. Items that are not
  ///     in `touched` are ignored.
  ///   - updatedSections: The sections whose title or similar changed, in addition to marked ones.
  @inlinable
  public func difference(
    from old: Snapshot, touched: Set<ItemID>? = nil, updated: Set<ItemID> = [],
    updatedSections: Set<SectionID> = []
  ) -> SnapshotDiff<SectionID, ItemID> {
    let diff = numberedDifference(from: old, touched: touched, updatedSections)
    let updates = updates(from: old, touched: touched, updated: updated, diff.moves)
    let sectionUpdates = sectionUpdates(from: old, updatedSections, diff.movedSections)
    return listed(diff, updates, sectionUpdates, from: old)
  }

  /// Returns the difference from an older snapshot if only the items in `placed` may have come, gone or
  /// moved; all others keep their order. O(k log n) for k items.
  ///
  /// An item that is only in `updated` never moves, so the result does not depend on which other items
  /// changed their content.
  @inlinable
  package func difference(
    from old: Snapshot, placed: Set<ItemID>, updated: Set<ItemID>, updatedSections: Set<SectionID>
  ) -> SnapshotDiff<SectionID, ItemID> {
    let diff = numberedDifference(from: old, touched: placed, updatedSections)
    let updates = updates(from: old, touched: nil, updated: updated, diff.moves)
    return listed(diff, updates, sectionUpdates(from: old, updatedSections, diff.movedSections), from: old)
  }

  @inlinable
  func numberedDifference(from old: Snapshot, touched: Set<ItemID>?, _ updatedSections: Set<SectionID>)
    -> NumberedDiff
  {
    if index.isIdentical(to: old.index) { return NumberedDiff() }
    guard let touched else { return ItemDiffer.difference(from: old.index, to: index, matching(old)) }
    let numbers = touched.map { (old: old.items.number(of: $0), new: items.number(of: $0)) }
    let sections = updatedSections.compactMap { self.sections.number(of: $0) }
    return NumberedDiff(
      from: old.index, to: index, matching(old), touched: numbers, mayMove: Set(sections))
  }

  @inlinable
  func matching(_ old: Snapshot) -> Matching {
    var aligner = ItemAligner(old.items, items)
    let oldSections = old.sections
    let newSections = sections
    return Matching(
      oldItems: old.items.trie, newItems: items.trie, itemCount: old.numberOfAllItems + numberOfAllItems,
      align: { aligner.align(&$0, $1, $2) }, lookUp: { aligner.lookUp(&$0) },
      confirm: { aligner.confirm(&$0, $1) },
      newSection: { newSections.number(of: oldSections[$0]) })
  }

  /// Returns the updated items that stay, in the new order, and the updated ones that move. For the
  /// latter, `isUpdated` is set later.
  @inlinable
  func updates(
    from old: Snapshot, touched: Set<ItemID>?, updated: Set<ItemID>, _ moves: [NumberedDiff.ItemPair]
  ) -> (stay: [NumberedDiff.ItemPair], moved: Set<UInt32>) {
    var numbers = marks.reloadedItems.union(marks.reconfiguredItems)
    for id in updated { if let number = items.number(of: id) { numbers.insert(number) } }
    if numbers.isEmpty { return ([], []) }
    var stay: [NumberedDiff.ItemPair] = []
    let moved = Set(moves.map(\.item)).intersection(numbers)
    for number in numbers where !moved.contains(number) {
      let id = items[number]
      if let touched, !touched.contains(id) { continue }
      let to = index.locate(item: number)
      guard to.isShown, let from = old.location(of: id) else { continue }
      stay.append((number, from.spot, to.spot))
    }
    stay.sort { $0.to < $1.to }
    return (stay, moved)
  }

  @inlinable
  func sectionUpdates(
    from old: Snapshot, _ updated: Set<SectionID>, _ moves: [NumberedDiff.SectionPair]
  ) -> [NumberedDiff.SectionPair] {
    var numbers = marks.reloadedSections
    for id in updated { if let number = sections.number(of: id) { numbers.insert(number) } }
    numbers.subtract(moves.map(\.section))
    return numbers.compactMap { number in
      let to = index.locate(section: number)
      guard to.counts.isShown, let from = old.indexOfSection(sections[number]) else { return nil }
      return (number, from, to.before.sections(.shown))
    }
  }

  /// Replaces numbers by identifiers and orders the changes as documented.
  @inlinable
  func listed(
    _ diff: NumberedDiff, _ updates: (stay: [NumberedDiff.ItemPair], moved: Set<UInt32>),
    _ sectionUpdates: [NumberedDiff.SectionPair],
    from old: Snapshot
  ) -> SnapshotDiff<SectionID, ItemID> {
    var before = PlaceReader(old)
    var after = PlaceReader(self)
    var changes: [SnapshotDiff<SectionID, ItemID>.ItemChange] = []
    changes.reserveCapacity(diff.deletes.count + diff.inserts.count + diff.moves.count + updates.stay.count)
    for delete in diff.deletes.reversed() {
      changes.append(.delete(before.id(delete.item), from: before.place(delete.spot)))
    }
    var inserted = 0
    var moved = 0
    while inserted < diff.inserts.count || moved < diff.moves.count {
      if inserted < diff.inserts.count,
        moved == diff.moves.count || diff.inserts[inserted].spot < diff.moves[moved].to
      {
        let insert = diff.inserts[inserted]
        changes.append(.insert(after.id(insert.item), to: after.place(insert.spot)))
        inserted += 1
      } else {
        let move = diff.moves[moved]
        let isUpdated = updates.moved.contains(move.item)
        changes.append(
          .move(
            after.id(move.item), from: before.place(move.from), to: after.place(move.to), isUpdated: isUpdated
          ))
        moved += 1
      }
    }
    for pair in updates.stay {
      changes.append(.update(after.id(pair.item), from: before.place(pair.from), to: after.place(pair.to)))
    }
    return SnapshotDiff(
      sections: listedSections(diff, sectionUpdates, from: old), changes: changes,
      sourceSections: diff.sourceRanks(updates.stay).compactMap { old.sectionIdentifier(at: $0) },
      targetSections: diff.targetRanks(updates.stay).compactMap { sectionIdentifier(at: $0) })
  }

  @inlinable
  func listedSections(
    _ diff: NumberedDiff, _ updates: [NumberedDiff.SectionPair], from old: Snapshot
  ) -> [SnapshotDiff<SectionID, ItemID>.SectionChange] {
    var changes: [SnapshotDiff<SectionID, ItemID>.SectionChange] = diff.deletedSections.map {
      .delete(old.sections[$0.section], from: $0.from)
    }
    changes += diff.insertedSections.map { .insert(sections[$0.section], to: $0.to) }
    changes += diff.movedSections.map { .move(sections[$0.section], from: $0.from, to: $0.to) }
    changes += updates.map { .update(sections[$0.section], from: $0.from, to: $0.to) }
    return SnapshotDiff.ordered(changes)
  }

  /// Converts numbers to identifiers and places. Neighbours mostly share their page and section,
  /// which are cached.
  @usableFromInline
  struct PlaceReader {
    @usableFromInline let snapshot: Snapshot
    @usableFromInline var ids: PagedVector<ItemID>.Reader
    @usableFromInline var last: (rank: Int, section: SectionID)?
    /// The number of changes of section so far.
    @usableFromInline var turns = 0
    /// All sections by rank, once that is cheaper than finding them one by one.
    @usableFromInline var sections: [SectionID] = []

    @inlinable
    init(_ snapshot: Snapshot) {
      self.snapshot = snapshot
      ids = snapshot.items.reader()
    }

    @inlinable
    mutating func id(_ item: UInt32) -> ItemID { ids.id(item) }

    @inlinable
    mutating func place(_ spot: NumberedDiff.Spot) -> Place<SectionID> {
      if let last, last.rank == spot.rank { return Place(section: last.section, index: spot.index) }
      let section = self.section(at: spot.rank)
      last = (spot.rank, section)
      return Place(section: section, index: spot.index)
    }

    @inlinable
    mutating func section(at rank: Int) -> SectionID {
      if !sections.isEmpty { return sections[rank] }
      turns += 1
      if turns > 16, turns > snapshot.numberOfSections / 8 { sections = snapshot.sectionIdentifiers }
      guard let section = snapshot.sectionIdentifier(at: rank) else {
        preconditionFailure("The difference contains a section that is not shown.")
      }
      return section
    }
  }
}
