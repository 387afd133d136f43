/// Marks say that the content of an item or section is another than in the snapshot before, where its identifier cannot.
/// `difference(from:)` reports what the newer snapshot marks as updated. Marks stay until they are cleared, or what they
/// are on is deleted.
extension Snapshot {
  /// Marks items whose content changed so much that they are to be made anew.
  ///
  /// - Throws: `unknownItem`.
  @inlinable
  public mutating func reloadItems(_ ids: [ItemID]) throws(Failure) {
    let numbers = try numbers(of: ids)
    marks.reloadedItems.formUnion(numbers)
  }

  /// Marks items whose content changed, but which can keep what shows them.
  ///
  /// - Throws: `unknownItem`.
  @inlinable
  public mutating func reconfigureItems(_ ids: [ItemID]) throws(Failure) {
    let numbers = try numbers(of: ids)
    marks.reconfiguredItems.formUnion(numbers)
  }

  /// Marks sections whose title or the like changed.
  ///
  /// - Throws: `unknownSection`.
  @inlinable
  public mutating func reloadSections(_ ids: [SectionID]) throws(Failure) {
    var numbers: [UInt32] = []
    for id in ids { numbers.append(try number(ofSection: id)) }
    marks.reloadedSections.formUnion(numbers)
  }

  /// Takes off all marks, as is due once a difference was made of them.
  @inlinable
  public mutating func clearMarks() { marks = Marks() }

  /// The items marked by `reloadItems`, in the order of the list.
  @inlinable
  public var reloadedItemIdentifiers: [ItemID] { shownItems(marks.reloadedItems) }

  /// The items marked by `reconfigureItems`, in the order of the list.
  @inlinable
  public var reconfiguredItemIdentifiers: [ItemID] { shownItems(marks.reconfiguredItems) }

  /// The sections marked by `reloadSections`, in the order of the list.
  @inlinable
  public var reloadedSectionIdentifiers: [SectionID] {
    marks.reloadedSections.map { (number: $0, location: index.locate(section: $0)) }
      .filter(\.location.isShown)
      .sorted { $0.location.rank(.shown) < $1.location.rank(.shown) }
      .map { sections[$0.number] }
  }

  @inlinable
  func shownItems(_ numbers: Set<UInt32>) -> [ItemID] {
    numbers.map { (number: $0, location: index.locate(item: $0)) }
      .filter(\.location.isShown)
      .sorted { $0.location.globalIndex(.shown) < $1.location.globalIndex(.shown) }
      .map { items[$0.number] }
  }

  @inlinable
  func numbers(of ids: [ItemID]) throws(Failure) -> [UInt32] {
    var numbers: [UInt32] = []
    for id in ids { numbers.append(try number(of: id)) }
    return numbers
  }
}
