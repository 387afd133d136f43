import Files
@testable import Store
@testable import Streams
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// What a consumer has to take back of what it was offered.
struct OfferTests {
  /// Rows by their ids: a path and a value.
  private typealias Rows = [String: (path: String, value: Int)]

  private static func list(_ rows: Rows) throws -> ListSnapshot<Item> {
    let rows = rows.sorted { $0.key < $1.key }.map { id, row in
      ListRow(
        section: "", id: Item.ID(id), path: RelativePath(bytes: row.path.utf8),
        value: PackedValue(["n": .number(.integer(row.value))]))
    }
    return try #require(ListSnapshot<Item>(restoring: [("", nil)], rows: rows, request: FetchRequest()))
  }

  /// Returns the list of a store, whose parts have the contents of their items.
  private static func liveList(_ rows: Rows, version: Int = 0) -> ListSnapshot<Item> {
    let items = rows.map { id, row in
      Item(
        id: Item.ID(id), path: RelativePath(bytes: row.path.utf8), stamp: FileStamp(),
        fields: PackedValue(["n": .number(.integer(row.value))]))
    }
    return ListSnapshot<Item>(of: StoreState(items, version: version), request: FetchRequest())
  }

  private static func update(_ old: ListSnapshot<Item>, _ new: ListSnapshot<Item>) -> ListUpdate<Item> {
    ListUpdate<Item>(from: old, to: new, touched: nil, origin: .files)
  }

  /// A short form of what an update takes back: `- x at x.yaml`, `= y at y.yaml`.
  private static func texts(_ update: ListUpdate<Item>?) -> [String] {
    (update?.takenBack ?? []).map { "\($0.isDeleted ? "-" : "=") \($0.id) at \($0.path)" }
  }

  /// Returns what is taken back after lists of which none but the first was acknowledged.
  private static func takenBack(_ lists: Rows...) throws -> [String] {
    let lists = try lists.map { try list($0) }
    var pending = PendingChanges(after: lists[0])
    for (old, new) in zip(lists, lists.dropFirst()) {
      if let update = pending.update { pending.offer(update) }
      pending.add(update(old, new))
    }
    return texts(pending.update)
  }

