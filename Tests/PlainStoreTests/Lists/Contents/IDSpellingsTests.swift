@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

private struct Place: PlainModel {
  var id: String
  var city: String
}

private struct Town: PlainModel {
  var id: Item.ID
  var city: String
}

/// Ids that differ in their bytes, and are one string for Swift.
@Suite(.timeLimit(.minutes(1)))
struct IDSpellingsTests {
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  /// Makes the files one after the other: in a dictionary literal their names are one key.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(["\(composed).yaml": "city: Paris\n", "bar.yaml": "city: Nice\n"])
    try folder.write("city: Lyon\n", to: "\(decomposed).yaml")
    return folder
  }

  @Test func `two ids that Swift calls equal are a problem that names both`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let places = try store.list(of: Place.self, sort: "city").snapshot
    #expect(places.map(\.city) == ["Nice"])
    #expect(places.problems.count == 2)
    for problem in places.problems {
      #expect(problem.message.contains("`caf\\u{E9}`"))
      #expect(problem.message.contains("`cafe\\u{301}`"))
    }
    #expect(throws: Problem.self) { try store.fetch(of: Place.self) }
    #expect(try store.fetch(of: Town.self).count == 3)
    #expect(store.count == 3)
  }

  @Test func `a second spelling keeps the first one in the list until it is gone`() async throws {
    let store = try await ItemStore.temporary(["\(Self.composed).yaml": "city: Paris\n"])
    let places = try store.list(of: Place.self, sort: "city")
    try await store.insert(Item.ID(Self.decomposed), fields: ["city": "Lyon"])
    #expect(places.snapshot.map(\.city) == ["Paris"])
    #expect(places.snapshot.problems.count == 2)
    try await store.delete(Item.ID(Self.composed))
    #expect(places.snapshot.map(\.city) == ["Lyon"])
    #expect(places.snapshot.problems.isEmpty)
    try await store.insert(Item.ID(Self.composed), fields: ["city": "Nice"])
    try await store.rename(Item.ID(Self.decomposed), to: "bar")
    #expect(places.snapshot.map(\.city) == ["Lyon", "Nice"])
    #expect(places.snapshot.problems.isEmpty)
  }

  @Test func `a spelling outside of the list does not matter`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let places = try store.list(of: Place.self, where: "city = 'Paris'")
    #expect(places.snapshot.map(\.city) == ["Paris"])
    try await store.update(Item.ID(Self.decomposed), [.set("city", "Paris")])
    #expect(places.snapshot.problems.count == 2)
    try await store.update(Item.ID(Self.decomposed), [.set("city", "Rome")])
    #expect(places.snapshot.problems.isEmpty)
    #expect(places.snapshot.map(\.city) == ["Paris"])
  }
}
