/// Things that stand one after the other in both lists.
struct Run {
  var old: Int
  var new: Int
  var count: Int
  /// How much it is worth to leave each of them where it is.
  var weight = 1
}

extension [Run] {
  /// Adds to a list in the old order.
  mutating func extend(old: Int, new: Int, count: Int = 1) {
    if let last, last.old + last.count == old, last.new + last.count == new {
      self[self.count - 1].count += count
    } else {
      append(Run(old: old, new: new, count: count))
    }
  }

  /// For each run, whether it stays: the heaviest choice of runs whose new order is their old one.
  ///
  /// A heaviest increasing subsequence by a Fenwick tree of prefix maxima (Fredman 1975 is the case of equal weights),
  /// O(r log r). Of choices of equal weight always the same is taken.
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
