import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Rewriting all files that have an older form of their type.
@Suite(.timeLimit(.minutes(1))) struct ItemStoreMigratingTests {
  private typealias Contact = ModelChangeTests.Contact

  private struct User: PlainModel {
    var id: String
    var email: String
    static let uniqueFields: [FieldPath] = ["email"]
    static let changes: [ModelChange] = [.renamed("mail", to: "email")]
    func validate() throws { throw NeverValid() }
    mutating func willSave() { email = "hook" }
  }

  private struct NeverValid: Error {}

  @Test func `all older files are rewritten as one update, and the report undoes it`() async throws {
    let files = [
      "ada.yaml": ModelChangeTests.old, "bob.yaml": "name: Bob\nstars: 1 # keep\n",
      "eve.json": "{\"mail\": \"e@x\", \"name\": \"Eve\", \"rating\":\"**\"}\n",
      "people/dan.md": "---\nmail: d@x # work\nname: Dan\n---\nrating: text\n",
    ]
    let folder = try TemporaryFolder(files)
    let store = try await ItemStore.open(folder.path, watching: false)
    let before = try store.fetch(of: Contact.self, sort: "name").map { $0 }
    var updates = try store.list().updates.makeAsyncIterator()
    _ = await updates.next()
    let report = try await store.migrate(Contact.self)
    #expect(report.description == "ada: updated, eve: updated, people/dan: updated")
    #expect(await updates.next()?.changes.count == 3)
    #expect(try folder.text(of: "ada.yaml") == ModelChangeTests.new)
    #expect(try folder.text(of: "bob.yaml") == files["bob.yaml"])
    #expect(
      try folder.text(of: "eve.json") == "{\"email\": \"e@x\", \"name\": \"Eve\", \"stars\":2}\n")
    #expect(
      try folder.text(of: "people/dan.md") == "---\nemail: d@x # work\nname: Dan\n---\nrating: text\n")
    #expect(try store.fetch(of: Contact.self, sort: "name").map { $0 } == before)
    #expect(try await store.migrate(Contact.self).outcomes.isEmpty)
    try await store.save(report.inverse)
    for (path, text) in files { #expect(try folder.text(of: path) == text) }
  }

  @Test func `files that do not decode stay as they are and are named`() async throws {
    let files = [
      "ada.yaml": "name: Ada\nmail: a@x\n", "bad.yaml": "name: Bad\nmail: b@x\nrating: '*?'\n",
      "other.yaml": "mail: c@x\n", "new.yaml": "email: [1]\n",
    ]
    let folder = try TemporaryFolder(files)
    let store = try await ItemStore.open(folder.path, watching: false)
    let report = try await store.migrate(Contact.self)
    #expect(report.outcomes.map(\.id) == ["ada", "bad", "other"])
    #expect(!report.isComplete)
    #expect(report.failures.map(\.code) == [.invalid, .invalid])
    #expect(
      report.failures.map(\.description) == [
        "bad.yaml:3:9: The item cannot be read as `Contact`: rating: This value cannot be converted: BadStars()",
        "other.yaml: The item cannot be read as `Contact`: The field `name` is missing.",
      ])
    #expect(try folder.text(of: "ada.yaml") == "name: Ada\nemail: a@x\n")
    for path in ["bad.yaml", "other.yaml", "new.yaml"] { #expect(try folder.text(of: path) == files[path]) }
    try await store.save(report.inverse)
    #expect(try folder.text(of: "ada.yaml") == files["ada.yaml"])
  }

  @Test func `only the files of the folder are rewritten, without hooks`() async throws {
    let folder = try TemporaryFolder(["users/a.yaml": "mail: a\n", "lists/a.yaml": "mail: a\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    #expect(try await store.migrate(User.self, in: "users/").outcomes.map(\.id) == ["users/a"])
    #expect(try folder.text(of: "users/a.yaml") == "email: a\n")
    #expect(try folder.text(of: "lists/a.yaml") == "mail: a\n")
    await #expect(throws: StoreError.self) { try await store.migrate(User.self, in: "") }
  }

  @Test func `the newest version is rewritten, if another program changed it`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\nmail: a\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    try folder.write("name: Ada\nmail: b # theirs\n", to: "ada.yaml")
    #expect(try await store.migrate(Contact.self).isComplete)
    #expect(try folder.text(of: "ada.yaml") == "name: Ada\nemail: b # theirs\n")
    try folder.write("name: Ada\nmail: c\n", to: "ada.yaml")
    await store.refresh()
    try folder.write("name: Ada\nemail: c\n", to: "ada.yaml")
    #expect(try await store.migrate(Contact.self).outcomes.isEmpty)
  }

  @Test func `a field that an edit cannot rename is named`() async throws {
    let folder = try TemporaryFolder(["a.md": "---\nemail: x\n---\nText\n"])
    struct Page: PlainModel {
      var id: String
      var text: String
      static let changes: [ModelChange] = [.renamed("body", to: "text")]
    }
    let store = try await ItemStore.open(folder.path, watching: false)
    let report = try await store.migrate(Page.self)
    #expect(report.failures.map(\.code) == [.refused])
    #expect(try folder.text(of: "a.md") == "---\nemail: x\n---\nText\n")
  }

  private struct Note: PlainModel {
    var id: String
    var name: String
    var email: String?
    var labels: [String]?
    static let changes: [ModelChange] = [.renamed("mail", to: "email"), .renamed("tags", to: "labels")]
  }

  @Test func `a field that a save does not change keeps the value of another program`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "mail: x\nemail: null\nname: n\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    let original = try #require(try store.object("a", as: Note.self))
    try folder.write("mail: x\nemail: c\nname: n\n", to: "a.yaml")
    await store.refresh()
    var note = original
    note.name = "m"
    try await store.save(note, from: original, policy: .mergeByPropertyObjectTrump)
    #expect(try folder.text(of: "a.yaml") == "mail: x\nemail: c\nname: m\n")
  }

  @Test func `an insertion over an older file changes only what differs`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "mail: x # work\nname: n\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    try await store.insert(Note(id: "a", name: "n", email: "x"), policy: .mergeByPropertyObjectTrump)
    #expect(try folder.text(of: "a.yaml") == "mail: x # work\nname: n\n")
    try await store.insert(Note(id: "a", name: "n", email: "z"), policy: .mergeByPropertyObjectTrump)
    let text = try folder.text(of: "a.yaml")
    #expect(text == "email: z # work\nname: n\n")
  }

  @Test func `an edit without a type does not hide the value of an older name`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "name: n\ntags: [a, b]\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    store.register(Note.self)
    let error = await #expect(throws: EditError.self) {
      try await store.update("a", [.append("c", to: "labels")])
    }
    #expect(error?.message.contains("the older name `tags` of `labels`") == true)
    try await store.update("a", [.append("c", to: "tags")])
    #expect(try store.object("a", as: Note.self)?.labels == ["a", "b", "c"])
  }

  private struct Misspelt: PlainModel {
    var id: String
    var name: String
    var email: String?
    static let changes: [ModelChange] = [.renamed("mail", to: "emial")]
  }

  @Test func `no save makes a change that leads to no field`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "mail: x\nname: n\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    let error = await #expect(throws: EditError.self) {
      try await store.update("a", as: Misspelt.self) { $0.name = "m" }
    }
    #expect(error?.message.contains("emial") == true)
    #expect(try folder.text(of: "a.yaml") == "mail: x\nname: n\n")
  }
}
