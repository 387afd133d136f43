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

  /// A model that counts how often it is decoded.
  private struct Counted: Decodable, Equatable {
    static let count = Mutex(0)
    var name: String

    private enum CodingKeys: CodingKey { case name }

    init(from decoder: any Decoder) throws {
      Counted.count.withLock { $0 += 1 }
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
  }

  /// Returns a number that grows once something that `read` reads has changed.
  private static func observe(_ read: () -> Void) -> @Sendable () -> Int {
    let changes = Count()
    withObservationTracking(read) { changes.number.withLock { $0 += 1 } }
    return { changes.number.withLock(\.self) }
  }

  private final class Count: Sendable {
    let number = Mutex(0)
  }

  @Test func `a live object begins as it is and is nil while the store does not have it`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let store = try ItemStore(at: folder.path)
    let ada = store.live("ada", as: Contact.self)
    let eve = store.live("eve", as: Contact.self)
    #expect(ada.id == "ada")
    #expect(ada.value?.name == "Ada")
    #expect(eve.id == "eve")
    #expect(eve.value == nil)
    try folder.write("name: Ada Lovelace\n", to: "ada.yaml")
    try folder.write("name: Eve\n", to: "eve.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml", "eve.yaml"]))
    #expect(ada.value?.name == "Ada Lovelace")
    #expect(eve.value?.name == "Eve")
    try folder.remove("ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    #expect(ada.value == nil)
    #expect(eve.value?.name == "Eve")
  }

  @Test func `its values are the object as it is, then each time it changes`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let store = try ItemStore(at: folder.path)
    let ada = store.live("ada", as: Contact.self)
    var values = ada.values.makeAsyncIterator()
    func next() async throws -> String { try #require(await values.next())?.name ?? "gone" }
    #expect(try await next() == "Ada")
    // None of these changes the object.
    try folder.write("name: Bobby\n", to: "bob.yaml")
    await store.scan(DirtyPaths(files: ["bob.yaml"]))
    try folder.write("name: Ada\nborn: 1815\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    try folder.write("name: Ada Lovelace\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    #expect(try await next() == "Ada Lovelace")
    try folder.remove("ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    #expect(try await next() == "gone")
    try folder.write("name: Ada\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    #expect(try await next() == "Ada")
  }

  @Test func `a change of the object is observed, and one of another object is not`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let store = try ItemStore(at: folder.path)
    let (ada, bob) = (store.live("ada", as: Contact.self), store.live("bob", as: Contact.self))
    let changes = Self.observe { _ = ada.value }
    let othersChanges = Self.observe { _ = bob.value }
    try folder.write("name: Bobby\n", to: "bob.yaml")
    try folder.write("name: Cleo\n", to: "cleo.yaml")
    try folder.write("name: [x]\n", to: "dan.yaml")
    await store.scan(DirtyPaths(files: ["bob.yaml", "cleo.yaml", "dan.yaml"]))
    #expect(bob.value?.name == "Bobby")
    #expect(othersChanges() == 1)
    try folder.remove("cleo.yaml")
    try folder.remove("bob.yaml")
    await store.scan(DirtyPaths(files: ["cleo.yaml", "bob.yaml"]))
    #expect(bob.value == nil)
    #expect(changes() == 0)
    try folder.write("name: Ada Lovelace\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    #expect(changes() == 1)
  }

  @Test func `an object that comes and goes is observed`() async throws {
    let folder = try TemporaryFolder(["bob.yaml": "name: Bob\n"])
    let store = try ItemStore(at: folder.path)
    let ada = store.live("ada", as: Contact.self)
    let comes = Self.observe { _ = ada.value }
    try folder.write("name: Ada\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    #expect(comes() == 1)
    let goes = Self.observe { _ = ada.value }
    try folder.remove("ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    #expect(goes() == 1)
    #expect(ada.value == nil)
  }

  @MainActor @Test func `a live object keeps its store, ends with its last reference and leaks nothing`()
    async throws
  {
    weak var store: ItemStore?
    weak var live: LiveObject<Contact>?
    do {
      var ada: LiveObject<Contact>?
      do {
        let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n"])
        let opened = try ItemStore(at: folder.path)
        (store, ada) = (opened, opened.live("ada", as: Contact.self))
      }
      live = ada
      #expect(store != nil)
      #expect(ada?.value?.name == "Ada")
      ada = nil
    }
    try await waitUntil { live == nil && store == nil }
    #expect(live == nil)
    #expect(store == nil)
  }

  @Test func `an object of the store is followed by its id, and no other one is decoded`() async throws {
    let folder = try TemporaryFolder([
      "50% \"off\".yaml": "name: Sale\n", "bad.yaml": "name: [x]\n", "other.yaml": "name: Other\n",
    ])
    let store = try ItemStore(at: folder.path)
    let sale = store.live("50% \"off\"", as: Counted.self)
    #expect(sale.value?.name == "Sale")
    #expect(Counted.count.withLock(\.self) == 1)
    try folder.write("name: Another\n", to: "other.yaml")
    try folder.write("name: Over\n", to: "50% \"off\".yaml")
    await store.scan(
      DirtyPaths(files: ["other.yaml", try #require(RelativePath(printed: "50%25 \"off\".yaml"))]))
    #expect(sale.value?.name == "Over")
    #expect(Counted.count.withLock(\.self) == 2)
  }
}
