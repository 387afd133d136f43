/// The numbers of items and sections that are marked as changed.
@usableFromInline
struct Marks: Sendable {
  @usableFromInline var reloadedItems: Set<UInt32> = []
  @usableFromInline var reconfiguredItems: Set<UInt32> = []
  @usableFromInline var reloadedSections: Set<UInt32> = []

  @inlinable init() {}

  @usableFromInline
  mutating func forgetItem(_ item: UInt32) {
    // Removing from an empty shared set would copy it.
    if !reloadedItems.isEmpty { reloadedItems.remove(item) }
    if !reconfiguredItems.isEmpty { reconfiguredItems.remove(item) }
  }

  @usableFromInline
  mutating func forgetSection(_ section: UInt32) {
    if !reloadedSections.isEmpty { reloadedSections.remove(section) }
  }
}

/// Marks record changes of content that identifiers cannot express. `difference(from:)` reports what the
/// newer snapshot marks as updated. A mark stays until it is cleared or its item or section is deleted.
extension Snapshot {
  /// Marks items whose views must be created again. O(k log n) for k items.
  ///
  /// - Throws: ``SnapshotError``: `unknownItem`.
  @inlinable
  public mutating func reloadItems(_ ids: [ItemID]) throws(Failure) {
    let numbers = try ids.map { id throws(Failure) in try number(of: id) }
    marks.reloadedItems.formUnion(numbers)
  }

  /// Marks items whose views can be updated in place. O(k log n) for k items.
  ///
  /// - Throws: ``SnapshotError``: `unknownItem`.
  @inlinable
  public mutating func reconfigureItems(_ ids: [ItemID]) throws(Failure) {
    let numbers = try ids.map { id throws(Failure) in try number(of: id) }
    marks.reconfiguredItems.formUnion(numbers)
  }

  /// Marks sections whose title or similar changed. O(k log s) for k of s sections.
  ///
  /// - Throws: ``SnapshotError``: `unknownSection`.
  @inlinable
  public mutating func reloadSections(_ ids: [SectionID]) throws(Failure) {
    let numbers = try ids.map { id throws(Failure) in try number(ofSection: id) }
    marks.reloadedSections.formUnion(numbers)
  }

  /// Removes all marks. Call it after the difference was made. O(1).
  @inlinable
  public mutating func clearMarks() { marks = Marks() }

  /// The items that `reloadItems` marked, in the order of the list. O(k log n) for k items.
  @inlinable
  public var reloadedItemIdentifiers: [ItemID] { shownItems(marks.reloadedItems) }

  /// The items that `reconfigureItems` marked, in the order of the list. O(k log n) for k items.
  @inlinable
  public var reconfiguredItemIdentifiers: [ItemID] { shownItems(marks.reconfiguredItems) }

  /// The sections that `reloadSections` marked, in the order of the list. O(k log s) for k of s sections.
  @inlinable
  public var reloadedSectionIdentifiers: [SectionID] {
    marks.reloadedSections.map { (number: $0, location: index.locate(section: $0)) }
      .filter(\.location.counts.isShown)
      .sorted { $0.location.before.sections(.shown) < $1.location.before.sections(.shown) }
      .map { sections[$0.number] }
  }

  @inlinable
  func shownItems(_ numbers: Set<UInt32>) -> [ItemID] {
    numbers.map { (number: $0, location: index.locate(item: $0)) }
      .filter(\.location.isShown)
      .sorted { $0.location.globalIndex(.shown) < $1.location.globalIndex(.shown) }
      .map { items[$0.number] }
  }
}
