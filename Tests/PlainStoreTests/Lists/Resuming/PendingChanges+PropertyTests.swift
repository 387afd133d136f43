import DiffableSnapshot
@testable import Store
@testable import Streams
import TestSupport
import Testing
import Values

@testable import Query

/// Random lists, of which a consumer gets the changes all at once, part by part, or after a restart.
struct PendingChangesPropertyTests {
  /// A consumer that applies what it gets, with everything that must always hold of it.
  private struct Consumer {
    var pending: PendingChanges
    var folded: FoldedList
    var digest: ListDigest
    let note: Comment

    init(_ list: ListSnapshot<Item>, _ seed: UInt64) {
      pending = PendingChanges(after: list)
      folded = FoldedList(list)
      digest = ListDigest(of: list)
      note = Comment(rawValue: seedNote(seed))
    }

    /// Delivers an update and acknowledges it.
    mutating func deliver(_ update: ListUpdate<Item>) throws {
      #expect(FoldedList(update.old) == folded, note)
      try folded.apply(update)
      #expect(FoldedList(update.new) == folded, note)
      digest.apply(update)
      #expect(digest == ListDigest(of: update.new), note)
      pending.acknowledge(update)
      #expect(FoldedList(pending.acknowledged) == folded, note)
    }

    /// Returns a list that was stored and read again. The settings may have changed the request
    /// meanwhile.
    func restored(_ request: FetchRequest) throws -> ListSnapshot<Item> {
      let list = pending.acknowledged
      var rows: [ListRow] = []
      list.forEachRow { rows.append($0) }
      let restored = try #require(
        ListSnapshot<Item>(restoring: list.sectionTitles, rows: rows, request: request))
      #expect(FoldedList(restored) == folded, note)
      #expect(ListDigest(of: restored) == digest, note)
      #expect(ListUpdate<Item>(from: list, to: restored, touched: nil, origin: .files).diff.isEmpty, note)
      #expect(ListUpdate<Item>(from: restored, to: list, touched: nil, origin: .files).diff.isEmpty, note)
      return restored
    }
  }

  private static func ids(_ update: ListUpdate<Item>?) -> Set<Item.ID> {
    Set(update?.diff.changes.map(\.item) ?? [])
  }

  /// What the stream shows of a change besides its places.
  private static func content(_ id: Item.ID, of update: ListUpdate<Item>) -> [String] {
    guard let change = update.diff.changes.first(where: { $0.item == id }) else { return [] }
    let changes = update.fieldChanges(of: id)
    let edit = (changes?.pointers ?? []) + [Value.map(changes?.before ?? [:]).text]
    let shown =
      (update.new.row(id) ?? update.old.row(id)).map { [$0.path.description, $0.value.value.text] } ?? []
    switch change {
    case .delete: return ["delete", update.reason(forDeleting: id).description]
    case .insert: return ["insert"] + shown
    case .move(_, _, _, let isUpdated): return ["move"] + shown + (isUpdated ? edit : [])
    case .update: return ["update"] + shown + edit
    }
  }

  @Test(arguments: Randomness.seeds(60))
  func `changes applied part by part end at the newest list, and each part has exactly its rows`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var history = try RandomHistory(&random)
    let (start, steps) = history.results.snapshotAndSteps()
    var consumer = Consumer(start, seed)
    for _ in 0..<6 {
      for _ in 0...random.below(3) { try history.step(&random) }
      if case .step(let update?, _)? = steps.consumeEvent() { consumer.pending.add(update) }
      while let all = consumer.pending.update, !random.oneIn(12) {
        try Self.deliverPart(of: all, &consumer, &random)
        if random.oneIn(5) {
          try history.step(&random)
          if case .step(let update?, _)? = steps.consumeEvent() { consumer.pending.add(update) }
        }
      }
    }
    while let all = consumer.pending.update { try Self.deliverPart(of: all, &consumer, &random) }
    #expect(consumer.folded == FoldedList(history.results.snapshot), consumer.note)
  }

  /// Delivers a random part of the pending changes, and checks it against all of them.
  private static func deliverPart(
    of all: ListUpdate<Item>, _ consumer: inout Consumer, _ random: inout SeededGenerator
  ) throws {
    let ids = ids(all)
    let chosen = ids.sorted { $0.stored < $1.stored }.filter { _ in random.oneIn(2) }
    #expect(consumer.pending.part([]) == nil, consumer.note)
    guard !chosen.isEmpty else { return try consumer.deliver(all) }
    let part = try #require(consumer.pending.part(Set(chosen)), consumer.note)
    #expect(Self.ids(part) == Set(chosen), consumer.note)
    for id in chosen { #expect(content(id, of: part) == content(id, of: all), consumer.note) }
    for case .move(let id, _, _) in part.diff.sections where chosen.count < ids.count {
      Issue.record("section \(id) moved in a part; \(consumer.note)")
    }
    try consumer.deliver(part)
    let rest = consumer.pending.update
    #expect(Self.ids(rest) == ids.subtracting(chosen), consumer.note)
    if let rest {
      for id in Self.ids(rest) { #expect(content(id, of: rest) == content(id, of: all), consumer.note) }
    }
  }

  @Test(arguments: Randomness.seeds(60))
  func `an update that is acknowledged late leaves exactly what was added since`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var history = try RandomHistory(&random)
    let (start, steps) = history.results.snapshotAndSteps()
    var consumer = Consumer(start, seed)
    var late: ListUpdate<Item>?
    for _ in 0..<10 {
      try history.step(&random)
      if case .step(let update?, _)? = steps.consumeEvent() { consumer.pending.add(update) }
      if let update = late, random.oneIn(2) {
        try consumer.deliver(update)
        late = nil
      }
      if late == nil, let update = consumer.pending.update {
        late =
          random.oneIn(2)
          ? update : consumer.pending.part(Set(Self.ids(update).filter { _ in random.oneIn(2) }))
      }
    }
    if let late { try consumer.deliver(late) }
    if let rest = consumer.pending.update { try consumer.deliver(rest) }
    #expect(consumer.folded == FoldedList(history.results.snapshot), consumer.note)
    #expect(consumer.pending.update == nil, consumer.note)
  }

  @Test(arguments: Randomness.seeds(60))
  func `a consumer that restarts at any moment gets what it would have got without`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var history = try RandomHistory(&random)
    var steps = history.results.snapshotAndSteps()
    var consumer = Consumer(steps.snapshot, seed)
    for _ in 0..<6 {
      for _ in 0..<random.below(3) { try history.step(&random) }
      if case .step(let update?, _)? = steps.steps.consumeEvent() { consumer.pending.add(update) }
      if let update = consumer.pending.update {
        let some = Self.ids(update).filter { _ in random.oneIn(2) }
        if random.oneIn(3) {
          try consumer.deliver(update)
        } else if let part = consumer.pending.part(some) {
          try consumer.deliver(part)
        }
      }
      for _ in 0..<random.below(3) { try history.step(&random) }
      if random.oneIn(2) { continue }
      let before = consumer.pending.acknowledged
      let newest = history.results.snapshot
      let restored = try consumer.restored(random.oneIn(2) ? before.request : newest.request)
      let expected = ListUpdate<Item>(from: before, to: newest, touched: nil, origin: .files)
      steps = (restored, history.results.subscribe(resumingAfter: restored))
      consumer.pending = PendingChanges(after: restored)
      if case .step(let update?, _)? = steps.steps.consumeEvent() { consumer.pending.add(update) }
      let resumed = consumer.pending.update
      #expect((resumed?.cause ?? .resumed) == .resumed, consumer.note)
      #expect((resumed?.diff ?? SnapshotDiff()) == expected.diff, consumer.note)
      guard let resumed else { continue }
      for id in Self.ids(expected) {
        #expect(Self.content(id, of: resumed) == Self.content(id, of: expected), consumer.note)
      }
      for section in expected.diff.sections.map(\.section) {
        #expect(resumed.new.title(of: section) == newest.title(of: section), consumer.note)
      }
    }
    if case .step(let update?, _)? = steps.steps.consumeEvent() { consumer.pending.add(update) }
    if let rest = consumer.pending.update { try consumer.deliver(rest) }
    #expect(consumer.folded == FoldedList(history.results.snapshot), consumer.note)
  }
}
