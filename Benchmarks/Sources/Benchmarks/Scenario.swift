import DiffableSnapshot

typealias List = Snapshot<Int, ItemID>

/// One row of the table: an operation on a list, measured at several sizes.
struct Scenario {
  let name: String
  /// The target, in words.
  var bar = ""
  var sizes: Set<Int> = [1_000, 10_000, 100_000, 1_000_000]
  let measure: (Int) throws -> Measurement

  static var all: [Scenario] { memory + single + batches + whole + unrelated }

  /// Returns a list of items, evenly divided into sections.
  static func list(_ count: Int, sections: Int = 1) throws -> List {
    let size = count / sections
    return try List(
      (0..<sections).map { section in (id: section, items: (0..<size).map { ItemID(section * size + $0) }) })
  }

  /// Returns the number of moves in a difference.
  static func moves<Item>(_ diff: SnapshotDiff<Int, Item>) -> Int {
    diff.changes.count { if case .move = $0 { true } else { false } }
  }
}

/// A list, and the generator that chooses its edits.
struct Bench {
  var list: List
  var random = FixedGenerator()
  let count: Int

  init(_ list: List) {
    self.list = list
    count = list.numberOfItems
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  mutating func item() -> ItemID { ItemID(below(count)) }
}
