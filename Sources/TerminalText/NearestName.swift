extension Collection where Element == String {
  /// Returns the string that was probably meant: the nearest one, at most `distance` edits away and
  /// fewer than its length. Costs the length of all strings.
  public func nearest(to word: String, within distance: Int = 2) -> String? {
    let bytes = Array(word.utf8.prefix(64))
    var nearest: (name: String, distance: Int)?
    for name in self {
      let limit = nearest.map { $0.distance - 1 } ?? distance
      guard limit >= 0 else { break }
      if let found = name.editDistance(to: bytes, atMost: limit) { nearest = (name, found) }
    }
    guard let nearest, nearest.distance < nearest.name.count else { return nil }
    return nearest.name
  }
}

extension String {
  /// Returns Levenshtein's distance; nil if it is above a limit. Costs the length times the limit.
  fileprivate func editDistance(to other: [UInt8], atMost limit: Int) -> Int? {
    guard abs(utf8.count - other.count) <= limit else { return nil }
    // Only prefixes whose lengths differ by at most the limit can be that near.
    var row = Array(0...other.count)
    for (i, left) in utf8.enumerated() {
      let columns = Swift.max(0, i - limit)..<Swift.min(other.count, i + limit + 1)
      var diagonal = row[columns.lowerBound]
      row[columns.lowerBound] = columns.lowerBound == 0 ? i + 1 : limit + 1
      for j in columns {
        let above = j < i + limit ? row[j + 1] : limit + 1
        row[j + 1] = left == other[j] ? diagonal : Swift.min(diagonal, above, row[j]) + 1
        diagonal = above
      }
      if columns.allSatisfy({ row[$0 + 1] > limit }), row[columns.lowerBound] > limit { return nil }
    }
    return row[other.count] <= limit ? row[other.count] : nil
  }
}
