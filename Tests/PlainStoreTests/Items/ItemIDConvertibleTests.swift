import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// The ids that store calls take.
struct ItemIDConvertibleTests {
  private struct ISBN: RawRepresentable, Hashable, Codable, Sendable, ItemIDConvertible {
    var rawValue: String
  }

  private struct Book<ID: Hashable & Codable & Sendable & ItemIDConvertible>: PlainModel {
    var id: ID
    var title: String
  }

  private static func live<ID: Hashable & Codable & Sendable & ItemIDConvertible>(
    with id: ID, as text: String
  )
    async throws
  {
    let store = try await ItemStore.temporary()
    try await store.insert(Book(id: id, title: "A"))
    #expect(store.item(id)?.id == Item.ID(text))
    #expect(Item.ID(id) == Item.ID(text))
    #expect(try store.object(id, as: Book<ID>.self)?.id == id)
    let list = try store.list(of: Book<ID>.self)
    #expect(list.snapshot[id: id]?.title == "A")
    #expect(list.snapshot.place(of: id) == ListPlace(section: 0, item: 0))
    #expect(store.live(id, as: Book<ID>.self).value?.title == "A")
    #expect(try await store.update(id, as: Book<ID>.self) { $0.title = "B" }.object.title == "B")
    try await store.update(id, [.set("title", "C")])
    #expect(Link<Book<ID>>(id).id == Item.ID(text))
    var scope = store.makeEditScope()
    scope.update(id, [.set("title", "D")])
    #expect(scope.item(id)?.value(at: "title") == "D")
    try await store.delete(id)
    #expect(try store.count() == 0)
  }

  @Test func `each kind of id finds its item in every call`() async throws {
    try await ItemIDConvertibleTests.live(with: "50% off", as: "50% off")
    try await ItemIDConvertibleTests.live(with: Item.ID("a/b"), as: "a/b")
    try await ItemIDConvertibleTests.live(with: 42, as: "42")
    try await ItemIDConvertibleTests.live(with: UInt64.max, as: "18446744073709551615")
    let uuid = UUID()
    try await ItemIDConvertibleTests.live(with: uuid, as: uuid.uuidString.lowercased())
    try await ItemIDConvertibleTests.live(with: ISBN(rawValue: "978"), as: "978")
  }
}
