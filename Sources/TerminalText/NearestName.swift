extension Collection where Element == String {
  /// Returns the string that was probably meant: the nearest one, at most `distance` edits away and
  /// fewer than its length.
  public func nearest(to word: String, within distance: Int = 2) -> String? {
    let near = map { ($0, distance: $0.editDistance(to: word)) }.min { $0.distance < $1.distance }
    guard let near, near.distance <= distance, near.distance < near.0.count else { return nil }
    return near.0
  }
}

extension String {
  /// Returns Levenshtein's distance. Costs the product of both lengths.
  fileprivate func editDistance(to other: String) -> Int {
    let a = Array(utf8)
    let b = Array(other.utf8.prefix(64))
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = left == right ? diagonal : Swift.min(diagonal, above, row[j]) + 1
        diagonal = above
      }
    }
    return row[b.count]
  }
}
