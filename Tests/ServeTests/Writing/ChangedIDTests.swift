import HTTPTypes
import Serve
import TestSupport
import Testing
import Values

/// Changes of an item whose id is a field of its file.
struct ChangedIDTests {
  private static let patch: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
  private static let json: HTTPFields = [.contentType: "application/json"]

  private static func served() async throws -> ServedFolder {
    try await ServedFolder([
      ".notes-watch.yaml": "id-field: key\n", "a.yaml": "key: one\nn: 1\n", "b.yaml": "key: two\n",
    ])
  }

  @Test func `The answer to a change of the id has the new id and its tag`() async throws {
    let served = try await ChangedIDTests.served()
    let answer = try await served.send(.patch, "/item?id=one", ChangedIDTests.patch, #"{"key":"uno"}"#)
    #expect(answer.status == 200)
    #expect(answer.json["id"] == "uno")
    #expect(answer.tag == (try await served.tag("uno")))
    let next: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: answer.tag]
    #expect(try await served.send(.patch, "/item?id=uno", next, #"{"n":2}"#).status == 200)
    #expect(try await served.get("/item?id=one").status == 404)
  }

  @Test func `A new text with another id is answered with this id`() async throws {
    let served = try await ChangedIDTests.served()
    let fields: HTTPFields = [.contentType: "application/json", .ifMatch: "*"]
    let answer = try await served.send(.put, "/item/source?id=one", fields, #"{"source":"key: uno\n"}"#)
    #expect(answer.json["id"] == "uno")
    #expect(answer.tag == (try await served.tag("uno")))
  }

  @Test func `The undo of a change of the id has the old id and its tag`() async throws {
    let served = try await ChangedIDTests.served()
    let change = try await served.send(.patch, "/item?id=one", ChangedIDTests.patch, #"{"key":"uno"}"#)
    let body = "{\"undo\":\"\(change.json["undo"]?.text ?? "")\"}"
    let undo = try await served.send(.post, "/undo", ChangedIDTests.json, body)
    #expect(undo.status == 200)
    #expect(undo.json["items"]?.elements?.first?["id"] == "one")
    #expect(undo.tag == (try await served.tag("one")))
    #expect(try served.text("a.yaml") == "key: one\nn: 1\n")
  }

  @Test func `An id of another item is refused and nothing is written`() async throws {
    let served = try await ChangedIDTests.served()
    #expect(
      try await served.send(.patch, "/item?id=one", ChangedIDTests.patch, #"{"key":"two"}"#).status == 409)
    #expect(try served.text("a.yaml") == "key: one\nn: 1\n")
  }

  /// Undoes a change.
  private static func undo(_ served: ServedFolder, _ change: Answer) async throws -> Answer {
    try await served.send(.post, "/undo", json, "{\"undo\":\"\(change.json["undo"]?.text ?? "")\"}")
  }

  @Test func `Changes before and after a change of the id are undone in reverse order only`() async throws {
    let served = try await ChangedIDTests.served()
    let first = try await served.send(.patch, "/item?id=one", ChangedIDTests.patch, #"{"n":2}"#)
    let second = try await served.send(.patch, "/item?id=one", ChangedIDTests.patch, #"{"key":"uno"}"#)
    let early = try await ChangedIDTests.undo(served, first)
    #expect(early.status == 409)
    #expect(early.problem == "changed-since")
    #expect(try served.text("a.yaml") == "key: uno\nn: 2\n")
    let undone = try await ChangedIDTests.undo(served, second)
    #expect(undone.status == 200)
    #expect(try await ChangedIDTests.undo(served, first).status == 200)
    #expect(try served.text("a.yaml") == "key: one\nn: 1\n")
  }

  @Test func `An undo of a change of the id is refused if another item has the old id`() async throws {
    let served = try await ChangedIDTests.served()
    let change = try await served.send(.patch, "/item?id=one", ChangedIDTests.patch, #"{"key":"uno"}"#)
    try served.folder.write("key: one\n", to: "other.yaml")
    #expect(try await ChangedIDTests.undo(served, change).status == 409)
    #expect(try served.text("a.yaml") == "key: uno\nn: 1\n")
    #expect(try served.text("other.yaml") == "key: one\n")
    try served.folder.remove("other.yaml")
    #expect(try await ChangedIDTests.undo(served, change).status == 200)
    #expect(try served.text("a.yaml") == "key: one\nn: 1\n")
  }

  @Test func `An undo of a deletion is refused if another item has the id`() async throws {
    let served = try await ChangedIDTests.served()
    let deletion = try await served.send(.delete, "/item?id=one", [.ifMatch: "*"])
    try served.folder.write("key: one\n", to: "other.yaml")
    #expect(try await ChangedIDTests.undo(served, deletion).status == 409)
    #expect(try Shell.run("ls", in: served.folder.path) == "b.yaml\nother.yaml\n")
  }

  @Test func `An undo waits until the settings name the same field of ids again`() async throws {
    let served = try await ChangedIDTests.served()
    let change = try await served.send(.patch, "/item?id=one", ChangedIDTests.patch, #"{"n":2}"#)
    try served.folder.write("id-field: n\n", to: ".notes-watch.yaml")
    #expect(try await served.get("/item?id=2").status == 200)
    #expect(try await ChangedIDTests.undo(served, change).status == 409)
    #expect(try served.text("a.yaml") == "key: one\nn: 2\n")
    try served.folder.write("id-field: key\n", to: ".notes-watch.yaml")
    #expect(try await ChangedIDTests.undo(served, change).status == 200)
    #expect(try served.text("a.yaml") == "key: one\nn: 1\n")
  }
}
