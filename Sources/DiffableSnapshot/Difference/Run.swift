/// Elements that are contiguous in both lists.
struct Run {
  var old: Int
  var new: Int
  var count: Int
  /// The cost of moving one of the elements.
  var weight = 1
}

extension [Run] {
  /// Appends elements to runs in the old order. Extends the last run if they are contiguous with
  /// it.
  mutating func extend(old: Int, new: Int, count: Int = 1) {
    if let last, last.old + last.count == old, last.new + last.count == new {
      self[self.count - 1].count += count
    } else {
      append(Run(old: old, new: new, count: count))
    }
  }

  /// Returns for each run whether it stays in place: the heaviest choice of runs that have the same
  /// order in both lists.
  ///
  /// This is a heaviest increasing subsequence, computed with a Fenwick tree of prefix maxima in
  /// O(r log r). For equal weights it is the longest increasing subsequence (Fredman 1975). Among
  /// equally heavy choices, the result is always the same.
  func staying() -> [Bool] {
    if isEmpty || zip(self, dropFirst()).allSatisfy({ $0.new < $1.new }) { return [Bool](repeating: true, count: count) }
    var rank = [Int](repeating: 0, count: count)
    for (place, run) in indices.sorted(by: { self[$0].new < self[$1].new }).enumerated() { rank[run] = place + 1 }
    var totals = [Int](repeating: 0, count: count)
    var previous = [Int](repeating: -1, count: count)
    var best = [Int](repeating: -1, count: count + 1)
    for run in indices {
      var heaviest = -1
      var node = rank[run]
      while node > 0 {
        if best[node] >= 0, heaviest < 0 || totals[best[node]] > totals[heaviest] { heaviest = best[node] }
        node &= node - 1
      }
      previous[run] = heaviest
      totals[run] = (heaviest < 0 ? 0 : totals[heaviest]) + self[run].count * self[run].weight
      node = rank[run]
      while node <= count {
        if best[node] < 0 || totals[run] > totals[best[node]] { best[node] = run }
        node += node & -node
      }
    }
    var stays = [Bool](repeating: false, count: count)
    var run = totals.indices.max { totals[$0] < totals[$1] } ?? -1
    while run >= 0 {
      stays[run] = true
      run = previous[run]
    }
    return stays
  }
}
