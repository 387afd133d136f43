import DiffableSnapshot

extension Scenario {
  /// Edits of one item.
  static var single: [Scenario] {
    [
      Scenario(name: "`indexOfItem`, 10 sections", bar: "≤ 2 µs at 100,000") { count in
        try lookUps(count) { list, item in list.indexOfItem(item) }
      },
      Scenario(name: "`moveItem`, 10 sections", bar: "≤ 10 µs at 100,000") { count in try moveItems(count) },
      Scenario(name: "one moved: snapshot and diff, touched given", bar: "≤ 50 µs, ≤ 4 ×, one move") {
        count in
        try oneMoved(count, sections: 1) { [$0] }
      },
      Scenario(name: "one moved: snapshot and diff, nothing given") { count in
        try oneMoved(count, sections: 1) { _ in nil }
      },
      Scenario(
        name: "one to another section, n / 1,000 sections", bar: "≤ 50 µs, one move",
        sizes: [10_000, 100_000, 1_000_000]
      ) {
        count in try oneMoved(count, sections: count / 1_000) { [$0] }
      },
      Scenario(name: "one to another section, n sections") { count in
        try oneMoved(count, sections: count) { [$0] }
      },
    ]
  }

  private static func lookUps(_ count: Int, _ indexOf: (List, ItemID) -> Int?) throws -> Measurement {
    var bench = Bench(try list(count, sections: 10))
    let batch = 1_000
    let time = Measurement.median(prepare: { (0..<batch).map { _ in bench.item() } }) { items in
      items.reduce(0) { $0 &+ (indexOf(bench.list, $1) ?? 0) }
    }
    return Measurement(time: time / batch)
  }

  private static func moveItems(_ count: Int) throws -> Measurement {
    var bench = Bench(try list(count, sections: 10))
    let batch = 100
    var list = bench.list
    let time = try Measurement.median(prepare: { (0..<batch).map { _ in (bench.item(), bench.item()) } }) {
      pairs in
      for (item, other) in pairs where item != other { try list.moveItem(item, beforeItem: other) }
    }
    return Measurement(time: time / batch)
  }

  private static func oneMoved(_ count: Int, sections: Int, touched: (ItemID) -> Set<ItemID>?) throws
    -> Measurement
  {
    var bench = Bench(try list(count, sections: sections))
    var current = bench.list
    var moves: Set<Int> = []
    let time = try Measurement.median(
      rounds: 2_001, prepare: { try pick(&bench, current, elsewhere: sections > 1) }
    ) { pick in
      var next = current
      try next.moveItem(pick.item, beforeItem: pick.other)
      let diff = next.difference(from: current, touched: touched(pick.item))
      current = next
      moves.insert(Self.moves(diff))
      return diff
    }
    return Measurement(time: time, moves: moves.max())
  }

  /// Returns an item and another one that it does not precede.
  ///
  /// - Parameter elsewhere: whether the other item is in another section.
  private static func pick(_ bench: inout Bench, _ list: List, elsewhere: Bool) throws -> (
    item: ItemID, other: ItemID
  ) {
    while true {
      let (item, other) = (bench.item(), bench.item())
      guard let from = list.place(of: item), let to = list.place(of: other) else { continue }
      if elsewhere ? from.section != to.section : abs(from.index - to.index) > 1 { return (item, other) }
    }
  }
}
