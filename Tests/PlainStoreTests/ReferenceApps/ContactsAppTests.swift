import DiffableSnapshot
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// Contacts in two titled sections, which stay when they are empty.
@Suite(.timeLimit(.minutes(1)))
struct ContactsAppTests {
  private struct Contact: PlainModel {
    var id: String
    var name: String
    var isFavorite: Bool
    static let defaults: Fields = ["isFavorite": false]
  }

  private static let sections = SectionDescriptor(
    "isFavorite", order: ["true", "false"], titles: ["true": "Favorites", "false": "Everybody"])

  private static func headings(_ list: ListSnapshot<Contact>) -> [String] {
    list.sections.map { "\($0.title ?? "?"): \($0.map(\.name).joined(separator: " "))" }
  }

  @Test func `both sections stay when they are empty, and a contact moves between them`() async throws {
    let folder = try TemporaryFolder([
      "ada.yaml": "name: Ada\nisFavorite: true\n", "bob.yaml": "name: Bob\nisFavorite: false\n",
    ])
    let store = try ItemStore(at: folder.path)
    let contacts = try store.list(of: Contact.self, sort: "name", section: Self.sections)
    #expect(Self.headings(contacts.snapshot) == ["Favorites: Ada", "Everybody: Bob"])
    var updates = contacts.updates.makeAsyncIterator()
    _ = await updates.next()

    try folder.write("name: Ada\nisFavorite: false\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    let moved = try #require(await updates.next())
    #expect(moved.description == "> ada true[0] → false[0], changed")
    #expect(moved.changes.map(\.from) == [ListPlace(section: 0, item: 0)])
    #expect(moved.changes.map(\.to) == [ListPlace(section: 1, item: 0)])
    #expect(moved.sectionChanges == [])
    #expect(Self.headings(moved.new) == ["Favorites: ", "Everybody: Ada Bob"])

    try folder.remove("ada.yaml")
    try folder.remove("bob.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml", "bob.yaml"]))
    let emptied = try #require(await updates.next())
    #expect(emptied.description == "- bob from false[1]\n- ada from false[0]")
    #expect(Self.headings(emptied.new) == ["Favorites: ", "Everybody: "])
    #expect(emptied.new.isEmpty)
    #expect(emptied.old[section: "false"]?.map(\.name) == ["Ada", "Bob"])
  }
}
