import HTTPTransport
import Server
import Sinks
import TestSupport
import Testing
import WebServer

@Suite struct HTTPServerTests {
  @Test func `A server listens on a free port`() async throws {
    let server = try await HTTPServer.start(address: "127.0.0.1", port: 0, log: { _ in }, responder: { _ in Router() })
    #expect(server.port > 0)
    await server.stop()
    #expect(await server.connectionCount == 0)
  }
}
