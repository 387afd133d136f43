import HTTPTypes
import Serve
import TestSupport
import Testing
import Values

struct SaveViewTests {
  private static let settings = "views:\n  best: {sort: [-n], query: x}  # keep\n"

  private static func served() async throws -> ServedFolder {
    try await ServedFolder([".notes-watch.yaml": settings, "a.yaml": "n: 1\n"])
  }

  private static func put(
    _ served: ServedFolder, _ target: String, _ body: String, match: String? = nil
  ) async throws -> Answer {
    let tag = try await served.get("/fields").json["settings"]?.text ?? ""
    return try await served.send(
      .put, target, [.contentType: "application/json", .ifMatch: match ?? tag], body)
  }

  @Test func `A view is based on the named one, without what is typed in a search`() async throws {
    let served = try await SaveViewTests.served()
    let body = #"{"view":"best","search":"typed","fields":["n"],"widths":{"n":9}}"#
    let answer = try await SaveViewTests.put(served, "/view?name=wide", body)
    #expect(answer.status == 200)
    #expect(answer.json["name"] == "wide")
    #expect(answer.json["view"]?["fields"] == ["n"])
    let text = try served.text(".notes-watch.yaml")
    #expect(text.hasPrefix(SaveViewTests.settings))
    #expect(answer.json["view"]?["query"] == "x")
    let fields = try await served.get("/fields").json
    #expect(fields["settings"] == answer.json["settings"])
    #expect(fields["views"]?.elements?.map { $0["name"] } == ["best", "wide"])
    #expect(fields["views"]?.elements?.last?["view"] == answer.json["view"])
    let undo = "{\"undo\":\"\(answer.json["undo"]?.text ?? "")\"}"
    let undone = try await served.send(.post, "/undo", [.contentType: "application/json"], undo)
    #expect(undone.json["undone"] == "view wide")
    #expect(undone.json["items"] == [])
    #expect(try served.text(".notes-watch.yaml") == SaveViewTests.settings)
  }

  @Test func `Other settings than the client saw are not changed`() async throws {
    let served = try await SaveViewTests.served()
    let answer = try await SaveViewTests.put(served, "/view?name=b", "{}", match: "\"other\"")
    #expect(answer.status == 412)
    #expect(answer.problem == "changed-since")
    #expect(try served.text(".notes-watch.yaml") == SaveViewTests.settings)
  }

  @Test(arguments: [
    ("/view?name=b", "[]", 400), ("/view?name=b", #"{"sorts":1}"#, 400), ("/view?name=", "{}", 422),
    ("/view", "{}", 400), ("/view?name=b&x=1", "{}", 400), ("/view?name=b", #"{"view":"none"}"#, 404),
    ("/view?name=b", #"{"widths":{"n":0}}"#, 400), ("/view?name=b%0Ac", "{}", 422),
  ])
  func `A wrong request changes nothing`(target: String, body: String, status: Int) async throws {
    let served = try await SaveViewTests.served()
    #expect(try await SaveViewTests.put(served, target, body).status == status)
    #expect(try served.text(".notes-watch.yaml") == SaveViewTests.settings)
  }

  @Test func `The version is needed`() async throws {
    let served = try await SaveViewTests.served()
    let answer = try await served.send(.put, "/view?name=b", [.contentType: "application/json"], "{}")
    #expect(answer.status == 428)
  }
}
