extension Snapshot {
  @inlinable
  public var numberOfItems: Int { Int(index.counts.shownItems) }

  @inlinable
  public var numberOfSections: Int { Int(index.counts.shownSections) }

  /// The number of items of a section, or zero if there is no such section. O(log n).
  @inlinable
  public func numberOfItems(inSection section: SectionID) -> Int {
    shownSection(section).map { index.locate(section: $0).itemCount(.shown) } ?? 0
  }

  /// All items in order. O(n): `items(in:)` goes over them without making an array.
  @inlinable
  public var itemIdentifiers: [ItemID] { Array(items(in: 0..<numberOfItems)) }

  /// The items of a section in order; none if there is no such section. O(n) of the section.
  @inlinable
  public func itemIdentifiers(inSection section: SectionID) -> [ItemID] { Array(items(inSection: section)) }

  /// All sections in order. O(s log s).
  @inlinable
  public var sectionIdentifiers: [SectionID] {
    (0..<numberOfSections).compactMap { sectionIdentifier(at: $0) }
  }

  /// The place of an item in the list of all items, sections one after the other. O(log n).
  @inlinable
  public func indexOfItem(_ item: ItemID) -> Int? { location(of: item)?.globalIndex(.shown) }

  /// The place of a section among the sections. O(log n).
  @inlinable
  public func indexOfSection(_ section: SectionID) -> Int? {
    shownSection(section).map { index.locate(section: $0).rank(.shown) }
  }

  /// The section of an item. O(log n).
  @inlinable
  public func sectionIdentifier(containingItem item: ItemID) -> SectionID? {
    location(of: item).map { sections[$0.section] }
  }

  /// The section with a number. O(log n).
  @inlinable
  public func sectionIdentifier(at rank: Int) -> SectionID? {
    index.section(at: rank, .shown).map { sections[$0] }
  }

  /// Where an item stands. O(log n).
  @inlinable
  public func place(of item: ItemID) -> Place<SectionID>? {
    location(of: item).map { Place(section: sections[$0.section], index: $0.index(.shown)) }
  }

  /// The item at a place. O(log n).
  @inlinable
  public func item(at place: Place<SectionID>) -> ItemID? {
    guard let section = shownSection(place.section) else { return nil }
    return index.item(inSection: section, at: place.index, .shown).map { items[$0] }
  }

  /// The n-th item of all, sections one after the other. O(log n).
  @inlinable
  public func item(atIndex place: Int) -> ItemID? {
    index.item(at: place, .shown).map { items[$0] }
  }

  /// Whether an item is there and shown. O(log n).
  @inlinable
  public func contains(_ item: ItemID) -> Bool { location(of: item) != nil }

  /// Whether a section is there and shown. O(log n).
  @inlinable
  public func containsSection(_ section: SectionID) -> Bool { shownSection(section) != nil }

  /// The first place in a section of an item that belongs after what is to be put in, as `belongsAfter` tells.
  ///
  /// The section must be in an order in which the items that belong after come last. O(log n) calls of `belongsAfter`.
  /// Zero if there is no such section.
  ///
  /// ```swift
  /// let place = snapshot.partitionPoint(inSection: "friends") { name[$0] > "Bea" }
  /// ```
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
    guard let number = sections.number(of: section), index.locate(section: number).isShown else { return nil }
    return number
  }
}
