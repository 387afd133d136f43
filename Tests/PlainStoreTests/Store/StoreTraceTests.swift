@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Query

/// What a store tells of its readings, steps and saves.
struct StoreTraceTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    /// The lines without their times.
    var all: [String] { lines.withLock { $0.map { $0.replacing(/[0-9.]+ ms/, with: "T") } } }

    func add(_ trace: StoreTrace) { lines.withLock { $0.append(trace.description) } }
  }

  @Test func `each reading, step and save is told with its duration`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    let list = try store.list(sort: "name")
    let lines = Lines()
    store.trace { lines.add($0) }
    try await store.update("ada", [.set("name", "Eve")])
    #expect(
      lines.all == ["read 1 file in T", "step: 1 item to 1 list in T (changed)", "save: ada: updated in T"])
    try folder.write("name: [", to: "bob.yaml")
    await store.refresh()
    #expect(
      lines.all.suffix(2) == ["read 2 files in T", "step: 0 items and 1 problem to 1 list in T (rescanned)"])
    store.trace(nil)
    try await store.delete("ada")
    #expect(lines.all.count == 5)
    withExtendedLifetime(list) {}
  }

  @Test func `an observer may ask the store`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\n"])
    let counts = Mutex<[Int]>([])
    store.trace { [weak store] _ in
      let count = (try? store?.count()) ?? 0
      counts.withLock { $0.append(count) }
    }
    try await store.insert("bob", fields: ["name": "Bob"])
    #expect(counts.withLock(\.last) == 2)
  }
}