  @Test func `rows that are as they were are taken back, others are changes`() throws {
    let a: Rows = ["a": ("a", 1), "b": ("b", 1)]
    #expect(
      try Self.takenBack(a, ["a": ("a", 2), "c": ("c", 1)], a) == ["- c at c", "= a at a", "= b at b"])
    #expect(
      try Self.takenBack(a, ["a": ("a", 2), "c": ("c", 1)], ["a": ("a", 3), "b": ("b", 1), "c": ("c", 1)])
        == ["= b at b"])
    #expect(try Self.takenBack(a, ["b": ("b", 1)], ["a": ("a", 5), "b": ("b", 1)]) == [])
  }

  @Test func `each path under which a row was offered is taken back`() throws {
    let none: Rows = [:]
    #expect(try Self.takenBack(none, ["x": ("1", 1)], ["x": ("2", 1)], none) == ["- x at 1", "- x at 2"])
    // The item is there, so it is set again after the delete of the file that it had.
    #expect(try Self.takenBack(none, ["x": ("1", 1)], ["x": ("2", 1)]) == ["- x at 1", "= x at 2"])
    let x: Rows = ["x": ("1", 1)]
    #expect(try Self.takenBack(x, ["x": ("2", 1)], x) == ["- x at 2", "= x at 1"])
    // Another item has the file now.
    #expect(try Self.takenBack(none, ["x": ("1", 1)], ["y": ("1", 1)]) == ["- x at 1", "= y at 1"])
    #expect(try Self.takenBack(x, ["y": ("1", 1)], x) == ["- y at 1", "= x at 1"])
  }

  /// A consumer that keeps values by ids, and one that keeps them by files. For a delete the second
  /// one removes the file, whatever wrote it. For a new path it removes the old file if the same item
  /// wrote it.
  private struct Published: Equatable {
    private struct File: Equatable {
      let id: Item.ID
      let value: PackedValue
    }

    private var byID: [Item.ID: PackedValue] = [:]
    private var byPath: [RelativePath: File] = [:]

    init(_ list: ListSnapshot<Item>) { list.forEachRow { set($0) } }

    mutating func apply(_ update: ListUpdate<Item>, first count: Int = .max) {
      let changes = update.diff.changes.prefix(count).filter(\.hasContent)
      for change in changes {
        byID[change.item] = nil
        guard let path = update.old.row(change.item)?.path else { continue }
        if update.new.row(change.item) == nil || byPath[path]?.id == change.item { byPath[path] = nil }
      }
      for change in changes { set(update.new.row(change.item)) }
      for entry in update.takenBack.prefix(max(0, count - update.diff.changes.count)) {
        if entry.isDeleted {
          byID[entry.id] = nil
          byPath[entry.path] = nil
        } else {
          set(update.new.row(entry.id))
        }
      }
    }

    private mutating func set(_ row: ListRow?) {
      guard let row else { return }
      byID[row.id] = row.value
      byPath[row.path] = File(id: row.id, value: row.value)
    }
  }

  @Test(arguments: Randomness.seeds(80))
  func `after a success a consumer has the list, by ids and by files, whatever failed before`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var rows: Rows = [:]
    var newest = try Self.list(rows)
    var pending = PendingChanges(after: newest)
    var published = Published(newest)
    var successes = 0
    for round in 0..<60 {
      for _ in 0..<random.below(3) {
        let id = "i\(random.below(4))"
        let path = "p\(random.below(4))"
        let free = rows.allSatisfy { $0.key == id || $0.value.path != path }
        if random.oneIn(3) { rows[id] = nil } else if free { rows[id] = (path, random.below(2)) }
      }
      let list = try Self.list(rows)
      let step = Self.update(newest, list)
      if !step.diff.isEmpty { pending.add(step) }
      newest = list
      if let update = pending.update {
        pending.offer(update)
        if random.oneIn(3) || round == 59 {
          published.apply(update)
          pending.acknowledge(update)
          #expect(published == Published(newest), "\(Self.texts(update)) \(seedNote(seed))")
          #expect(pending.isEmpty, "\(seedNote(seed))")
          successes += 1
        } else {
          published.apply(update, first: random.below(5))
        }
      }
      if random.oneIn(6) {
        let base = pending.acknowledged
        pending = PendingChanges(after: base, offering: pending.offer)
        let missed = Self.update(base, newest)
        if !missed.diff.isEmpty { pending.add(missed) }
      }
    }
    #expect(successes > 0, "\(seedNote(seed))")
  }

  /// Returns true if an item has the file of another one that the consumer does not know to have
  /// moved.
  private static func handsOn(_ rows: Rows, after acknowledged: ListSnapshot<Item>) -> Bool {
    rows.contains { id, row in
      guard let known = acknowledged.row(Item.ID(id)), "\(known.path)" != row.path else { return false }
      return rows.values.contains { $0.path == "\(known.path)" }
    }
  }

  /// Each row fails alone. In between, an item that is to be deleted can have the file of another one.
  @Test(arguments: Randomness.seeds(80))
  func `row by row a consumer gets to the list, by ids and by files, whatever failed before`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var rows: Rows = [:]
    var newest = Self.liveList(rows)
    var pending = PendingChanges(after: newest)
    var published = Published(newest)
    for round in 0..<40 {
      for _ in 0..<random.below(3) {
        let id = "i\(random.below(4))"
        let path = "p\(random.below(4))"
        let free = rows.allSatisfy { $0.key == id || $0.value.path != path }
        let before = rows
        if random.oneIn(3) { rows[id] = nil } else if free { rows[id] = (path, random.below(2)) }
        if Self.handsOn(rows, after: pending.acknowledged) { rows = before }
      }
      let step = Self.update(newest, Self.liveList(rows, version: round + 1))
      if !step.diff.isEmpty { pending.add(step) }
      newest = step.new
      if random.oneIn(6) {
        // After a restart, the acknowledged list comes from a state.
        var kept: [ListRow] = []
        pending.acknowledged.forEachRow { kept.append($0) }
        let base = try #require(
          ListSnapshot<Item>(restoring: [("", nil)], rows: kept, request: FetchRequest()))
        pending = PendingChanges(after: base, offering: pending.offer)
        let missed = Self.update(base, newest)
        if !missed.diff.isEmpty { pending.add(missed) }
      }
      // At the end nothing fails any more.
      for _ in 0..<(round < 39 ? 1 : 10) {
        for row in pending.update?.rows ?? [] {
          guard let one = pending.single(row) else { continue }
          pending.offer(one)
          let isDone = round == 39 || random.oneIn(2)
          if isDone || random.oneIn(2) { published.apply(one) }
          if isDone { pending.acknowledge(one) }
        }
      }
    }
    #expect(pending.isEmpty, "\(seedNote(seed))")
    #expect(published == Published(newest), "\(seedNote(seed))")
  }

  @Test func `an item at the file of a deleted one is set again after the delete`() throws {
    let old = Self.liveList(["five": ("a", 5), "two": ("s", 2)])
    let new = Self.liveList(["two": ("a", 2)], version: 1)
    var pending = PendingChanges(after: old)
    pending.add(Self.update(old, new))
    let delete = try #require(pending.single("five"))
    pending.offer(delete)
    // The delete fails, and the other row succeeds.
    let update = try #require(pending.single("two"))
    pending.offer(update)
    pending.acknowledge(update)
    pending.acknowledge(try #require(pending.single("five")))
    #expect(Self.texts(pending.update) == ["= two at a"])
  }
}
