import Files
@testable import Models
import Observation
import Query
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

/// The screen of one contact.
@Suite(.timeLimit(.minutes(1)))
struct LiveObjectTests {
  private struct Contact: PlainModel {
    var id: String
    var name: String
  }

  @MainActor @Test func `a live object begins as it is and is nil while the list does not show it`()
    async throws
  {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let store = try ItemStore(at: folder.path)
    let results = store.results(of: Contact.self)
    let ada = results.live("ada")
    let eve = results.live("eve")
    #expect(ada.value?.name == "Ada")
    #expect(eve.value == nil)
    try folder.write("name: Ada Lovelace\n", to: "ada.yaml")
    try folder.write("name: Eve\n", to: "eve.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml", "eve.yaml"]))
    try await waitUntil { ada.value?.name == "Ada Lovelace" && eve.value != nil }
    #expect(ada.value?.name == "Ada Lovelace")
    #expect(eve.value?.name == "Eve")
    results.search = "bob"
    try await waitUntil { ada.value == nil }
    #expect(ada.value == nil)
  }

  @MainActor @Test func `a change of another object is not observed`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let store = try ItemStore(at: folder.path)
    let results = store.results(of: Contact.self)
    let (ada, bob) = (results.live("ada"), results.live("bob"))
    let changes = Mutex(0)
    withObservationTracking {
      _ = ada.value
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    try folder.write("name: Bobby\n", to: "bob.yaml")
    await store.scan(DirtyPaths(files: ["bob.yaml"]))
    try await waitUntil { bob.value?.name == "Bobby" }
    #expect(bob.value?.name == "Bobby")
    #expect(changes.withLock { $0 } == 0)
  }

  @MainActor @Test func `a live object ends with its last reference and leaks nothing`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n"])
    let store = try ItemStore(at: folder.path)
    weak var results: TypedResults<Contact>?
    weak var live: LiveObject<Contact>?
    do {
      let ada = store.results(of: Contact.self).live("ada")
      (results, live) = (ada.results, ada)
      #expect(ada.value?.name == "Ada")
    }
    try await waitUntil { live == nil && results == nil }
    #expect(live == nil)
    #expect(results == nil)
  }

  @MainActor @Test func `an object of the store is followed by its id, and no other one is decoded`()
    async throws
  {
    let folder = try TemporaryFolder(["50% \"off\".yaml": "name: Sale\n", "bad.yaml": "name: [x]\n"])
    let store = try ItemStore(at: folder.path)
    let sale = store.live("50% \"off\"", as: Contact.self)
    #expect(sale.value?.name == "Sale")
    #expect(sale.results.snapshot.problems == [])
    try folder.write("name: Over\n", to: "50% \"off\".yaml")
    await store.scan(DirtyPaths(files: [try #require(RelativePath(printed: "50%25 \"off\".yaml"))]))
    try await waitUntil { sale.value?.name == "Over" }
    #expect(sale.value?.name == "Over")
  }
}
