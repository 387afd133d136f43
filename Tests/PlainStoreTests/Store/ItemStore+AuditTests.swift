import Foundation
import Query
@testable import Store
import TestSupport
import Testing
import Values
import Watch

/// Changes without an event: the file is written by another name outside of the folder.
@Suite(.timeLimit(.minutes(3))) struct ItemStoreAuditTests {
  private func store(
    _ folder: TemporaryFolder, every interval: Duration? = .milliseconds(50),
    polling: WatchOptions.Polling = .automatic
  )
    throws
    -> ItemStore
  {
    var options = StoreOptions()
    options.auditInterval = interval
    options.watch.polling = polling
    return try ItemStore(at: folder.path + "/root", watching: true, options: options)
  }

  private func wait(for store: ItemStore, until condition: (StoreCounters) -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition(store.counters) {
      try #require(ContinuousClock.now < deadline, "\(store.counters)")
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test func `an audit finds and counts changes that no event reported`() async throws {
    let folder = try TemporaryFolder([
      "root/a.yaml": "n: 1", "root/d/b.yaml": "n: 2", "root/bad.yaml": "n: [",
    ])
    try folder.shell("ln root/a.yaml a; ln root/d/b.yaml b")
    let store = try store(folder)
    try folder.shell("echo 'n: 10' > a; echo 'n: [' > b")
    try await wait(for: store) { $0.missedChanges == 2 }
    #expect(store.item("a")?.value(at: "n") == 10)
    #expect(store.item("d/b")?.value(at: "n") == 2)
    #expect(store.problems.map(\.path) == ["bad.yaml", "d/b.yaml"])
    let audits = store.counters.audits
    try await wait(for: store) { $0.audits > audits + 1 }
    // Nothing is found twice.
    #expect(store.counters.missedChanges == 2)
  }

  @Test func `a changed time that no event reported does not count as a missed change`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "n: 1"])
    try folder.shell("ln root/a.yaml a")
    let store = try store(folder)
    let known = try #require(store.item("a")?.stamp)
    try folder.shell("touch -d 2001-01-01 a")
    // But the store has the new stamp.
    while store.item("a")?.stamp == known { try await Task.sleep(for: .milliseconds(10)) }
    #expect(store.counters.missedChanges == 0)
  }

  @Test func `an edit whose event is on its way does not count as a missed change`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "n: 1", "root/d/b.yaml": "n: 2"])
    let store = try store(folder)
    var number = 0
    // An audit continues only when no change is waiting, so the loop pauses.
    while store.counters.audits < 5 {
      number += 1
      try folder.shell(
        """
        echo 'n: \(number)' > root/a.yaml; mv root/d/b.yaml root/d/c.yaml; mkdir -p root/e; echo 'n: \(number)' > root/e/x.yaml; sleep 0.02
        mv root/d/c.yaml root/d/b.yaml; rm -r root/e; echo 'n: \(number)' > root/.t; mv root/.t root/f.yaml; rm root/f.yaml
        sleep 0.2
        """)
    }
    #expect(store.counters.missedChanges == 0)
  }

  @Test func `audits are off if none are wanted, and while polling`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "n: 1"])
    let (off, polled) = (try store(folder, every: nil), try store(folder, polling: .always))
    let audited = try store(folder)
    try await wait(for: audited) { $0.audits >= 3 }
    #expect(off.counters.audits == 0)
    #expect(polled.counters.audits == 0)
  }
}
