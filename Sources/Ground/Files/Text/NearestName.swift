extension Collection where Element == String {
  /// Returns the string that was probably meant: the one with the fewest edits, which are fewer than its
  /// length. Costs the length of all strings.
  ///
  /// An edit inserts, deletes or replaces a byte, or exchanges two neighbors (Damerau's distance,
  /// without edits between exchanged ones). ASCII case does not count. `distance` is the largest
  /// number of edits, by default two, but one between words of less than five bytes: two make almost
  /// any short word out of another.
  package func nearest(to word: String, within distance: Int? = nil) -> String? {
    let bytes = word.utf8.prefix(64).map(\.lowercased)
    var nearest: (name: String, distance: Int)?
    for name in self {
      let most = distance ?? (Swift.max(bytes.count, name.utf8.count) < 5 ? 1 : 2)
      let limit = nearest.map { Swift.min($0.distance - 1, most) } ?? most
      guard limit >= 0 else { break }
      if let found = editDistance(name.utf8.map(\.lowercased), bytes, atMost: limit) {
        nearest = (name, found)
      }
    }
    guard let nearest, nearest.distance < nearest.name.count else { return nil }
    return nearest.name
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self + 32 : self }
}

/// Returns the number of edits; nil if it is above a limit. Costs the length times the limit.
private func editDistance(_ word: [UInt8], _ other: [UInt8], atMost limit: Int) -> Int? {
  guard abs(word.count - other.count) <= limit else { return nil }
  var before: [Int] = []
  var last = Array(0...other.count)
  for i in word.indices {
    var row = [Int](repeating: limit + 1, count: other.count + 1)
    row[0] = i + 1
    // Only prefixes whose lengths differ by at most the limit can be that near.
    for j in max(0, i - limit)..<min(other.count, i + limit + 1) {
      row[j + 1] = min(last[j] + (word[i] == other[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, word[i] == other[j - 1], word[i - 1] == other[j] {
        row[j + 1] = min(row[j + 1], before[j - 1] + 1)
      }
    }
    if row.allSatisfy({ $0 > limit }), last.allSatisfy({ $0 > limit }) { return nil }
    before = last
    last = row
  }
  return last[other.count] <= limit ? last[other.count] : nil
}
