/// Elements that are contiguous in both lists.
struct Run {
  // 32 bits are enough for the number of items of a list, and there can be a run per item.
  private var oldStart: Int32
  private var newStart: Int32
  private var length: Int32
  private var unitWeight: Int32

  var old: Int { Int(oldStart) }
  var new: Int { Int(newStart) }
  var count: Int {
    get { Int(length) }
    set { length = Int32(newValue) }
  }
  /// The cost of moving one of the elements.
  var weight: Int { Int(unitWeight) }

  init(old: Int, new: Int, count: Int, weight: Int = 1) {
    oldStart = Int32(old)
    newStart = Int32(new)
    length = Int32(count)
    unitWeight = Int32(weight)
  }
}

extension [Run] {
  /// Appends elements to runs in the old order. Extends the last run if they are contiguous with it.
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
    if isInOrder { return [Bool](repeating: true, count: count) }
    let rank = ranks()
    // The run before each one in its heaviest choice.
    var previous = [Int32](repeating: -1, count: count)
    // By node of the Fenwick tree: the heaviest total of its runs, and the run that ends it.
    var best = [Int](repeating: 0, count: count + 1)
    var bestRun = [Int32](repeating: -1, count: count + 1)
    var last = (run: -1, total: 0)
    for run in indices {
      var heaviest = 0
      var total = 0
      var node = Int(rank[run])
      while node > 0 {
        let other = best[node]
        heaviest = other > total ? node : heaviest
        total = Swift.max(total, other)
        node &= node - 1
      }
      previous[run] = bestRun[heaviest]
      total += self[run].count * self[run].weight
      if total > last.total { last = (run, total) }
      node = Int(rank[run])
      // A node above covers the runs of this one and others, so its best is at least as heavy.
      while node <= count, total > best[node] {
        best[node] = total
        bestRun[node] = Int32(run)
        node += node & -node
      }
    }
    var stays = [Bool](repeating: false, count: count)
    var run = last.run
    while run >= 0 {
      stays[run] = true
      run = Int(previous[run])
    }
    return stays
  }

  private var isInOrder: Bool {
    for place in indices.dropFirst() where self[place - 1].new >= self[place].new { return false }
    return true
  }

  private func ranks() -> [Int32] {
    var ranks = [Int32](repeating: 0, count: count)
    var end = 0
    for run in self { end = Swift.max(end, run.new + 1) }
    guard end / 64 <= count else {
      for (place, run) in indices.sorted(by: { self[$0].new < self[$1].new }).enumerated() {
        ranks[run] = Int32(place + 1)
      }
      return ranks
    }
    // Runs that begin at different places can be counted instead of sorted.
    var runs = [Int32](repeating: -1, count: end)
    for (place, run) in enumerated() { runs[run.new] = Int32(place) }
    var rank: Int32 = 0
    for run in runs where run >= 0 {
      rank += 1
      ranks[Int(run)] = rank
    }
    return ranks
  }
}
