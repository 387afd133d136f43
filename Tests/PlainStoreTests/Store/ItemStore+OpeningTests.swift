import Files
import Foundation
@testable import Models
import Query
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Folder

@Suite(.timeLimit(.minutes(1)))
struct ItemStoreOpeningTests {
  @Test func `seed does not write through a link that leads out of the folder`() async throws {
    let folder = try TemporaryFolder(["outside.yaml": "name: Eve\n", "items/ada.yaml": "name: Ada\n"])
    try folder.link("items/eve.yaml", to: "../outside.yaml")
    let store = try ItemStore(at: folder.path + "/items")
    await #expect(throws: StoreError.self) { try await store.seed(["eve.yaml": "name: Mallory\n"]) }
    #expect(try folder.text(of: "outside.yaml") == "name: Eve\n")
  }

  @Test func `open creates the folder and watches it`() async throws {
    let folder = try TemporaryFolder()
    let store = try await ItemStore.open("\(folder.path)/people/friends")
    #expect(store.count == 0)
    var updates = store.list(FetchRequest()).updates(of: "ada").makeAsyncIterator()
    #expect(try #require(await updates.next())?.id == nil)
    try folder.write("name: Ada\n", to: "people/friends/ada.yaml")
    #expect(try #require(await updates.next())?.value(at: "name") == "Ada")
  }

  @Test(arguments: [1, 3]) func `the progress of opening ends with the number of files`(readers: Int) throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": "", "broken.yaml": "a: [\n", "other.txt": ""])
    try folder.shell("mkdir more; for i in $(seq 700); do echo 'n: 1' > more/$i.yaml; done")
    let counts = ReportedCounts()
    _ = try ItemStore(
      at: folder.path, options: StoreOptions(readers: readers, onProgress: { counts.add($0) }))
    #expect(counts.all.max() == 701)
    #expect(counts.all.allSatisfy { $0 > 0 })
    #expect(Set(counts.all).count == counts.all.count)
    #expect(counts.all.count > 2)
  }

  private final class ReportedCounts: Sendable {
    private let counts = Mutex<[Int]>([])
    var all: [Int] { counts.withLock(\.self) }
    func add(_ count: Int) { counts.withLock { $0.append(count) } }
  }

  @Test func `open fails where no folder can be`() async throws {
    let folder = try TemporaryFolder(["a": ""])
    await #expect(throws: StoreError.self) { try await ItemStore.open("\(folder.path)/a/b") }
  }

  @Test func `a temporary store has its own folder, which is removed with it`() async throws {
    var store: ItemStore? = try await ItemStore.temporary([
      "friends/ada.yaml": "name: Ada\n", ".notes-watch.yaml": "ignore: [drafts/]\n",
    ])
    let root = try #require(store?.root)
    #expect(store?.item("friends/ada")?.value(at: "name") == "Ada")
    #expect(store?.settings.ignore == ["drafts/"])
    store = nil
    try await waitUntil { !FileManager.default.fileExists(atPath: root) }
    await #expect(throws: StoreError.self) { try await ItemStore.temporary(["../x.yaml": ""]) }
  }

  @Test(arguments: [false, true])
  func `seeded files are shown when seed returns, also those that are not items`(watching: Bool) async throws
  {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\n"], watching: watching)
    try await store.seed([
      "ada.yaml": "name: Ada Lovelace\n", "friends/bob.md": "Bob\n", "bad.yaml": "a: [\n",
    ])
    #expect(store.item("ada")?.value(at: "name") == "Ada Lovelace")
    #expect(store.item("friends/bob")?.value(at: "body") == "Bob\n")
    #expect(store.problems.map(\.path) == ["bad.yaml"])
  }
}
