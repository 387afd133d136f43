import HTTPTypes
import Serve
import Store
import TestSupport
import Testing
import Values

/// Deleting the version of an item that a row shows.
@Suite(.timeLimit(.minutes(2))) struct DeleteShownTests {
  /// Opens a window on all items, and returns the stream and the revisions of its rows.
  private static func open(_ served: ServedFolder, _ view: String = "{}") async throws -> (
    StreamClient, [String: String]
  ) {
    let window = view == "{}" ? #""window":{"first":0,"count":9}"# : #","window":{"first":0,"count":9}"#
    let client = try await served.open(views: "{\"a\":\(view.dropLast())\(window)}}")
    _ = await client.next()
    #expect(await client.next().type == "hello")
    return (client, revisions(of: await client.next()))
  }

  private static func revisions(of line: StreamClient.Event) -> [String: String] {
    let rows = line.fields["rows"] as? [[String: Any]] ?? []
    return Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in
        (row["revision"] as? String).map { (row["id"] as? String ?? "", $0) }
      })
  }

  private static func delete(_ served: ServedFolder, _ id: String, _ revision: String) async throws -> Answer
  {
    try await served.send(.delete, "/item?id=\(id)&revision=\(revision)")
  }

  @Test func `a row that is as the file is deleted, and the deletion can be undone`() async throws {
    let served = try await ServedFolder(["ada.yaml": "rating: 1\n", "bob.yaml": "rating: 1\n"])
    let (client, shown) = try await Self.open(served)
    let revision = try #require(shown["ada"])
    #expect(try await served.get("/item?id=ada").json["revision"]?.text == revision)
    // A comment is nothing that the row shows.
    try served.folder.write("# new\nrating:   1\n", to: "ada.yaml")
    let answer = try await Self.delete(served, "ada", revision)
    #expect(answer.status == 200)
    #expect(answer.json["undoes"] == "deletion of ada")
    #expect(try await served.get("/item?id=ada").status == 404)
    let undo = "{\"undo\":\"\(answer.json["undo"]?.text ?? "")\"}"
    #expect(try await served.send(.post, "/undo", [.contentType: "application/json"], undo).status == 200)
    #expect(try served.text("ada.yaml") == "# new\nrating:   1\n")
    await client.close()
  }

  @Test(arguments: ["rating: 2\n", "rating: 1\nhidden: 1\n", "rating: [\n", "rating: 1.0\n", ""])
  func `a row that the file does not have any more deletes nothing`(text: String) async throws {
    let served = try await ServedFolder(["ada.yaml": "rating: 1\n"])
    let (client, shown) = try await Self.open(served, #"{"fields":["rating"]}"#)
    let revision = try #require(shown["ada"])
    try served.folder.write(text, to: "ada.yaml")
    let answer = try await Self.delete(served, "ada", revision)
    #expect(answer.status == 412)
    #expect(answer.problem == "stale")
    #expect(answer.tag == (try await served.tag("ada")))
    #expect(try served.text("ada.yaml") == text)
    await client.close()
  }

  @Test func `a revision belongs to one item and one condition more can be given`() async throws {
    let served = try await ServedFolder(["ada.yaml": "rating: 1\n", "bob.yaml": "rating: 1\n"])
    let (client, shown) = try await Self.open(served)
    let (ada, bob) = (try #require(shown["ada"]), try #require(shown["bob"]))
    #expect(ada != bob)
    for wrong in [bob, "", "0", "%2F..", String(repeating: "9", count: 5_000)] {
      #expect(try await Self.delete(served, "ada", wrong).status == 412)
    }
    #expect(try await served.send(.delete, "/item?id=ada&revision=\(ada)&revision=\(ada)").status == 400)
    #expect(try await served.send(.delete, "/item?id=ada&revision=\(ada)&x=1").status == 400)
    #expect(
      try await served.send(.delete, "/item?id=ada&revision=\(ada)", [.ifMatch: "\"other\""]).status == 412)
    #expect(try served.text("ada.yaml") == "rating: 1\n")
    #expect(try await Self.delete(served, "ada", ada).status == 200)
    #expect(try await Self.delete(served, "ada", ada).status == 404)
    await client.close()
  }

  @Test func `a row has its revision again only if it is another one`() async throws {
    let served = try await ServedFolder(
      ["ada.yaml": "rating: 1\nhidden: 1\n", "bob.yaml": "rating: 1\n"], watching: true)
    let (client, shown) = try await Self.open(served, #"{"fields":["rating"]}"#)
    #expect(Set(shown.keys) == ["ada", "bob"])
    try served.folder.write("rating: 1\nhidden: 2\n", to: "ada.yaml")
    #expect(try await served.get("/item?id=ada").status == 200)
    try served.folder.write("rating: 5\n", to: "bob.yaml")
    let line = await client.next()
    let next = Self.revisions(of: line)
    #expect(next["bob"] != shown["bob"])
    #expect(next["ada"] != shown["ada"])
    let rows = line.fields["rows"] as? [[String: Any]] ?? []
    #expect(rows.first { $0["id"] as? String == "ada" }?["value"] == nil)
    #expect(try await Self.delete(served, "ada", shown["ada"] ?? "").status == 412)
    #expect(try await Self.delete(served, "ada", next["ada"] ?? "").status == 200)
    await client.close()
  }

  @Test func `a condition that the item is missing deletes nothing`() async throws {
    let served = try await ServedFolder(["ada.yaml": "rating: 1\n"])
    let revision = try await served.get("/item?id=ada").json["revision"]?.text ?? ""
    let answer = try await served.send(.delete, "/item?id=ada&revision=\(revision)", [.ifNoneMatch: "*"])
    #expect(answer.status == 400)
    #expect(try served.text("ada.yaml") == "rating: 1\n")
  }
}
