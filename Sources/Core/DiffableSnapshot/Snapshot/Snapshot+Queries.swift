extension Snapshot {
  /// The number of items. O(1).
  @inlinable
  public var numberOfItems: Int { Int(index.counts.shownItems) }

  /// The number of sections. O(1).
  @inlinable
  public var numberOfSections: Int { Int(index.counts.shownSections) }

  /// Returns the number of items of a section, or 0 if there is no such section. O(log n).
  @inlinable
  public func numberOfItems(inSection section: SectionID) -> Int {
    shownSection(section).map { index.locate(section: $0).counts.items(.shown) } ?? 0
  }

  /// All items in order. O(n). To iterate without an array, use ``items(in:)``.
  @inlinable
  public var itemIdentifiers: [ItemID] { Array(items(in: 0..<numberOfItems)) }

  /// Returns the items of a section in order, or none if there is no such section. O(k + log n) for
  /// k items.
  @inlinable
  public func itemIdentifiers(inSection section: SectionID) -> [ItemID] { Array(items(inSection: section)) }

  /// All sections in order. O(s) for s sections.
  @inlinable
  public var sectionIdentifiers: [SectionID] { sectionNumbers(.shown).map { sections[$0] } }

  /// Returns the index of an item in the complete list, with its sections one after the other. Nil
  /// if it is not shown. O(log n).
  @inlinable
  public func indexOfItem(_ item: ItemID) -> Int? { location(of: item)?.globalIndex(.shown) }

  /// Returns the number of a section, from 0, or nil if it is not shown. O(log n).
  @inlinable
  public func indexOfSection(_ section: SectionID) -> Int? {
    shownSection(section).map { index.locate(section: $0).before.sections(.shown) }
  }

  /// Returns the number of items before a section in the list, nil if it is not shown. O(log n).
  package func numberOfItems(beforeSection section: SectionID) -> Int? {
    shownSection(section).map { index.locate(section: $0).before.items(.shown) }
  }

  /// Returns the section that contains an item, or nil if the item is not shown. O(log n).
  @inlinable
  public func sectionIdentifier(containingItem item: ItemID) -> SectionID? {
    location(of: item).map { sections[$0.section] }
  }

  /// Returns the section with a number, or nil if there is none. O(log n).
  @inlinable
  public func sectionIdentifier(at rank: Int) -> SectionID? {
    index.section(at: rank, .shown).map { sections[$0] }
  }

  /// Returns the place of an item, or nil if it is not shown. O(log n).
  @inlinable
  public func place(of item: ItemID) -> Place<SectionID>? {
    location(of: item).map { Place(section: sections[$0.section], index: $0.index(.shown)) }
  }

  /// Returns the item at a place, or nil if there is none. O(log n).
  @inlinable
  public func item(at place: Place<SectionID>) -> ItemID? {
    guard let section = shownSection(place.section) else { return nil }
    return index.item(inSection: section, at: place.index, .shown).map { items[$0] }
  }

  /// Returns the item at an index of the complete list, or nil if there is none. O(log n).
  @inlinable
  public func item(atIndex place: Int) -> ItemID? {
    index.item(at: place, .shown).map { items[$0] }
  }

  /// Returns true if the snapshot contains an item that is not hidden. O(log n).
  @inlinable
  public func contains(_ item: ItemID) -> Bool { location(of: item) != nil }

  /// Returns true if the snapshot contains a section that is not hidden. O(log n).
  @inlinable
  public func containsSection(_ section: SectionID) -> Bool { shownSection(section) != nil }

  /// Returns the index at which to insert an item into a sorted section, by bisection.
  ///
  /// ```swift
  /// let place = snapshot.partitionPoint(inSection: "friends") { names[$0, default: ""] > "Bea" }
  /// ```
  ///
  /// - Parameters:
  ///   - section: A section whose items are sorted so that those for which `belongsAfter` is true
  ///     come last.
  ///   - belongsAfter: Returns true if an item belongs after the new one. Called O(log n) times.
  /// - Returns: The index of the first item for which `belongsAfter` is true, or 0 if there is no
  ///   such section.
  @inlinable
  public func partitionPoint(inSection section: SectionID, where belongsAfter: (ItemID) -> Bool) -> Int {
    guard let number = shownSection(section) else { return 0 }
    return index.partitionPoint(inSection: number, .shown) { belongsAfter(items[$0]) }
  }

  @inlinable
  func location(of item: ItemID) -> ItemLocation? {
    guard let number = items.number(of: item) else { return nil }
    let location = index.locate(item: number)
    return location.isShown ? location : nil
  }

  @inlinable
  func shownSection(_ section: SectionID) -> UInt32? {
    guard let number = sections.number(of: section), index.locate(section: number).counts.isShown else {
      return nil
    }
    return number
  }
}
