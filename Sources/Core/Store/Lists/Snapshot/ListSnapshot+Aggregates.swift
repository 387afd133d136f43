import HashTreeCollections

/// Values that are computed from all items of a list, in one pass. Each costs O(n).
///
/// Items without the field do not count, even if the field's name is misspelled. If the value of a field is a
/// list, its elements count one by one.
///
/// ```swift
/// let list = try store.fetch()
/// print(list.max("rating") ?? .null, list.average("rating") ?? .null, list.sum("price"))
/// ```
extension ListSnapshot {
  /// Returns the smallest value of a field in sort order; nil if no item has one.
  public func min(_ path: FieldPath) -> Value? { ListOperator.min.apply(to: values(at: path)) }

  /// Returns the greatest value of a field in sort order, such as the latest date; nil if no item has one.
  public func max(_ path: FieldPath) -> Value? { ListOperator.max.apply(to: values(at: path)) }

  /// Returns the sum of the numbers of a field, 0 if there are none. It is computed in decimal:
  /// `0.1` and `0.2` are `0.3`.
  public func sum(_ path: FieldPath) -> Value { ListOperator.sum.apply(to: values(at: path)) ?? 0 }

  /// Returns the average of the numbers of a field, computed in decimal; nil if there are none.
  public func average(_ path: FieldPath) -> Value? { ListOperator.average.apply(to: values(at: path)) }

  private func values(at path: FieldPath) -> Value {
    let reader = reader(of: [path])
    return .list(distinctIDs.compactMap { items[$0].flatMap { reader.fields(of: $0).value(at: path) } })
  }

  private var distinctIDs: [Item.ID] {
    guard request.section?.hasOccurrences == true else { return list.itemIdentifiers }
    var seen: Set<Item.ID> = []
    return list.itemIdentifiers.map(\.item).filter { seen.insert($0).inserted }
  }
}

/// The items of a list by the values of a field, as sections divide them: numbers of the same value
/// (`3.1` and `3.10`) are one group, and items without a value are in the group `""`.
extension ListSnapshot {
  /// Returns the number of items for each section that a descriptor makes, such as each value of a field. O(n).
  ///
  /// ```swift
  /// let counts = try store.fetch().counts(by: "group")
  /// print(counts["friends"] ?? 0)
  /// let tags = try store.fetch().counts(by: SectionDescriptor("tags", by: .element))
  /// ```
  public func counts(by section: SectionDescriptor) -> [SectionID: Int] {
    let reader = reader(of: section.path.map { [$0] } ?? [])
    return distinctIDs.reduce(into: [:]) { counts, id in
      for group in groups(of: id, by: section, reader) { counts[group, default: 0] += 1 }
    }
  }

  /// Returns the elements in the sections that a descriptor makes, such as the values of a field, each
  /// section in the order of the list. O(n log n).
  ///
  /// ```swift
  /// for group in try store.fetch().grouped(by: "group") { print(group.id, group.count) }
  /// ```
  public func grouped(by section: SectionDescriptor) -> [ListSection<Element>] {
    regrouped(by: section).sections
  }

  package func regrouped(by section: SectionDescriptor) -> ListSnapshot {
    let order = SectionOrder(section)
    var members: [SectionID: [Item.ID]] = [:]
    for name in order.named { members[name] = [] }
    let reader = reader(of: section.path.map { [$0] } ?? [])
    for id in distinctIDs {
      for group in groups(of: id, by: section, reader) {
        members[group, default: []].append(section.hasOccurrences ? Item.ID(id, in: group) : id)
      }
    }
    return divided(by: section, order.list(of: members))
  }

  /// Returns the sections that a descriptor gives an item. Calls the descriptor's function.
  private func groups(of id: Item.ID, by section: SectionDescriptor, _ reader: FieldReader) -> [SectionID] {
    guard let item = items[id] else { return [] }
    let derived = section.function.map { DerivedValues(sort: [], section: $0.call(item, models?[id])) }
    return section.sectionIDs(of: reader.fields(of: item), derived)
  }
}
