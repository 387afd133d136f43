import Foundation
import HTTPTransport
import Serve
import Store
import TestSupport
import Testing
import Values

@Suite(.timeLimit(.minutes(3))) struct SocketServerTests {
  private static let files = ["ada.yaml": "name: Ada\nrating: 3\n", "bob.yaml": "name: Bob\nrating: 5\n"]
  /// Items whose list fills the buffers of a socket many times.
  private static func large(_ count: Int = 2_000) -> [String: String] {
    let text = String(repeating: "lorem ipsum ", count: 60)
    return Dictionary(uniqueKeysWithValues: (0..<count).map { ("n\($0).yaml", "text: \(text)\n") })
  }

  private static func limits(_ change: (inout WebOptions) -> Void) -> WebOptions {
    var options = WebOptions()
    change(&options)
    return options
  }

  private static func code(_ client: DaemonStream) throws -> String? {
    let line = try client.nextJSON()
    return line.type == "error" ? line.code.string : nil
  }

  @Test func `the root lists the folders`() async throws {
    let folders = try await ServedFolders(Self.files)
    let list = try JSON(Data(try folders.send("/").body))
    #expect(list.folders == [["name": "data", "path": .string(folders.data.path)]])
    #expect(try folders.send("/health").text == "{\"status\":\"ok\"}\n")
    #expect(try folders.send("/data")["location"] == "data/")
    #expect(try folders.send("/other/items").status == 404)
  }

  @Test func `the routes of serve are below the name of the folder`() async throws {
    let folders = try await ServedFolders(Self.files)
    #expect(try JSON(Data(try folders.send("/data/items").body)).count == 2)
    #expect(try folders.send("/data/").text.contains("href=\"assets/page.css\""))
    #expect(try folders.send("/data/assets/page.css").status == 200)
    #expect(try folders.send("/data/plain").text.contains("<a href=\"plain?id=ada\">"))
    let added = try folders.send("POST", "/data/items", #"{"id":"cleo","value":{"name":"Cleo"}}"#)
    #expect(added.status == 201)
    #expect(added["location"] == "/data/item?id=cleo")
    #expect(try folders.data.bytes(of: "cleo.yaml").isEmpty == false)
  }

  @Test func `a request is answered although the client closes its sending side`() async throws {
    let folders = try await ServedFolders(Self.files)
    let client = try WebClient(path: folders.path.description)
    client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    client.closeWriting()
    #expect(try client.answer().status == 200)
    let stream = try folders.stream()
    stream.closeWriting()
    var reader = StreamReader()
    try stream.read(into: &reader) { $0.hasSnapshot }
    try folders.data.write("name: Cleo\n", to: "cleo.yaml")
    try stream.read(into: &reader) { $0.ids.contains("cleo") }
    #expect(reader.ids == ["ada", "bob", "cleo"])
  }

  @Test func `refusals say what to do`() async throws {
    let folders = try await ServedFolders(Self.files, idField: "name")
    let data = folders.data.path
    for (line, code) in [
      ("{\"folder\":\"\(data)\",\"view\":\"nope\"}", "bad-view"),
      ("{\"folder\":\"\(data)\",\"id-field\":\"uuid\"}", "mismatch"),
      ("{\"folder\":\"\(data)\",\"max-size\":1}", "mismatch"),
    ] {
      let client = try folders.request(line)
      #expect(try Self.code(client) == code, "\(line)")
      #expect(try client.nextLine() == nil)
    }
    let agreed = try folders.request(
      "{\"folder\":\"\(data)\",\"id-field\":\" name\",\"max-size\":\(16 << 20)}")
    #expect(try agreed.nextJSON().type == "hello")
  }

  @Test func `a client that says nothing is disconnected`() async throws {
    let folders = try await ServedFolders(Self.files, Self.limits { $0.requestTimeout = .milliseconds(50) })
    #expect(try WebClient(path: folders.path.description).isAtEnd())
    let half = try WebClient(path: folders.path.description)
    half.send("GET / HTTP/1.1\r\n")
    #expect(try half.answer().status == 408)
    // A client with a stream may be silent.
    let stream = try folders.stream()
    #expect(try stream.nextJSON().type == "hello")
    #expect(try WebClient(path: folders.path.description).isAtEnd())
    stream.send(line: #"{"limit":1}"#)
    #expect(try stream.nextJSON().type == "snapshot")
    #expect(try stream.nextJSON().type == "update")
  }

  @Test func `too many clients are refused, and the others are served`() async throws {
    let folders = try await ServedFolders(Self.files, Self.limits { $0.maxConnections = 3 })
    let clients = try (0..<3).map { _ in try folders.stream() }
    for client in clients { #expect(try client.nextJSON().type == "hello") }
    for _ in 0..<20 { #expect(try folders.send("/health").status == 503) }
    #expect(await folders.server.connectionCount == 3)
    #expect(folders.log.messages.count == 1)
    clients[0].close()
    try await folders.wait { await folders.server.connectionCount == 2 }
    #expect(try folders.stream().nextJSON().type == "hello")
    try folders.data.write("name: Cleo\n", to: "cleo.yaml")
    #expect(try clients[1].nextJSON().type == "snapshot")
    #expect(try clients[1].nextJSON().type == "update")
  }

  @Test func `a client that reads nothing is disconnected, and the others are not`() async throws {
    let folders = try await ServedFolders(Self.large(), Self.limits { $0.clientTimeout = .milliseconds(100) })
    let stalled = try folders.stream()
    let list = try WebClient(path: folders.path.description)
    list.send("GET /data/items HTTP/1.1\r\nHost: x\r\n\r\n")
    let other = try folders.stream(#"{"limit":1}"#)
    #expect(try other.nextJSON().type == "hello")
    #expect(try other.nextJSON().type == "snapshot")
    try await folders.wait { await folders.server.connectionCount == 1 }
    #expect(folders.log.messages.count == 2)
    try await folders.wait { folders.folders.streamCounts == [folders.data.path: 1] }
    try folders.data.write("name: First\n", to: "a.yaml")
    #expect(try other.nextJSON().type == "update")
    // What was sent before ends in the middle of a line.
    #expect(throws: DaemonStream.Failure.self) { while try stalled.nextLine() != nil {} }
  }

  @Test func `a server that stops ends each stream after a complete line`() async throws {
    let folders = try await ServedFolders(Self.large(200))
    let (idle, silent) = (
      try folders.stream(#"{"limit":1}"#), try WebClient(path: folders.path.description)
    )
    #expect(try idle.nextJSON().type == "hello")
    #expect(try idle.nextJSON().type == "snapshot")
    let stalled = try folders.stream()
    try await folders.wait { folders.folders.streamCounts.values.first == 2 }
    await folders.stop()
    #expect(try idle.nextLine() == nil)
    #expect(try silent.isAtEnd())
    #expect(await folders.server.connectionCount == 0)
    #expect(access(folders.path.description, F_OK) != 0)
    #expect(throws: (any Error).self) { try folders.stream() }
    await folders.stop()
    _ = stalled
  }

  @Test func `a folder that is removed ends only its clients`() async throws {
    let folders = try await ServedFolders(Self.files)
    let stream = try folders.stream()
    #expect(try stream.nextJSON().type == "hello")
    #expect(try stream.nextJSON().type == "snapshot")
    folders.folders.close(folder: "/other")
    #expect(folders.folders.streamCounts == [folders.data.path: 1])
    folders.folders.close(folder: folders.data.path)
    #expect(try stream.nextLine() == nil)
    #expect(try folders.stream().nextJSON().type == "hello")
  }

  @Test func `rubbish of one client disturbs no other`() async throws {
    let folders = try await ServedFolders(Self.files)
    let stream = try folders.stream()
    var reader = StreamReader()
    try stream.read(into: &reader) { $0.hasSnapshot }
    for seed in Randomness.seeds(30) {
      var random = SeededGenerator(seed: seed)
      let client = try SocketClient(folders.path.description)
      client.send((0..<random.below(5_000)).map { _ in UInt8(random.below(256)) })
      if random.oneIn(2) { client.closeWriting() }
      client.close()
    }
    try folders.data.write("name: Cleo\n", to: "cleo.yaml")
    try stream.read(into: &reader) { $0.ids.contains("cleo") }
    #expect(reader.ids == ["ada", "bob", "cleo"])
  }
}
