public import PlainText

/// Values that are computed from all items of a list, in one pass. Each costs O(n).
///
/// Items without the field do not count. If the value of a field is a list, its elements count one by
/// one.
///
/// ```swift
/// let list = store.results().snapshot
/// print(list.max("rating") ?? .null, list.average("rating") ?? .null, list.sum("price"))
/// ```
extension ResultsSnapshot {
  /// Returns the smallest value of a field in sort order; nil if no item has one.
  public func min(_ path: FieldPath) -> Value? { ListOperator.min.apply(to: values(at: path)) }

  /// Returns the greatest value of a field in sort order, such as the latest date; nil if no item has
  /// one.
  public func max(_ path: FieldPath) -> Value? { ListOperator.max.apply(to: values(at: path)) }

  /// Returns the sum of the numbers of a field, 0 if there are none. It is computed in decimal:
  /// `0.1` and `0.2` are `0.3`.
  public func sum(_ path: FieldPath) -> Value { ListOperator.sum.apply(to: values(at: path)) ?? 0 }

  /// Returns the average of the numbers of a field; nil if there are none. It is computed in decimal.
  public func average(_ path: FieldPath) -> Value? { ListOperator.average.apply(to: values(at: path)) }

  private func values(at path: FieldPath) -> Value { .list(compactMap { $0.value(at: path) }) }
}
