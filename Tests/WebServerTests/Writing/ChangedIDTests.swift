import HTTPTypes
import PlainText
import TestSupport
import Testing
import WebServer

/// Changes of an item whose id is a field of its file.
struct ChangedIDTests {
  private static let patch: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
  private static let json: HTTPFields = [.contentType: "application/json"]

  private static func served() async throws -> ServedFolder {
    try await ServedFolder([".notes-watch.yaml": "id-field: key\n", "a.yaml": "key: one\nn: 1\n", "b.yaml": "key: two\n"])
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
    #expect(try await served.send(.patch, "/item?id=one", ChangedIDTests.patch, #"{"key":"two"}"#).status == 409)
    #expect(try served.text("a.yaml") == "key: one\nn: 1\n")
  }
}
