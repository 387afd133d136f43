import Foundation
import Glibc
@testable import Models
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Files
@testable import Query

/// A save of many items shows as one update, however long it writes and whatever happens beside it.
@Suite(.timeLimit(.minutes(3)))
struct StoreWorkerSavingPropertyTests {
  private static let count = 48

  /// What a save does: how many of its changes fail, and whether its task is cancelled.
  private struct Plan {
    let number: Int
    let failures: Set<Int>
    let isCancelled: Bool
    let usesModels: Bool
  }

  private struct Row: PlainModel {
    var id: Item.ID
    var batch: Int
  }

  private static func id(_ index: Int) -> Item.ID { Item.ID(printed: "n\(index)") }

  /// Returns the number of the items that belong to each batch.
  private static func counts(_ items: some Sequence<Item>) -> [Int: Int] {
    items.reduce(into: [:]) { counts, item in
      if case .number(.integer(let batch))? = item.value(at: "batch") { counts[batch, default: 0] += 1 }
    }
  }

  @Test func `a list never shows a part of a save, and follows other programs again after it`() async throws {
    for seed in Randomness.seeds(9) {
      var random = SeededGenerator(seed: seed)
      let texts = (0..<Self.count).map { ("n\($0).yaml", "batch: 0\nname: \($0) # mine\n") }
      let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: texts))
      // No part of a save may be published when this time is over.
      let options = StoreOptions(watch: WatchOptions(settle: .milliseconds(20), maxWait: .milliseconds(5)))
      let store = try ItemStore(at: folder.path, watching: true, options: options)
      let results = store.list(FetchRequest())
      let seen = Mutex<[[Int: Int]]>([])
      let reader = Task(executorPreference: QueueExecutor("reader")) {
        for await update in results.updates {
          let counts = Self.counts(update.new.list.itemIdentifiers.compactMap { update.new.item($0) })
          seen.withLock { $0.append(counts) }
        }
      }
      let isOver = Atomic(false)
      let interference = Self.interfere(folder, random.next()) {
        isOver.load(ordering: .sequentiallyConsistent)
      }
      var made: [Int: Int] = [:]
      for number in 1...3 {
        let failing = (0..<random.below(4)).map { _ in random.below(Self.count) }
        let plan = Plan(
          number: number, failures: Set(failing), isCancelled: random.oneIn(3), usesModels: random.oneIn(2))
        made[number] = try await Self.save(plan, store)
        try await waitUntil { made[number] == 0 || seen.withLock { $0.last?[number] } == made[number] }
        // Whatever the save was, the lists follow other programs again.
        try folder.write("mark: \(number)\n", to: "other.yaml")
        try await withDeadline { await store.settled() }
        #expect(store.item("other")?.value(at: "mark") == .number(.integer(number)), "\(seedNote(seed))")
      }
      isOver.store(true, ordering: .sequentiallyConsistent)
      await interference.value
      await store.settled()
      try await waitUntil {
        seen.withLock { $0.last } == Self.counts(store.currentState.items.lazy.map(\.value))
      }
      reader.cancel()
      let all = seen.withLock { $0 }
      #expect(all.count > 3, "\(seedNote(seed))")
      for (number, count) in made {
        let sizes = all.map { $0[number, default: 0] }
        // The first list with the save has all of it; later saves take some away.
        let first = sizes.first { $0 > 0 }
        #expect(first == (count > 0 ? count : nil), "save \(number) shows as \(sizes), \(seedNote(seed))")
      }
    }
  }

  /// Makes a save, and returns the number of the items that it changed.
  private static func save(_ plan: Plan, _ store: ItemStore) async throws -> Int {
    let task = Task(executorPreference: QueueExecutor("save")) { () throws -> Int in
      if plan.usesModels {
        let rows = (0..<Self.count).filter { !plan.failures.contains($0) }.map {
          Row(id: Self.id($0), batch: plan.number)
        }
        return try await store.update(rows.map(\.id), as: Row.self) { $0.batch = plan.number }.outcomes.count
      }
      var scope = store.makeEditScope()
      for index in 0..<Self.count {
        let id = plan.failures.contains(index) ? Item.ID(printed: "nobody\(index)") : Self.id(index)
        scope.update(id, [.set("batch", .number(.integer(plan.number)))])
      }
      return try await store.saveEach(scope).outcomes.count { $0.error == nil }
    }
    if plan.isCancelled { task.cancel() }
    return try await withDeadline { try await task.value }
  }

  /// Writes other items all the time, by renaming and through another editor.
  private static func interfere(
    _ folder: TemporaryFolder, _ seed: UInt64, until isOver: @escaping @Sendable () -> Bool
  ) -> Task<
    Void, Never
  > {
    Task(executorPreference: QueueExecutor("other program")) {
      var random = SeededGenerator(seed: seed)
      var round = 0
      while !isOver() {
        round += 1
        if random.oneIn(2) {
          try? folder.write("round: \(round)\n", to: ".swap")
          rename("\(folder.path)/.swap", "\(folder.path)/raw\(random.below(3)).yaml")
        } else {
          var scope = EditScope()
          // In another folder, so that no save waits for its lock.
          scope.insert("d/edited", fields: ["round": .number(.integer(round))])
          _ = try? ItemEditor(root: folder.path).saveEach(scope, policy: .mergeByPropertyObjectTrump)
        }
        usleep(UInt32(random.below(6_000)))
      }
    }
  }
}
