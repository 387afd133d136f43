import DiffableSnapshot

extension Scenario {
  /// Edits of many items at the same time.
  static var batches: [Scenario] {
    [
      Scenario(name: "100 moved: snapshot and diff, touched given", bar: "≤ 1 ms") { count in
        try manyMoved(count, isTouchedGiven: true)
      },
      Scenario(name: "100 moved: snapshot and diff, nothing given") { count in
        try manyMoved(count, isTouchedGiven: false)
      },
      Scenario(name: "a search leaves 3 %: index", bar: "≤ 10 ms with its diff, at 100,000") { count in
        let full = try list(count)
        return Measurement(
          time: Measurement.median(rounds: 21, prepare: { full }) { $0.setHidden { $0.low % 100 >= 3 } })
      },
      Scenario(name: "a search leaves 3 %: diff") { count in
        let full = try list(count)
        var found = full
        found.setHidden { $0.low % 100 >= 3 }
        let time = Measurement.median(rounds: 21, prepare: {}) { _ in found.difference(from: full) }
        return Measurement(time: time, moves: moves(found.difference(from: full)))
      },
      Scenario(name: "the search is cleared: index and diff") { count in
        let full = try list(count)
        var found = full
        found.setHidden { $0.low % 100 >= 3 }
        let time = Measurement.median(rounds: 21, prepare: { found }) { list in
          list.setHidden(asking: .hidden) { _ in false }
          return list.difference(from: found)
        }
        return Measurement(time: time)
      },
    ]
  }

  private static func manyMoved(_ count: Int, isTouchedGiven: Bool) throws -> Measurement {
    var bench = Bench(try list(count))
    var current = bench.list
    let time = try Measurement.median(prepare: { (0..<100).map { _ in (bench.item(), bench.below(count)) } })
    { picks in
      var next = current
      for (item, place) in picks { try next.moveItem(item, toSection: 0, at: place) }
      let diff = next.difference(from: current, touched: isTouchedGiven ? Set(picks.map(\.0)) : nil)
      current = next
      return diff
    }
    return Measurement(time: time)
  }
}
