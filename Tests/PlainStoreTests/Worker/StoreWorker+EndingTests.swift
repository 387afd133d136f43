import Files
import Foundation
import Glibc
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Folder
@testable import Query

/// Saves that are cancelled, and the end of a store.
extension StoreWorkerTests {
  @Test func `a save whose task is cancelled is made and answered`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path, watching: true)
    try await withDeadline {
      for number in 0..<20 {
        let task = Task { try await store.update("a", [.set("n", .number(.integer(number)))]) }
        task.cancel()
        _ = try await task.value
        #expect(store.item("a")?.value(at: "n") == .number(.integer(number)))
      }
    }
  }

  @Test func `a store that is only held by its saves answers them and then ends`() async throws {
    let folder = try Self.folder()
    weak var published: PublishedStore?
    weak var watch: DirectoryWatcher?
    let saves: [Task<Void, any Error>]
    do {
      let store = try ItemStore(at: folder.path, watching: true)
      (published, watch) = (store.published, store.watch)
      saves = (0..<8).map { number in
        Task { try await store.insert(Item.ID(printed: "new\(number)"), fields: [:]) }
      }
    }
    for save in saves { try await withDeadline { try await save.value } }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).count { $0.hasPrefix("new") } == 8)
    try await waitUntil { published == nil && watch == nil }
    #expect(published == nil)
    #expect(watch == nil)
  }

  @Test func `a message after the end of a store is answered`() async throws {
    let folder = try Self.folder()
    let messages = try ItemStore(at: folder.path).messages
    try await withDeadline {
      await withCheckedContinuation { messages.send(.dirty(DirtyPaths(), following: nil, reply: $0)) }
    }
    let answer = try await withDeadline {
      await withCheckedContinuation {
        messages.send(.save(SaveRequest(changes: [], policy: .error, turn: nil), reply: $0))
      }
    }
    #expect(throws: StoreError.self) { try answer.get() }
  }

  @Test func `stores that come and go at once leave nothing behind`() async throws {
    let folder = try Self.folder()
    try await withDeadline(.seconds(60)) {
      for _ in 0..<100 {
        let store = try ItemStore(at: folder.path, watching: true)
        async let scan: Void = store.scan(DirtyPaths(subtrees: [.root]))
        await scan
      }
    }
    func threads() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
    // The threads of the last watches end soon after their stores.
    try await waitUntil { (try? threads()) ?? 0 < 60 }
    #expect(try threads() < 60)
  }
}
