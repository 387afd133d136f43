import HTTPTypes
import Serve
import Store
import TestSupport
import Testing
import Values

struct WriteItemTests {
  private static let json: HTTPFields = [.contentType: "application/json"]
  private static let absent: HTTPFields = [.contentType: "application/json", .ifNoneMatch: "*"]

  @Test func `A new item has a location, a tag and an undo`() async throws {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n"])
    let answer = try await served.send(
      .post, "/items", WriteItemTests.json, #"{"id":"50% off/bob","value":{"name":"Bob"}}"#)
    #expect(answer.status == 201)
    #expect(answer.fields[.location] == "/item?id=50%2525%20off%2Fbob")
    #expect(try served.text("50% off/bob.yaml") == "name: Bob\n")
    let found = try await served.get(try #require(answer.fields[.location]))
    #expect(found.tag == answer.tag)
    #expect(found.json["value"] == ["name": "Bob"])
    let undo = try await served.send(
      .post, "/undo", WriteItemTests.json, "{\"undo\":\"\(answer.json["undo"]?.text ?? "")\"}")
    #expect(undo.status == 200)
    #expect(undo.json["items"] == [])
    #expect(throws: (any Error).self) { try served.text("50% off/bob.yaml") }
  }

  @Test func `An id that is there already is a conflict`() async throws {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n"])
    #expect(
      try await served.send(.post, "/items", WriteItemTests.json, #"{"id":"ada","value":{}}"#).status == 409)
    let answer = try await served.send(.put, "/item?id=ada", WriteItemTests.absent, "{}")
    #expect(answer.status == 412)
    #expect(answer.problem == "exists")
    #expect(try served.text("ada.yaml") == "name: Ada\n")
    #expect(try await served.send(.put, "/item?id=bob", WriteItemTests.absent, #"{"a":1}"#).status == 201)
    #expect(try served.text("bob.yaml") == "a: 1\n")
  }

  @Test(arguments: [
    "../x", "..%2fx", "/x", "a//b", "a/../../x", ".hidden", "a/.git/b", "%00", "a\u{0}b", "..", ".", "a/",
    String(repeating: "x", count: 5_000),
    "%2e%2e/x",
  ])
  func `An id that leads elsewhere creates nothing`(id: String) async throws {
    let served = try await ServedFolder(["in/ada.yaml": "name: Ada\n"])
    let body = JSONWriter.text(of: ["id": .string(id), "value": ["a": 1]])
    let answer = try await served.send(.post, "/items", WriteItemTests.json, body)
    #expect([400, 403, 409, 422, 500].contains(answer.status))
    #expect(answer.status != 500)
    #expect(
      try Shell.run("find . -type f; ls ..| grep -c '^x.yaml$' || true", in: served.folder.path)
        == "./in/ada.yaml\n0\n")
  }

  @Test func `The text of a file is replaced if it reads as an item`() async throws {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n"])
    let fields: HTTPFields = [.contentType: "application/json", .ifMatch: try await served.tag("ada")]
    let bad = try await served.send(.put, "/item/source?id=ada", fields, #"{"source":"a: 1\nb: [\n"}"#)
    #expect(bad.status == 422)
    #expect(bad.json["line"] == 2)
    #expect(bad.json["column"] == 4)
    #expect(try served.text("ada.yaml") == "name: Ada\n")
    let good = try await served.send(.put, "/item/source?id=ada", fields, ##"{"source":"# é\nname: 'Eve'"}"##)
    #expect(good.status == 200)
    #expect(good.json["value"] == ["name": "Eve"])
    #expect(try served.text("ada.yaml") == "# é\nname: 'Eve'")
    #expect(try await served.send(.put, "/item/source?id=ada", fields, "{}").status == 400)
    #expect(try await served.send(.put, "/item/source?id=ada", fields, #"{"source":"","x":1}"#).status == 400)
  }

  @Test func `A file that cannot be read as an item is repaired by its text`() async throws {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n"], watching: true)
    try served.folder.write("name: [\n", to: "ada.yaml")
    let tag = try await served.tag("ada")
    let patch: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: tag]
    let answer = try await served.send(.patch, "/item?id=ada", patch, #"{"name":1}"#)
    #expect(answer.status == 409)
    #expect(answer.json["line"] == 1)
    let fields: HTTPFields = [.contentType: "application/json", .ifMatch: tag]
    #expect(
      try await served.send(.put, "/item/source?id=ada", fields, #"{"source":"name: Eve\n"}"#).status == 200)
    #expect(try served.text("ada.yaml") == "name: Eve\n")
  }

  @Test func `A deletion is undone with the bytes and the mode of the file`() async throws {
    let served = try await ServedFolder(["ada.yaml": "name:   Ada # x\n"])
    _ = try Shell.run("chmod 640 ada.yaml", in: served.folder.path)
    let answer = try await served.send(.delete, "/item?id=ada", [.ifMatch: try await served.tag("ada")])
    #expect(answer.status == 200)
    #expect(answer.json["undoes"] == "deletion of ada")
    #expect(try await served.get("/item?id=ada").status == 404)
    let undo = try await served.send(
      .post, "/undo", WriteItemTests.json, "{\"undo\":\"\(answer.json["undo"]?.text ?? "")\"}")
    #expect(undo.status == 200)
    #expect(undo.json["items"]?.elements?.first?["id"] == "ada")
    #expect(try served.text("ada.yaml") == "name:   Ada # x\n")
    #expect(try Shell.run("stat -c %a ada.yaml", in: served.folder.path) == "640\n")
    let redo = try await served.send(
      .post, "/undo", WriteItemTests.json, "{\"undo\":\"\(undo.json["undo"]?.text ?? "")\"}")
    #expect(redo.status == 200)
    #expect(redo.json["undoes"] == "deletion of ada")
    #expect(try await served.get("/item?id=ada").status == 404)
  }

  @Test func `An undo of a file that changed since is refused with the difference`() async throws {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\nrating: 1\n"])
    let patch: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
    let change = try await served.send(.patch, "/item?id=ada", patch, #"{"rating":2}"#)
    let body = "{\"undo\":\"\(change.json["undo"]?.text ?? "")\"}"
    try served.folder.write("name: Eve\nrating: 2\n", to: "ada.yaml")
    let answer = try await served.send(.post, "/undo", WriteItemTests.json, body)
    #expect(answer.status == 409)
    #expect(answer.problem == "changed-since")
    #expect(answer.json["difference"]?.text.contains("-name: Ada\n+name: Eve\n") == true)
    #expect(try served.text("ada.yaml") == "name: Eve\nrating: 2\n")
    try served.folder.write("name: Ada\nrating: 2\n", to: "ada.yaml")
    #expect(try await served.send(.post, "/undo", WriteItemTests.json, body).status == 200)
    #expect(try served.text("ada.yaml") == "name: Ada\nrating: 1\n")
    #expect(try await served.send(.post, "/undo", WriteItemTests.json, body).status == 404)
  }

  @Test func `The oldest undo is forgotten`() async throws {
    var options = WebOptions()
    options.maxUndos = 5
    let served = try await ServedFolder(["ada.yaml": "rating: 0\n"], options: options)
    let patch: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
    var tokens: [String] = []
    for rating in 1...6 {
      let answer = try await served.send(.patch, "/item?id=ada", patch, "{\"rating\":\(rating)}")
      tokens.append(answer.json["undo"]?.text ?? "")
    }
    #expect(Set(tokens).count == 6)
    #expect(
      try await served.send(.post, "/undo", WriteItemTests.json, "{\"undo\":\"\(tokens[0])\"}").status == 404)
    #expect(
      try await served.send(.post, "/undo", WriteItemTests.json, "{\"undo\":\"\(tokens[5])\"}").status == 200)
  }

  @Test func `An undo that is refused again and again makes the server forget no other`() async throws {
    var options = WebOptions()
    options.maxUndos = 3
    let served = try await ServedFolder(["ada.yaml": "n: 0\n", "bob.yaml": "n: 0\n"], options: options)
    let patch: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
    let other = try await served.send(.patch, "/item?id=bob", patch, #"{"n":1}"#).json["undo"]?.text ?? ""
    let late = try await served.send(.patch, "/item?id=ada", patch, #"{"n":1}"#).json["undo"]?.text ?? ""
    try served.folder.write("n: 2\n", to: "ada.yaml")
    for _ in 0..<6 {
      #expect(
        try await served.send(.post, "/undo", WriteItemTests.json, "{\"undo\":\"\(late)\"}").status == 409)
    }
    #expect(
      try await served.send(.post, "/undo", WriteItemTests.json, "{\"undo\":\"\(other)\"}").status == 200)
    #expect(try served.text("bob.yaml") == "n: 0\n")
  }

  @Test func `A list element keeps its bytes when another one is added`() async throws {
    let served = try await ServedFolder(["ada.yaml": "steps:\n- 1.50 # first\n- .nan\n- 2024-01-01\n"])
    let patch: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
    let answer = try await served.send(
      .patch, "/item?id=ada", patch, #"{"steps":[1.5,".nan","2024-01-01",4]}"#)
    #expect(answer.status == 200)
    #expect(try served.text("ada.yaml") == "steps:\n- 1.50 # first\n- .nan\n- 2024-01-01\n- 4\n")
  }
}
