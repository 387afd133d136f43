import HTTPTypes
import Serve
import TestSupport
import Testing

/// The guard in front of each route of the server.
struct GuardedRoutesTests {
  private static let json: (HTTPField.Name, String) = (.contentType, "application/json")
  private static let bearer: (HTTPField.Name, String) = (.authorization, "Bearer \(GuardedServer.bearer)")

  private static func operations() async throws -> [(path: String, method: HTTPRequest.Method)] {
    try await ServedFolder([:]).server.operations
  }

  @Test func `each route except the health needs a token`() async throws {
    let server = GuardedServer()
    let operations = try await Self.operations()
    #expect(operations.count > 20)
    for (path, method) in operations where path != "/health" {
      for method in method == .get ? [method, .head] : [method] {
        #expect(try await server.send(method, path, [Self.json]).status == 401, "\(method) \(path)")
      }
    }
    #expect(server.answered == 0)
  }

  @Test func `each route that changes files is refused by a server that only reads`() async throws {
    let server = GuardedServer(isReadOnly: true)
    let changes = try await Self.operations().filter {
      $0.method != .get && $0.method != .head && $0.path != "/stream/views"
    }
    #expect(changes.count == 7)
    for (path, method) in changes {
      let answer = try await server.send(method, path, [Self.bearer, Self.json])
      #expect(answer.status == 403, "\(method) \(path)")
      #expect(answer.problem == "read-only", "\(method) \(path)")
    }
    #expect(server.answered == 0)
  }
}
