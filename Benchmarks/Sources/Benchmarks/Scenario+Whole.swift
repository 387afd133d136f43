import DiffableSnapshot

extension Scenario {
  /// Operations on complete lists.
  static var whole: [Scenario] {
    [
      Scenario(name: "built at once", bar: "≤ 5 ms at 100,000") { count in
        let ids = (0..<count).map { ItemID($0) }
        return Measurement(
          time: try Measurement.median(rounds: 11, prepare: {}) { _ in try List([(id: 0, items: ids)]) })
      },
      Scenario(name: "all items listed") { count in
        let list = try list(count)
        return Measurement(time: Measurement.median(rounds: 51, prepare: {}) { _ in list.itemIdentifiers })
      },
      Scenario(
        name: "unrelated: 1 % deleted, 1 % inserted, 0.2 % shuffled", bar: "fewest moves",
        sizes: [1_000, 10_000, 100_000, 1_000_000]
      ) { count in try unrelated(count, shuffled: count / 500) { $0 } },
      Scenario(name: "the same with strings as identifiers") { count in
        try unrelated(count, shuffled: count / 500) { "item-\(String($0.low, radix: 36))" }
      },
      Scenario(name: "unrelated: 1 % deleted, 1 % inserted, 10 % shuffled") { count in
        try unrelated(count, shuffled: count / 10) { $0 }
      },
    ]
  }

  private static func unrelated<ID: Hashable & Sendable>(_ count: Int, shuffled: Int, _ id: (ItemID) -> ID)
    throws -> Measurement
  {
    var random = FixedGenerator()
    let before = (0..<count).map { id(ItemID($0)) }
    var places = Array((0..<count).shuffled(using: &random).prefix(count / 100))
    places.sort(by: >)
    var after = before
    for place in places { after.remove(at: place) }
    for item in 0..<count / 100 {
      after.insert(id(ItemID(count + item)), at: Int.random(in: 0...after.count, using: &random))
    }
    let mixed = Array(after.indices.shuffled(using: &random).prefix(shuffled))
    for (place, item) in zip(mixed, mixed.shuffled(using: &random).map { after[$0] }) { after[place] = item }

    let old = try Snapshot([(id: 0, items: before)])
    let new = try Snapshot([(id: 0, items: after)])
    let time = Measurement.median(rounds: 21, prepare: {}) { _ in new.difference(from: old) }
    let isFastEnough = count <= 100_000
    let reference =
      isFastEnough ? Measurement.once { after.difference(from: before).inferringMoves() }.time : nil
    return Measurement(time: time, reference: reference, moves: moves(new.difference(from: old)))
  }
}
