public import PlainText

/// Values that are computed from the fields of all items of a list. See the functions of
/// `ResultsSnapshot`.
extension TypedSnapshot {
  /// Returns the smallest value of a field in sort order; nil if no item has one. O(n).
  public func min(_ path: FieldPath) -> Value? { items.min(path) }

  /// Returns the greatest value of a field in sort order, such as the latest date; nil if no item has
  /// one. O(n).
  public func max(_ path: FieldPath) -> Value? { items.max(path) }

  /// Returns the sum of the numbers of a field, 0 if there are none. It is computed in decimal:
  /// `0.1` and `0.2` are `0.3`. O(n).
  public func sum(_ path: FieldPath) -> Value { items.sum(path) }

  /// Returns the average of the numbers of a field; nil if there are none. It is computed in decimal.
  /// O(n).
  public func average(_ path: FieldPath) -> Value? { items.average(path) }
}
