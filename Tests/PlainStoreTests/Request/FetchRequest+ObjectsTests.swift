import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// Contacts in sections and in an order that closures over them make.
@Suite(.timeLimit(.minutes(1)))
struct FetchRequestObjectsTests {
  private struct Contact: PlainModel {
    var id: String
    var name: String
    var group: String?
    var born: Date?
    var isFavorite: Bool
    static let defaults: Fields = ["isFavorite": false]
  }

  private static func contacts() throws -> (folder: TemporaryFolder, store: ItemStore) {
    let folder = try TemporaryFolder([
      "ada.yaml": "name: Ada\ngroup: friends\nborn: 1815-12-10\n",
      "bob.yaml": "name: Robert\ngroup: work\nisFavorite: true\n",
      "cleo.yaml": "name: Cleopatra\n",
    ])
    return (folder, try ItemStore(at: folder.path))
  }

  @Test func `a closure over the object makes sections, and a key path does`() throws {
    let (_, store) = try Self.contacts()
    let byLength = try store.list(
      of: Contact.self, sort: "name", sectionedBy: { $0.name.count > 5 ? "long" : "short" })
    #expect(byLength.snapshot.description == "3 items: long [cleo, bob], short [ada]")
    let byGroup = try store.list(of: Contact.self, sort: "name", sectionedBy: \.group)
    #expect(
      byGroup.snapshot.sections.map { "\($0.id) \($0.map(\.name))" } == [
        "friends [\"Ada\"]", "work [\"Robert\"]", " [\"Cleopatra\"]",
      ])
    let section = SectionDescriptor(
      of: Contact.self, by: { $0.isFavorite ? "yes" : "no" }, order: ["yes", "no", "maybe"],
      titles: ["yes": "Favorites"])
    let favorites = try store.list(of: Contact.self, section: section)
    #expect(favorites.snapshot.sections.map(\.title) == ["Favorites", nil, nil])
    #expect(favorites.snapshot.sections.map(\.count) == [1, 2, 0])
  }

  @Test func `a closure over the object makes an order, and the descriptors break its ties`() throws {
    let (_, store) = try Self.contacts()
    #expect(
      try store.list(of: Contact.self, sortedBy: \.name.count).snapshot.map(\.id) == ["ada", "bob", "cleo"])
    #expect(
      try store.list(of: Contact.self, sort: "-name", sortedBy: { $0.isFavorite }).snapshot.map(\.id) == [
        "cleo", "ada", "bob",
      ])
    #expect(
      try store.list(of: Contact.self, sort: "name", sortedBy: \.born).snapshot.map(\.id) == [
        "ada", "cleo", "bob",
      ])
    let unbornFirst = ItemSortDescriptor(of: Contact.self, by: \.born, descending: true, nullsFirst: true)
    #expect(
      try store.list(of: Contact.self, sort: unbornFirst, "name").snapshot.map(\.id) == [
        "cleo", "bob", "ada",
      ])
    let descending = ItemSortDescriptor(of: Contact.self, by: \.name.count, descending: true)
    #expect(try store.list(of: Contact.self, sort: descending).snapshot.map(\.id) == ["cleo", "bob", "ada"])
  }

  @Test func `an edit moves an object to another section that a closure names`() async throws {
    let (folder, store) = try Self.contacts()
    let contacts = try store.list(of: Contact.self, sort: "name", sectionedBy: { $0.isFavorite ? "a" : "b" })
    var updates = contacts.updates.makeAsyncIterator()
    _ = await updates.next()
    try folder.write("name: Ada\ngroup: friends\nisFavorite: true\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    #expect(await updates.next()?.description == "> ada b[0] → a[0], changed")
  }

  @Test func `requests and section descriptors print a line`() throws {
    #expect(FetchRequest().description == "all items")
    let request = FetchRequest(
      sort: ["-rating", "name"], section: SectionDescriptor("group", order: ["friends", "work"]),
      folder: "people/",
      predicate: ItemPredicate("rating > 3"), search: "a", searchFields: ["name"], fields: ["name"],
      limit: 5, offset: 2)
    #expect(
      request.description
        == "in people, where rating > 3, search \"a\", searching name, sorted by -rating, name, sections group (friends, work), showing name, 5 items, after 2"
    )
    #expect(
      SectionDescriptor("name", by: .firstLetter, descending: true).description == "-name by firstLetter")
    #expect(SectionDescriptor(by: { _ in "x" }).description == "function")
  }
}
