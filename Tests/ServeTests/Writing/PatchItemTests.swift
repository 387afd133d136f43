import HTTPTypes
import TestSupport
import Testing
import Values

struct PatchItemTests {
  private static let text =
    "# people\nname: Ada  # mine\nrating: 9.50\nbig: 12345678901234567890\ntags: [a, b]\nhome: {city: Paris}\n"
  private static let merge: HTTPFields = [.contentType: "application/merge-patch+json"]

  private func served() async throws -> ServedFolder {
    try await ServedFolder(["ada.yaml": PatchItemTests.text])
  }

  private func patch(_ served: ServedFolder, _ body: String, _ fields: HTTPFields = PatchItemTests.merge)
    async throws -> Answer
  {
    var fields = fields
    if fields[.ifMatch] == nil { fields[.ifMatch] = try await served.tag("ada") }
    return try await served.send(.patch, "/item?id=ada", fields, body)
  }

  @Test func `A merge patch changes only the bytes of its values`() async throws {
    let served = try await served()
    let answer = try await patch(served, #"{"rating":9,"home":{"zip":1},"tags":null}"#)
    #expect(answer.status == 200)
    #expect(answer.json["value"]?["rating"] == 9)
    #expect(answer.json["undoes"] == "change of ada")
    #expect(answer.json["undo"] != nil)
    let tag = try await served.tag("ada")
    #expect(answer.tag == tag)
    #expect(
      try served.text("ada.yaml")
        == "# people\nname: Ada  # mine\nrating: 9\nbig: 12345678901234567890\nhome: {city: Paris, zip: 1}\n")
  }

  @Test(arguments: [
    #"{"rating":9.5}"#, #"{"rating":95e-1}"#, #"{"name":"Ada","tags":["a","b"],"home":{}}"#,
    #"{"missing":null}"#, "{}",
  ])
  func `A patch to the values that are there changes no byte`(body: String) async throws {
    let served = try await served()
    let answer = try await patch(served, body)
    #expect(answer.status == 200)
    #expect(answer.json["undo"] == nil)
    #expect(try served.text("ada.yaml") == PatchItemTests.text)
  }

  @Test func `All fields keep the digits that a program of doubles prints`() async throws {
    let served = try await served()
    let body =
      #"{"name":"Eve","rating":9.5,"big":12345678901234567000,"tags":["a","b","c"],"home":{"city":"Paris"}}"#
    let answer = try await served.send(
      .put, "/item?id=ada", [.contentType: "application/json", .ifMatch: try await served.tag("ada")], body)
    #expect(answer.status == 200)
    #expect(
      try served.text("ada.yaml")
        == "# people\nname: Eve  # mine\nrating: 9.50\nbig: 12345678901234567890\ntags: [a, b, c]\nhome: {city: Paris}\n"
    )
  }

  @Test(arguments: [
    "{\"a\":1,\"a\":2}", "{\"a\":", "", "{\"a\":01}", "\u{1}", "{\"a\":\"\\ud800\"}",
    String(repeating: "[", count: 100_000),
  ])
  func `A body that is not JSON names its line and column`(body: String) async throws {
    let served = try await served()
    let answer = try await patch(served, body)
    #expect(answer.status == 400)
    #expect(answer.problem == "malformed-json")
    #expect(answer.json["line"] == 1)
    #expect(answer.json["column"] != nil)
    #expect(try served.text("ada.yaml") == PatchItemTests.text)
  }

  @Test func `A body of another type is refused with the types that are accepted`() async throws {
    let served = try await served()
    let answer = try await patch(served, "{}", [.contentType: "text/plain"])
    #expect(answer.status == 415)
    #expect(
      answer.fields[values: try #require(HTTPField.Name("Accept-Patch"))] == ["application/merge-patch+json"])
    #expect(try await patch(served, "{}", [.contentType: "application/json"]).status == 415)
    #expect(
      try await patch(served, "{}", [.contentType: "application/merge-patch+json; charset=latin1"]).status
        == 415)
    #expect(
      try await patch(served, "{}", [.contentType: "Application/Merge-Patch+JSON; charset=UTF-8"]).status
        == 200)
  }

  @Test func `A JSON Patch is refused with the name of the type that is accepted`() async throws {
    let served = try await served()
    let body = #"[{"op":"remove","path":"/name"}]"#
    let answer = try await patch(served, body, [.contentType: "application/json-patch+json"])
    #expect(answer.status == 415)
    #expect(
      answer.fields[values: try #require(HTTPField.Name("Accept-Patch"))] == ["application/merge-patch+json"])
    #expect(
      answer.json["detail"]
        == "The body must be application/merge-patch+json in UTF-8, found `application/json-patch+json`. Set Content-Type."
    )
    #expect(try served.text("ada.yaml") == PatchItemTests.text)
  }

  @Test(arguments: [
    ("[]", "wrong-type"), ("1", "wrong-type"), (#"{"@size":1}"#, "refused"), (#"{"body":1}"#, ""),
  ])
  func `A value that the item cannot have is refused`(body: String, problem: String) async throws {
    let served = try await served()
    let answer = try await patch(served, body)
    #expect(answer.status == (problem.isEmpty ? 200 : 422))
    #expect(answer.problem == problem)
  }

  @Test func `A body over the limit is too large`() async throws {
    let served = try await served()
    let size = 16 << 20
    let answer = try await patch(served, "{\"a\":\"" + String(repeating: "x", count: size - 7) + "\"}")
    #expect(answer.status == 413)
    #expect(try served.text("ada.yaml") == PatchItemTests.text)
  }
}
