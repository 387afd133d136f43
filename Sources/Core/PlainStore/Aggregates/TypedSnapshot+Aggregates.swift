public import Query
public import Values

/// Values that are computed from the fields of all items of a list. See the functions of
/// `ResultsSnapshot`.
extension TypedSnapshot {
  /// Returns the smallest value of a field in sort order; nil if no item has one. O(n).
  public func min(_ path: FieldPath) -> Value? { items.min(path) }

  /// Returns the greatest value of a field in sort order, such as the latest date; nil if no item
  /// has one. O(n).
  public func max(_ path: FieldPath) -> Value? { items.max(path) }

  /// Returns the sum of the numbers of a field, 0 if there are none. It is computed in decimal:
  /// `0.1` and `0.2` are `0.3`. O(n).
  public func sum(_ path: FieldPath) -> Value { items.sum(path) }

  /// Returns the average of the numbers of a field; nil if there are none. It is computed in
  /// decimal. O(n).
  public func average(_ path: FieldPath) -> Value? { items.average(path) }

  /// Returns the number of items for each value of a field; those without one count for `""`. O(n).
  ///
  /// ```swift
  /// let counts = store.results(of: Contact.self).snapshot.counts(by: "rating")
  /// print(counts["9"] ?? 0)
  /// ```
  public func counts(by path: FieldPath) -> [SectionID: Int] { items.counts(by: path) }

  /// Returns the number of items for each section that a descriptor makes. O(n).
  public func counts(by section: SectionDescriptor) -> [SectionID: Int] { items.counts(by: section) }

  /// Returns the values in sections by a field, each section in the order of the list. Items
  /// without the field are in the section `""`. O(n log n).
  ///
  /// ```swift
  /// for group in store.results(of: Contact.self).snapshot.grouped(by: "rating") {
  ///   print(group.id, group.map(\.name))
  /// }
  /// ```
  public func grouped(by path: FieldPath) -> [Section] { grouped(by: SectionDescriptor(path)) }

  /// Returns the values in the sections that a descriptor makes, each section in the order of the
  /// list. O(n log n).
  public func grouped(by section: SectionDescriptor) -> [Section] {
    items.regrouped(by: section).sections(of: Object.self)
  }
}
