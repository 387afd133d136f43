import Foundation
import HTTPTypes
import Query
@testable import Store
import TestSupport
import Testing
import Values

@testable import Serve

/// A folder that is not there while clients ask for it.
@Suite(.timeLimit(.minutes(2))) struct MissingFolderTests {
  private static let files = ["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"]
  private static let targets = [
    "/items", "/item?id=a", "/item/source?id=a", "/fields", "/problems", "/plain", "/plain?id=a",
    "/item/log?id=a", "/diff",
  ]

  @Test(arguments: [true, false]) func `reads and changes are answered by 503 until the folder is back`(
    watching: Bool
  ) async throws {
    let served = try await ServedFolder(Self.files, watching: watching)
    try served.folder.rename(to: served.folder.path + ".away")
    for target in Self.targets {
      let answer = try await served.get(target)
      #expect(answer.status == 503, "\(target) \(answer.text)")
      #expect(answer.text.contains("There is no folder"), "\(target) \(answer.text)")
    }
    let added = try await served.send(
      .post, "/items", [.contentType: "application/json"], #"{"id":"c","value":{}}"#)
    #expect(added.status == 503)
    #expect(added.problem == "folder")
    #expect(try await served.send(.delete, "/item?id=a", [.ifMatch: "*"]).status == 503)
    #expect(try await served.get("/health").status == 200)
    #expect(!FileManager.default.fileExists(atPath: served.folder.path))
    try FileManager.default.moveItem(atPath: served.folder.path + ".away", toPath: served.folder.path)
    try served.folder.remove("a.yaml")
    #expect(try await served.get("/items").json["count"] == 1)
    #expect(try await served.get("/item?id=a").status == 404)
  }

  @Test func `windows keep their rows and say that the folder is missing`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let client = try await served.open(views: #"{"a":{"window":{"first":0,"count":10}}}"#)
    for type in ["stream", "hello", "window"] { #expect(await client.next().type == type) }
    try served.folder.rename(to: served.folder.path + ".away")
    let missing = await client.next().fields
    #expect(missing["missing"] as? Bool == true)
    #expect((missing["rows"] as? [[String: Any]])?.count == 2)
    #expect(missing["gone"] == nil)
    let problem = await client.next()
    #expect(problem.type == "problem")
    #expect(problem.fields["missing"] as? Bool == true)
    // A client that opens a view meanwhile gets the same.
    let other = try await served.open(views: #"{"a":{"window":{"first":0,"count":10}}}"#)
    for type in ["stream", "hello"] { #expect(await other.next().type == type) }
    let first = await other.next().fields
    #expect(first["missing"] as? Bool == true)
    #expect(first["count"] as? Int == 2)
    await other.close()
    try FileManager.default.moveItem(atPath: served.folder.path + ".away", toPath: served.folder.path)
    let back = await client.next().fields
    #expect(back["missing"] == nil)
    #expect(back["count"] as? Int == 2)
    #expect(await client.next().fields["state"] as? String == "cleared")
    await client.close()
  }
}
