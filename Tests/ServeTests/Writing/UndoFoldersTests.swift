import HTTPTypes
import Serve
import Store
import TestSupport
import Testing

/// The folders that an addition creates, and its undo.
struct UndoFoldersTests {
  private static let json: HTTPFields = [.contentType: "application/json"]

  private static func add(_ served: ServedFolder, _ id: String) async throws -> Answer {
    let answer = try await served.send(.post, "/items", json, "{\"id\":\"\(id)\",\"value\":{\"a\":1}}")
    #expect(answer.status == 201)
    return answer
  }

  private static func undo(_ served: ServedFolder, _ change: Answer) async throws -> Answer {
    let answer = try await served.send(
      .post, "/undo", json, "{\"undo\":\"\(change.json["undo"]?.text ?? "")\"}")
    #expect(answer.status == 200)
    return answer
  }

  private static func folders(_ served: ServedFolder) throws -> String {
    try Shell.run("find . -mindepth 1 -type d | sort | tr '\\n' ' '", in: served.folder.path)
  }

  @Test func `an undo removes the folders that the addition created, and a redo creates them`() async throws {
    let served = try await ServedFolder(["friends/ada.yaml": "a: 1\n"])
    let added = try await Self.add(served, "friends/new/deep/x")
    #expect(try Self.folders(served) == "./friends ./friends/new ./friends/new/deep ")
    let undone = try await Self.undo(served, added)
    #expect(try Self.folders(served) == "./friends ")
    let again = try await Self.undo(served, undone)
    #expect(try Self.folders(served) == "./friends ./friends/new ./friends/new/deep ")
    _ = try await Self.undo(served, again)
    #expect(try Self.folders(served) == "./friends ")
  }

  @Test func `an undo keeps a folder with something in it, and those around it`() async throws {
    let served = try await ServedFolder(["ada.yaml": "a: 1\n"])
    let added = try await Self.add(served, "new/deep/x")
    try served.folder.write("mine", to: "new/note.txt")
    _ = try await Self.undo(served, added)
    #expect(try Self.folders(served) == "./new ")
    #expect(try served.text("new/note.txt") == "mine")
  }

  @Test func `an undo keeps folders that it did not create`() async throws {
    let served = try await ServedFolder(["ada.yaml": "a: 1\n"])
    _ = try Shell.run("mkdir old", in: served.folder.path)
    _ = try await Self.undo(served, try await Self.add(served, "old/x"))
    #expect(try Self.folders(served) == "./old ")
    // A folder of the same name that somebody else made later.
    let added = try await Self.add(served, "new/x")
    _ = try Shell.run("mkdir other; mv new/x.yaml other; mv new gone; mv other new", in: served.folder.path)
    _ = try await Self.undo(served, added)
    #expect(try Self.folders(served) == "./gone ./new ./old ")
  }

  @Test func `the last of several additions to a new folder removes it`() async throws {
    let served = try await ServedFolder(["ada.yaml": "a: 1\n"])
    let (first, second) = (try await Self.add(served, "new/x"), try await Self.add(served, "new/y"))
    _ = try await Self.undo(served, second)
    #expect(try Self.folders(served) == "./new ")
    _ = try await Self.undo(served, first)
    #expect(try Self.folders(served) == "")
  }

  @Test func `a deletion keeps the folder, and so does its undo`() async throws {
    let served = try await ServedFolder(["new/x.yaml": "a: 1\n"])
    let deleted = try await served.send(.delete, "/item?id=new%2Fx", [.ifMatch: "*"])
    #expect(deleted.status == 200)
    #expect(try Self.folders(served) == "./new ")
    _ = try await Self.undo(served, deleted)
    #expect(try served.text("new/x.yaml") == "a: 1\n")
  }
}
