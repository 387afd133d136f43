import Foundation
@testable import Models
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Query

/// `willSave` and `didSave` of models.
struct ModelHooksTests {
  private struct Note: PlainModel {
    var id: String
    var text: String
    var version = 0
    var isLong: Bool?
    static let defaults: Fields = ["version": 0]
    static let saved = Mutex<[String]>([])

    mutating func willSave() {
      version += 1
      isLong = text.count > 5 ? true : nil
    }

    func didSave() { Note.saved.withLock { $0.append("\(id) \(version)") } }

    func validate() throws {
      if version > 3 { throw TooMany() }
    }
  }

  private struct TooMany: Error {}

  private static func saved(_ prefix: String) -> [String] {
    Note.saved.withLock { $0.filter { $0.hasPrefix(prefix) } }
  }

  @Test func `a model is changed right before it is written, and told afterwards`() async throws {
    let folder = try TemporaryFolder()
    let store = try await ItemStore.open(folder.path, watching: false)
    try await store.insert(Note(id: "a", text: "One"))
    #expect(try folder.text(of: "a.yaml").contains("version: 1"))
    let updated = try await store.update("a", as: Note.self) { $0.text = "A long text" }
    #expect(updated.object == Note(id: "a", text: "A long text", version: 2, isLong: true))
    #expect(try store.object("a", as: Note.self) == updated.object)
    var edited = updated.object
    edited.text = "Short"
    let saved = try await store.save(edited, from: updated.object)
    #expect(saved.object == Note(id: "a", text: "Short", version: 3))
    #expect(try store.object("a", as: Note.self) == Note(id: "a", text: "Short", version: 3))
    #expect(ModelHooksTests.saved("a ") == ["a 1", "a 2", "a 3"])
  }

  @Test func `a save that changes nothing calls no hook`() async throws {
    let folder = try TemporaryFolder(["b.yaml": "text: B\nversion: 1\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    let note = try #require(try store.object("b", as: Note.self))
    #expect(try await store.save(note, from: note).result == .unchanged)
    #expect(try await store.replace(note).result == .unchanged)
    #expect(try await store.update("b", as: Note.self) { _ in }.result == .unchanged)
    #expect(try folder.text(of: "b.yaml") == "text: B\nversion: 1\n")
    #expect(ModelHooksTests.saved("b ").isEmpty)
  }

  @Test func `what the hook made is validated, and a failed save tells nobody`() async throws {
    let store = try await ItemStore.temporary(["c.yaml": "text: C\nversion: 3\n", "d.yaml": "text: D\n"])
    await #expect(throws: TooMany.self) { try await store.update("c", as: Note.self) { $0.text = "new" } }
    await #expect(throws: EditError.self) { try await store.insert(Note(id: "d", text: "new")) }
    #expect(ModelHooksTests.saved("c ").isEmpty)
    #expect(ModelHooksTests.saved("d ").isEmpty)
    var scope = store.makeEditScope()
    try scope.update("d", as: Note.self) { $0.text = "from a scope" }
    try await store.save(scope)
    #expect(ModelHooksTests.saved("d ") == ["d 1"])
  }

  @Test func `a hook cannot change the id`() async throws {
    struct Draft: PlainModel {
      var id: String
      var text: String
      mutating func willSave() { if id.isEmpty || id == "x" { id = "made" } }
    }
    let store = try await ItemStore.temporary()
    let saves: [(Draft) async throws -> Void] = [
      { try await store.replace($0) }, { try await store.insert($0) },
    ]
    for save in saves {
      let error = await #expect(throws: EditError.self) { try await save(Draft(id: "x", text: "T")) }
      #expect(error?.code == .invalidID)
    }
    #expect(try store.count() == 0)
  }
}
