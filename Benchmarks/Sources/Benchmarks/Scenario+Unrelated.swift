import DiffableSnapshot

extension Scenario {
  /// A way in which the newer of two lists differs from the older one.
  struct Shape {
    let name: String
    /// DifferenceKit's time for 100,000 identifiers of 16 bytes, in milliseconds, where it was
    /// measured.
    var differenceKit: Double?
    /// Swaps the two lists.
    var isReversed = false
    /// The number of items per section, or nil for a single section.
    var sectionSize: Int?
    fileprivate let change: ([Int], inout FixedGenerator) -> [Int]
  }

  /// Differences between lists that share no memory, in every shape.
  static var unrelated: [Scenario] {
    shapes.map { shape in
      let bar =
        shape.differenceKit.map { "≥ 5 × DifferenceKit (\(Int($0)) ms at 100,000)" } ?? "≥ 5 × DifferenceKit"
      return Scenario(name: "unrelated: \(shape.name)", bar: bar, sizes: [10_000, 100_000, 1_000_000]) {
        count in
        try measure(shape, count) { ItemID($0) }
      }
    } + [
      Scenario(name: "unrelated strings: 1 % deleted, 1 % inserted", sizes: [10_000, 100_000, 1_000_000]) {
        count in
        try measure(shapes[0], count) { "item-\(String(ItemID($0).low, radix: 36))" }
      },
      Scenario(name: "unrelated numbers: 1 % deleted, 1 % inserted", sizes: [10_000, 100_000, 1_000_000]) {
        count in
        try measure(shapes[0], count) { $0 }
      },
    ]
  }

  static var shapes: [Shape] {
    [
      Shape(name: "1 % deleted, 1 % inserted", differenceKit: 42) { replaceSome(in: $0, &$1) },
      Shape(name: "first to last", differenceKit: 43) { items, _ in Array(items.dropFirst()) + items.prefix(1)
      },
      Shape(name: "97 % deleted", differenceKit: 20) { items, _ in items.filter { ItemID($0).low % 100 < 3 }
      },
      Shape(name: "97 % inserted", isReversed: true) { items, _ in items.filter { ItemID($0).low % 100 < 3 }
      },
      Shape(name: "half deleted") { items, _ in items.filter { ItemID($0).low % 2 == 0 } },
      Shape(name: "half inserted", isReversed: true) { items, _ in items.filter { ItemID($0).low % 2 == 0 } },
      Shape(name: "all the same") { items, _ in items },
      Shape(name: "all different") { items, _ in items.map { $0 + items.count } },
      Shape(name: "first third to the end") { items, _ in
        Array(items[(items.count / 3)...]) + items[..<(items.count / 3)]
      },
      Shape(name: "10 % shuffled") { shuffleSome(in: $0, share: 10, &$1) },
      Shape(name: "reversed") { items, _ in items.reversed() },
      Shape(name: "shuffled") { items, random in items.shuffled(using: &random) },
      Shape(name: "sections of 100, 1 % deleted, 1 % inserted", sectionSize: 100) {
        replaceSome(in: $0, &$1)
      },
      Shape(name: "sections of 100, shuffled", sectionSize: 100) { items, random in
        items.shuffled(using: &random)
      },
    ]
  }

  /// Measures our difference and Heckel's for one shape.
  static func measure<ID: Hashable & Sendable>(_ shape: Shape, _ count: Int, _ id: (Int) -> ID) throws
    -> Measurement
  {
    var random = FixedGenerator()
    let items = Array(0..<count)
    var (before, after) = (items, shape.change(items, &random))
    if shape.isReversed { swap(&before, &after) }
    let old = try list(before, shape, id)
    let new = try list(after, shape, id)
    let time = Measurement.median(rounds: 21, prepare: {}) { _ in new.difference(from: old) }
    let (oldIDs, newIDs) = (before.map(id), after.map(id))
    let heckel = Measurement.median(rounds: 11, prepare: {}) { _ in Heckel(from: oldIDs, to: newIDs) }
    let figure = count == 100_000 ? shape.differenceKit.map { Duration.milliseconds($0) } : nil
    return Measurement(
      time: time, heckel: heckel, differenceKit: figure, moves: moves(new.difference(from: old)))
  }

  private static func list<ID: Hashable & Sendable>(_ items: [Int], _ shape: Shape, _ id: (Int) -> ID) throws
    -> Snapshot<Int, ID>
  {
    let size = max(1, shape.sectionSize ?? items.count)
    let starts = stride(from: 0, to: items.count, by: size)
    return try Snapshot(
      starts.map { (id: $0 / size, items: items[$0..<min($0 + size, items.count)].map(id)) })
  }

  /// Deletes 1 % of the items and inserts as many new ones elsewhere.
  private static func replaceSome(in items: [Int], _ random: inout FixedGenerator) -> [Int] {
    let deleted = Set(items.shuffled(using: &random).prefix(items.count / 100))
    var inserted: [Int: [Int]] = [:]
    for item in items.count..<items.count + items.count / 100 {
      inserted[Int.random(in: items.indices, using: &random), default: []].append(item)
    }
    return items.flatMap { item in (inserted[item] ?? []) + (deleted.contains(item) ? [] : [item]) }
  }

  /// Exchanges every n-th item, on average, with another one of them.
  private static func shuffleSome(in items: [Int], share: Int, _ random: inout FixedGenerator) -> [Int] {
    let places = items.indices.shuffled(using: &random).prefix(items.count / share)
    var mixed = items
    for (place, other) in zip(places, places.shuffled(using: &random)) { mixed[place] = items[other] }
    return mixed
  }
}
