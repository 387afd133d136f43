import Files
import Foundation
import Glibc
@testable import Models
@testable import Store
import Testing
import Values
import Watch

@testable import Folder
@testable import Query

private struct Todo: PlainModel {
  var id: String
  var rank: Int
}

struct PlainStoreErrorTests {
  /// Checks the parts of an error, and that its message is the sentence followed by the advice.
  private static func expect(
    _ error: any PlainStoreError, _ code: ErrorCode, at place: String?, _ sentence: String, advice: String?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error.code == code, sourceLocation: sourceLocation)
    #expect(error.place?.description == place, sourceLocation: sourceLocation)
    #expect(error.message == sentence + (advice.map { " \($0)" } ?? ""), sourceLocation: sourceLocation)
    #expect(error.advice == advice, sourceLocation: sourceLocation)
    #expect(error.localizedDescription == error.description, sourceLocation: sourceLocation)
  }

  @Test func `the error of an edit has advice`() {
    let error = EditError.ignored("draft", "draft.yaml")
    PlainStoreErrorTests.expect(
      error, .notFound, at: "draft.yaml:1:1", "The settings ignore this file, so it is not an item.",
      advice: "Remove its pattern from `ignore`.")
    #expect(error.description == "draft.yaml: \(error.message)")
  }

  @Test func `the error of an edit has the advice of its problem once`() {
    let problem = Problem(path: "a.yaml", line: 2, column: 3, message: "It is empty.", advice: "Fill it.")
    PlainStoreErrorTests.expect(
      EditError("a", "a.yaml", problem), .unreadable, at: "a.yaml:2:3", "It is empty.", advice: "Fill it.")
  }

  @Test func `the error of a conflict has all of its advice`() async throws {
    let store = try await ItemStore.temporary(["a.yaml": "rank: 1\n"], watching: false)
    let error = try await #require(throws: EditError.self) { try await store.save(Todo(id: "a", rank: 2)) }
    PlainStoreErrorTests.expect(
      error, .conflict, at: "a.yaml:1:1", "There is an item with other values (/rank).",
      advice: "Save a value that was read with `from:`, or overwrite the item with `replace`. "
        + "Read it again and decide, or choose a merge policy.")
  }

  @Test func `the error of a model has advice`() async throws {
    let store = try await ItemStore.temporary(watching: false)
    let error = try await #require(throws: EditError.self) {
      try await store.replace([Todo(id: "a", rank: 1), Todo(id: "a", rank: 2)])
    }
    PlainStoreErrorTests.expect(
      error, .invalid, at: nil, "Two of these objects have this id, and only one of them could be saved.",
      advice: "Leave one of them out.")
  }

  @Test func `the error of a store has advice`() throws {
    let error = try #require(throws: StoreError.self) { try RelativePath(below: "../ada.yaml") }
    PlainStoreErrorTests.expect(
      error, .malformed, at: nil, "`../ada.yaml` is not a path below the folder of the store.",
      advice: "Write a path such as `friends/ada.yaml`.")
  }

  @Test func `the errors of a folder have the advice of the watch once`() {
    let cause = WatchError.opening("notes", EACCES)
    let sentence = "The folder notes cannot be opened: permission denied."
    let advice = "Check its permissions and those of the folders above it."
    #expect(cause.description == "\(sentence) \(advice)")
    PlainStoreErrorTests.expect(StoreError(cause), .permissionDenied, at: nil, sentence, advice: advice)
    let problem = Problem(ofRoot: cause)
    #expect(problem.message == cause.description)
    #expect(problem.advice == advice)
    PlainStoreErrorTests.expect(
      StoreError(.opening("notes", ENOENT)), .notFound, at: nil, "There is no folder `notes`.", advice: nil)
  }

  @Test func `the error of a store has the advice of its settings once`() async throws {
    let settings = "ignore: [\(String(repeating: "a,", count: 200_000))]\n"
    let store = try await ItemStore.temporary(watching: false)
    try Data(settings.utf8).write(to: URL(fileURLWithPath: "\(store.location)/.notes-watch.yaml"))
    let error = try #require(throws: StoreError.self) { try ItemStore(at: store.location, watching: false) }
    #expect(error.code == .badSettings)
    #expect(error.advice == "Shorten them: a pattern such as `drafts/` matches many paths.")
    #expect(error.message.hasSuffix("are allowed. \(error.advice ?? "")"))
    #expect(error.localizedDescription == error.message)
  }

  @Test func `a problem has advice`() async throws {
    let store = try await ItemStore.temporary(["a.json": "{}", "a.yaml": "rank: 1\n"], watching: false)
    let problem = try #require(store.problems.first)
    PlainStoreErrorTests.expect(
      problem, .unreadable, at: "a.yaml:1:1", "The id a belongs to a.json, whose path comes first.",
      advice: "Give one of the two files another name or id.")
    #expect(problem.description == "a.yaml:1:1: \(problem.message)")
  }

  @Test func `a problem without an instruction has no advice`() async throws {
    let store = try await ItemStore.temporary(["a.yaml": "rank: high\n"], watching: false)
    let problem = try #require(throws: Problem.self) { try store.object("a", as: Todo.self) }
    PlainStoreErrorTests.expect(
      problem, .unreadable, at: "a.yaml:1:7",
      "rank: Expected an integer from \(Int.min) to \(Int.max), found a string `high`.", advice: nil)
  }

  @Test func `the error of a save has the advice of its first error`() async throws {
    let store = try await ItemStore.temporary(["a.yaml": "rank: 1\n"], watching: false)
    var scope = store.makeEditScope()
    scope.insert("a", fields: ["rank": 2])
    var error = try await #require(throws: SaveError.self) { try await store.save(scope) }
    PlainStoreErrorTests.expect(
      error, .exists, at: "a.yaml:1:1", "a.yaml: There is already an item with this id.",
      advice: "Set its fields, or choose another id.")
    scope.insert("b", fields: ["rank": 2])
    error = try await #require(throws: SaveError.self) { try await store.save(scope) }
    PlainStoreErrorTests.expect(
      error, .exists, at: "a.yaml:1:1",
      "1 of 2 changes was not saved. a.yaml: There is already an item with this id.",
      advice: "Set its fields, or choose another id.")
  }

  @Test func `the error of a predicate has a column`() throws {
    let error = try #require(throws: ItemPredicateError.self) {
      try ItemPredicate("rating + 1 > 3" as String)
    }
    PlainStoreErrorTests.expect(
      error, .malformed, at: "1:8",
      "expected a comparison such as =, AND, OR or the end, but found `+` here; there is no arithmetic",
      advice: nil)
    #expect(error.description == "rating + 1 > 3\n       ^ column 8: \(error.message)")
  }
}
