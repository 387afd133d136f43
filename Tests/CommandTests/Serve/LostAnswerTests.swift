import Foundation
import TestSupport
import Testing
import Values

/// Changes whose client is gone before it gets the answer.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Machine.has("curl"), "needs curl"))
struct LostAnswerTests {
  /// Returns the ids of the list.
  private static func ids(_ server: RunningWebServer) throws -> [String] {
    let list = try PackedValue(
      reading: Array(server.curl("-H 'Authorization: Bearer TOKEN' ORIGIN/items").utf8), as: .json
    ).value
    return (list["sections"]?.elements ?? []).flatMap { $0["items"]?.elements ?? [] }.compactMap {
      $0["id"]?.text
    }.sorted()
  }

  /// Connections that end in each way right after a deletion was sent.
  private enum End: CaseIterable {
    case close, reset, closeWriting
  }

  @Test func `a deletion without its answer is made or not, and earlier undos stay`() async throws {
    let names = (0..<30).map { "n\($0)" }
    let files = Dictionary(
      uniqueKeysWithValues: (names + ["kept"]).map { ("notes/\($0).yaml", "name: \($0)\n") })
    let server = try await RunningWebServer(files: files)
    let fields =
      "-H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/merge-patch+json' -H 'If-Match: *'"
    let change = try server.curl("\(fields) -X PATCH -d '{\"name\":\"changed\"}' 'ORIGIN/item?id=kept'")
    let undo = try #require(PackedValue(reading: Array(change.utf8), as: .json).value["undo"]?.text)
    var clients: [WebClient] = []
    for (number, name) in names.enumerated() {
      let client = try WebClient(port: server.port)
      client.send(
        "DELETE /item?id=\(name) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nAuthorization: Bearer \(try server.token())\r\nIf-Match: *\r\n\r\n"
      )
      switch End.allCases[number % End.allCases.count] {
      case .close: client.close()
      case .reset: client.reset()
      case .closeWriting: client.closeWriting()
      }
      clients.append(client)
    }
    // This request waits for those before it that have arrived.
    let left = try Self.ids(server)
    #expect(left.contains("kept"))
    let body =
      "-H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d '{\"undo\":\"\(undo)\"}'"
    #expect(try server.status("\(body) ORIGIN/undo") == 200)
    #expect(try server.folder.bytes(of: "notes/kept.yaml") == Array("name: kept\n".utf8))
    // A client that only ended its sending side gets its answer.
    for (number, client) in clients.enumerated()
    where End.allCases[number % End.allCases.count] == .closeWriting {
      #expect(try client.answer().status == 200)
    }
    // The folder has complete files only, and the list has all of them.
    let found = try await server.folder.shell("cd notes; ls -A | sed 's/.yaml$//' | sort")
    #expect(try Self.ids(server) == found.split(separator: "\n").map(String.init).sorted())
    for name in found.split(separator: "\n") {
      #expect(try server.folder.bytes(of: "notes/\(name).yaml") == Array("name: \(name)\n".utf8))
    }
    clients = []
  }
}
