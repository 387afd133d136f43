@testable import Models
import Query
@testable import Store
import TestSupport
import Testing
import Values

/// Inserting through a store obeys the settings, and can be an update.
@Suite(.timeLimit(.minutes(1)))
struct EditSessionNewItemsTests {
  @Test func `a new item gets the defaults and the usual format of its folder`() async throws {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": "defaults:\n  rating: 0\n  address: {country: UK}\n  posts/: {of: '@id'}\n",
      "posts/a.md": "x",
      "posts/b.md": "x", "posts/c.json": "{}",
    ])
    let store = try ItemStore(at: folder.path)
    try await store.insert(
      "posts/new", fields: ["title": "New", "address": ["city": "London"], "body": "Text.\n"])
    #expect(
      try folder.text(of: "posts/new.md")
        == "---\nrating: 0\naddress:\n  country: UK\n  city: London\nof: posts/new\ntitle: New\n---\nText.\n")
    try await store.insert("ada", fields: ["rating": 9], format: .json)
    #expect(
      try folder.text(of: "ada.json")
        == "{\n  \"rating\": 9,\n  \"address\": {\n    \"country\": \"UK\"\n  }\n}")
    var scope = store.makeEditScope()
    scope.insert("bob", fields: [:], format: nil, at: "bob.yml")
    scope.update("bob", [.set("rating", 5)])
    try await store.save(scope)
    #expect(try folder.text(of: "bob.yml") == "rating: 5\naddress:\n  country: UK\n")
    // A text is written as it is.
    scope = store.makeEditScope()
    scope.insert("eve", text: Array("n: 1\n".utf8), format: .yaml)
    try await store.save(scope)
    #expect(try folder.text(of: "eve.yaml") == "n: 1\n")
  }

  @Test func `id fields are filled from the id`() async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": "id-field: [team, number]\n"])
    let store = try ItemStore(at: folder.path)
    try await store.insert("red/7", fields: ["name": "Ada"])
    #expect(try folder.text(of: "red/7.yaml") == "team: red\nnumber: 7\nname: Ada\n")
    #expect(store.item("red/7") != nil)
    let error = await #expect(throws: EditError.self) {
      try await store.insert("red/8", fields: ["team": "blue", "number": 8])
    }
    #expect(error?.code == .invalidID)
    #expect(!folder.contains("red/8.yaml"))
  }

  @Test(arguments: MergePolicy.allCases)
  func `an insertion of an existing item is an update only if the object wins`(
    policy: MergePolicy
  ) async throws {
    let text = "# mine\nname: Bob # b\naddress: {city: Paris, zip: 1}\nold: 1\n"
    let folder = try TemporaryFolder([
      "bob.yml": text, ".notes-watch.yaml": "defaults: {rating: 0, name: Nobody}\n",
    ])
    let store = try ItemStore(at: folder.path)
    let fields: Fields = ["name": "Bobby", "address": ["city": "Rome"], "tags": ["x"]]
    if policy == .mergeByPropertyObjectTrump {
      #expect(
        try await store.insert("bob", fields: fields, policy: policy).result == .updated(isMerged: false))
      let merged = "# mine\nname: Bobby # b\naddress: {city: Rome, zip: 1}\nold: 1\ntags:\n  - x\n"
      #expect(try folder.text(of: "bob.yml") == merged)
      #expect(
        try await store.insert("bob", fields: fields, format: .json, policy: policy).result == .unchanged)
    } else {
      let error = await #expect(throws: EditError.self) {
        try await store.insert("bob", fields: fields, policy: policy)
      }
      #expect(error?.code == .exists)
      #expect(try folder.text(of: "bob.yml") == text)
    }
    #expect(try folder.files.count == 2)
    #expect(try await store.insert("eve", fields: [:], policy: policy).result == .inserted)
  }

  @Test func `an insertion of an existing item finds it by its id fields`() async throws {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": "id-field: uuid\n", "some.json": "{\"uuid\": \"u1\", \"n\": 1}",
    ])
    let store = try ItemStore(at: folder.path)
    try await store.insert("u1", fields: ["n": 2], policy: .mergeByPropertyObjectTrump)
    #expect(try folder.text(of: "some.json") == "{\"uuid\": \"u1\", \"n\": 2}")
    #expect(try folder.files.count == 2)
  }

  @Test func `simultaneous insertions of one item become one item with the fields of all`() async throws {
    let folder = try TemporaryFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let format: TextFormat = number.isMultiple(of: 2) ? .yaml : .json
          for round in 0..<5 {
            var scope = EditScope()
            scope.insert("all/\(round)", fields: ["k\(number)": 1], format: format)
            try ItemEditor(root: folder.path).save(scope, policy: .mergeByPropertyObjectTrump)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.files.count == 5)
    for round in 0..<5 { #expect(try ItemEditor(root: folder.path).read("all/\(round)").fields.count == 8) }
  }
}
