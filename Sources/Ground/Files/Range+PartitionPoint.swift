extension Range<Int> {
  /// Returns the first number from which on `belongsAfter` is true, or the upper bound. O(log n).
  @inlinable
  package func partitionPoint(where belongsAfter: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if belongsAfter(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
