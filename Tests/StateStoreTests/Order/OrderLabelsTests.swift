import TestSupport
import Testing

@testable import StateStore

@Suite struct OrderLabelsTests {
  /// A list of labels, as the state keeps it.
  private struct Labels {
    var labels: [Int64?]
    /// The number of rows that were written.
    var writes = 0

    /// Inserts rows without labels into a list that has all labels, and labels them.
    mutating func insert(_ count: Int, at index: Int) throws {
      labels.insert(contentsOf: Array(repeating: nil, count: count), at: index)
      try label(Array(index..<index + count))
    }

    mutating func label() throws {
      try label(labels.indices.filter { labels[$0] == nil })
    }

    private mutating func label(_ missing: [Int]) throws {
      let assigned = try OrderLabels.assign(missing, count: labels.count) { labels[$0] }
      writes += assigned.count
      for (index, label) in assigned { labels[index] = label }
    }

    /// True if each row has a label, in ascending order and within the bounds.
    var isOrdered: Bool {
      let all = labels.compactMap { $0 }
      return all.count == labels.count && zip(all, all.dropFirst()).allSatisfy { $0 < $1 }
        && (all.first ?? 0) >= 0 && (all.last ?? 0) < OrderLabels.limit
    }
  }

  @Test(arguments: [0, 1, 2, 3, 100_000]) func `a new list has labels in order`(count: Int) {
    #expect(Labels(labels: OrderLabels.spread(count)).isOrdered)
    #expect(OrderLabels.spread(count).count == count)
  }

  @Test(arguments: Randomness.seeds(40)) func `labels stay in order, whatever is inserted and removed`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var list = Labels(labels: generator.oneIn(3) ? [] : OrderLabels.spread(generator.below(20)))
    // Few distinct labels make narrow places.
    if generator.oneIn(2) {
      list.labels = list.labels.indices.map { Int64($0) + (generator.oneIn(2) ? 0 : OrderLabels.limit - 30) }
        .sorted()
    }
    if Set(list.labels).count < list.labels.count { list.labels = OrderLabels.spread(list.labels.count) }
    for _ in 0..<60 {
      if !list.labels.isEmpty, generator.oneIn(3) {
        list.labels.remove(at: generator.below(list.labels.count))
      }
      for _ in 0...generator.below(4) {
        let count = generator.oneIn(5) ? 50 : 1
        list.labels.insert(
          contentsOf: Array(repeating: nil, count: count), at: generator.below(list.labels.count + 1))
      }
      try list.label()
      #expect(list.isOrdered, "\(seedNote(seed))")
    }
  }

  @Test(arguments: [0, 1, 50_000, 100_000]) func `inserting one by one at a place writes few labels`(
    place: Int
  ) throws {
    var list = Labels(labels: OrderLabels.spread(100_000))
    var rows = list.labels
    // Keeps the neighbourhood alone, so that the test takes no quadratic time.
    rows = Array(rows[max(0, place - 500)..<min(rows.count, place + 500)])
    list.labels = rows
    let index = min(place, 500)
    for _ in 0..<2_000 { try list.insert(1, at: min(index, list.labels.count)) }
    #expect(list.isOrdered)
    #expect(list.writes < 2_000 * 40, "\(list.writes)")
  }

  @Test(arguments: [0, 1]) func `appending writes one label per row`(end: Int) throws {
    var list = Labels(labels: OrderLabels.spread(1_000))
    for _ in 0..<3_000 { try list.insert(1, at: end == 0 ? 0 : list.labels.count) }
    #expect(list.isOrdered)
    #expect(list.writes == 3_000)
  }

  @Test func `a run of rows is written at once`() throws {
    var list = Labels(labels: OrderLabels.spread(100_000))
    try list.insert(10_000, at: 50_000)
    #expect(list.isOrdered)
    #expect(list.writes < 12_000, "\(list.writes)")
  }

  @Test func `labels in the wrong order are noticed`() {
    #expect(throws: StateError.damaged) {
      try OrderLabels.assign([1], count: 3) { [5, nil, 5][$0] }
    }
  }
}
