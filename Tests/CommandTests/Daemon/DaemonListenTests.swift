import Foundation
import TestSupport
import Testing

/// A daemon whose folders are served to browsers, too.
@Suite(.serialized, .timeLimit(.minutes(3))) struct DaemonListenTests {
  private let folders: TemporaryFolder
  private let port: Int

  init() throws {
    folders = try TemporaryFolder(["a/notes/x.yaml": "k: 1\n", "b/notes/y.yaml": "k: 2\n"])
    port = try FreePort.find()
  }

  private func configuration(_ listen: String) -> String {
    "folders:\n  - path: \(folders.path)/a/notes\n  - path: \(folders.path)/b/notes\nlisten: \(listen)\n"
  }

  private func start(_ listen: String) async throws -> RunningDaemon {
    let daemon = try RunningDaemon(configuration(listen))
    try await daemon.waitUntilOpen()
    try await daemon.wait(until: "it listens") { daemon.log.contains("The folders are served on") }
    return daemon
  }

  private func send(
    _ request: String, _ fields: [String] = [], body: String = ""
  ) throws -> WebClient.Answer {
    let client = try WebClient(port: port)
    let all =
      ["\(request) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Content-Length: \(body.utf8.count)"] + fields
    client.send(all.map { "\($0)\r\n" }.joined() + "\r\n\(body)")
    return try client.answer()
  }

  private func bearer(_ daemon: RunningDaemon) throws -> String {
    let file = "runtime/notes-watch/serve-127.0.0.1-\(port).token"
    let token = String(decoding: try daemon.home.bytes(of: file).dropLast(), as: UTF8.self)
    return "Authorization: Bearer \(token)"
  }

  @Test func `each folder is below its name, for programs with the token`() async throws {
    let daemon = try await start("127.0.0.1:\(port)")
    let token = try bearer(daemon)
    #expect(try send("GET /notes/items").status == 401)
    #expect(try send("GET /notes/items", [token, "Host: other"]).status == 400)
    let list = try JSON(Data(try send("GET /", [token]).body))
    #expect(list.folders.list.map(\.name) == ["notes", "notes-2"])
    #expect(try JSON(Data(try send("GET /notes/items", [token]).body)).sections[0].items[0].id == "x")
    #expect(try JSON(Data(try send("GET /notes-2/items", [token]).body)).sections[0].items[0].id == "y")
    #expect(try send("GET /notes-2/", [token, "Accept: text/html"]).text.contains("assets/list/main.js"))
    let json = "Content-Type: application/json"
    #expect(try send("POST /notes/items", [token, json], body: #"{"id":"z","value":{"k":3}}"#).status == 201)
    #expect(try send("GET /notes/item?id=z", [token]).status == 200)
    // On the socket, the same without a token.
    let local = try WebClient(path: daemon.socket)
    local.send("GET /notes/item?id=z HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try local.answer().status == 200)
    #expect(try await daemon.stop() == 143)
    #expect(throws: (any Error).self) { try bearer(daemon) }
  }

  @Test func `a session of the browser is for all folders`() async throws {
    let daemon = try await start("{address: '127.0.0.1:\(port)', read-only: true}")
    let end = try await BuiltProgram.start(
      ["serve", "--url", "--listen", "\(port)"], environment: daemon.environment, in: folders.path
    ).end()
    #expect(end.status == .exited(0), "\(end.errorText)")
    let path = try #require(end.outputText.split(separator: "/", maxSplits: 3).last?.dropLast())
    let session = try send("GET /\(path)")
    #expect(session.status == 303)
    let cookie = "Cookie: \(session["set-cookie"]?.prefix { $0 != ";" } ?? "")"
    for name in ["notes", "notes-2"] {
      #expect(try send("GET /\(name)/items", [cookie]).status == 200)
      let origin = "Origin: http://127.0.0.1:\(port)"
      let fields = [cookie, origin, "Content-Type: application/json"]
      let refused = try send("POST /\(name)/items", fields, body: #"{"id":"z","value":{}}"#)
      #expect(refused.status == 403)
      #expect(refused.text.contains("read-only"))
      // A page may change the views of its stream.
      let views = #"{"stream":"none","views":{}}"#
      #expect(try send("POST /\(name)/stream/views", fields, body: views).status == 404)
    }
  }

  @Test func `after a reload, no folder has the name of another one`() async throws {
    let daemon = try await start("127.0.0.1:\(port)")
    let token = try bearer(daemon)
    try daemon.write(
      configuration: "folders:\n  - path: \(folders.path)/b/notes\nlisten: 127.0.0.1:\(port)\n")
    daemon.signal(SIGHUP)
    try await daemon.wait(until: "the folder is gone") {
      try send("GET /notes/items", [token]).status == 404
    }
    #expect(try JSON(Data(try send("GET /notes-2/items", [token]).body)).sections[0].items[0].id == "y")
    try daemon.write(configuration: configuration("127.0.0.1:\(port)"))
    daemon.signal(SIGHUP)
    try await daemon.wait(until: "the folder is back") {
      try send("GET /notes/items", [token]).status == 200
    }
    #expect(try JSON(Data(try send("GET /notes/items", [token]).body)).sections[0].items[0].id == "x")
  }

  @Test func `another address takes effect at the next start`() async throws {
    let daemon = try await start("127.0.0.1:\(port)")
    try daemon.write(configuration: configuration("127.0.0.1:1"))
    daemon.signal(SIGHUP)
    try await daemon.wait(until: "it is said") { daemon.log.contains("when the daemon is started again") }
    #expect(try send("GET /health").status == 200)
  }

  @Test func `a port in use ends the start`() async throws {
    let daemon = try await start("127.0.0.1:\(port)")
    let other = try RunningDaemon(configuration("127.0.0.1:\(port)"))
    #expect(try await other.end() == 69)
    #expect(other.log.contains("127.0.0.1:\(port)"), "\(other.log)")
    _ = daemon
  }

  @Test(arguments: [
    ("example.org:80", "is not an IP address"), ("0.0.0.0:80", "lets other machines connect"),
    ("{address: '127.0.0.1:80', origin: nowhere}", "nowhere"),
  ])
  func `an address that serve refuses is a mistake in the file`(listen: String, message: String) async throws
  {
    let daemon = try RunningDaemon(configuration(listen))
    #expect(try await daemon.end() == 78)
    #expect(daemon.log.contains(message), "\(daemon.log)")
  }
}
