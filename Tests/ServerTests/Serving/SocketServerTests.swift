import Glibc
import PlainStore
import TestSupport
import Testing
import Values

@testable import Server

@Suite(.timeLimit(.minutes(3))) struct SocketServerTests {
  private static let files = ["ada.yaml": "name: Ada\nrating: 3\n", "bob.yaml": "name: Bob\nrating: 5\n"]
  /// Items whose list fills the buffers of a socket many times.
  private static func large(_ count: Int = 2_000) -> [String: String] {
    let text = String(repeating: "lorem ipsum ", count: 60)
    return Dictionary(uniqueKeysWithValues: (0..<count).map { ("n\($0).yaml", "text: \(text)\n") })
  }

  private static func code(_ client: SocketClient) throws -> String? {
    guard case .error(let code, _)? = try client.nextLine().flatMap({ ServerLine(reading: $0) }) else {
      return nil
    }
    return code
  }

  @Test func `status and retry are answered, and the connection ends`() throws {
    let folders = try ServedFolders(Self.files)
    for (line, answer) in [
      (
        #"{"v":1,"request":"status"}"#,
        ServerLine.status(["pid": .number(.integer(7)), "folders": .list([])])
      ),
      (#"{"v":1,"request":"retry","folder":"/a","sink":"site"}"#, .done),
      (
        #"{"v":1,"request":"retry","folder":"/a","sink":"x"}"#,
        .error(code: "unknown-sink", message: "There is no sink x.")
      ),
      (
        #"{"v":1,"request":"status","folder":"/b"}"#,
        .error(code: "unknown-folder", message: "There is no folder /b.")
      ),
    ] {
      let client = try folders.connect(line)
      #expect(try client.nextLine().flatMap { ServerLine(reading: $0) } == answer)
      #expect(try client.nextLine() == nil)
    }
  }

  @Test func `a request is answered although the client closes its sending side`() throws {
    let folders = try ServedFolders(Self.files)
    let client = try folders.connect()
    // The line has no end.
    client.send(#"{"v":1,"request":"status"}"#.utf8)
    client.closeWriting()
    #expect(try client.nextJSON().type == "status")
  }

  @Test func `refusals say what to do`() throws {
    let folders = try ServedFolders(Self.files, idField: "name")
    let data = folders.data.path
    for (line, code) in [
      ("rubbish", "bad-request"), (#"{"v":1,"folder":"/nope"}"#, "unknown-folder"),
      (#"{"v":1,"folder":"/waiting"}"#, "not-ready"),
      ("{\"v\":1,\"folder\":\"\(data)\",\"view\":\"nope\"}", "bad-view"),
      ("{\"v\":1,\"folder\":\"\(data)\",\"id-field\":\"uuid\"}", "mismatch"),
      ("{\"v\":1,\"folder\":\"\(data)\",\"max-size\":1}", "mismatch"),
      (
        "{\"v\":1,\"folder\":\"\(data)\",\"view\":\"nope\",\"output\":{\"format\":\"id\",\"once\":true}}",
        "bad-view"
      ),
    ] {
      let client = try folders.connect(line)
      #expect(try Self.code(client) == code, "\(line)")
      #expect(try client.nextLine() == nil)
    }
    let agreed = try folders.connect(
      "{\"v\":1,\"folder\":\"\(data)\",\"id-field\":\" name\",\"max-size\":\(16 << 20)}")
    #expect(try agreed.nextJSON().type == "hello")
  }

  @Test func `a client that says nothing is disconnected`() throws {
    let folders = try ServedFolders(Self.files, ServerOptions(requestTimeout: .milliseconds(50)))
    #expect(try Self.code(try folders.connect()) == "timeout")
    let half = try folders.connect()
    half.send("{\"v\":1,".utf8)
    #expect(try Self.code(half) == "timeout")
    // A client with a stream may be silent.
    let stream = try folders.stream()
    #expect(try stream.nextJSON().type == "hello")
    #expect(try Self.code(try folders.connect()) == "timeout")
    stream.send(line: #"{"limit":1}"#)
    #expect(try stream.nextJSON().type == "snapshot")
    #expect(try stream.nextJSON().type == "update")
  }

  @Test func `a first line that is too long is refused before it ends`() throws {
    let folders = try ServedFolders(Self.files)
    let client = try folders.connect()
    client.send([UInt8](repeating: 0x20, count: ClientRequest.maxLength + 1))
    #expect(try Self.code(client) == "bad-request")
  }

  @Test func `too many clients are refused, and the others are served`() async throws {
    let folders = try ServedFolders(Self.files, ServerOptions(maxClients: 3))
    let clients = try (0..<3).map { _ in try folders.stream() }
    for client in clients { #expect(try client.nextJSON().type == "hello") }
    for _ in 0..<20 { #expect(try Self.code(try folders.connect()) == "too-many-clients") }
    #expect(folders.server.clientCount == 3)
    #expect(folders.log.messages.count == 1)
    clients[0].close()
    try await folders.wait { folders.server.clientCount == 2 }
    #expect(try folders.stream().nextJSON().type == "hello")
    try folders.data.write("name: Cleo\n", to: "cleo.yaml")
    #expect(try clients[1].nextJSON().type == "snapshot")
    #expect(try clients[1].nextJSON().type == "update")
  }

  @Test func `a client that reads nothing is disconnected, and the others are not`() async throws {
    let folders = try ServedFolders(Self.large(), ServerOptions(clientTimeout: .milliseconds(100)))
    let stalled = try folders.stream()
    let text = try folders.connect(
      "{\"v\":1,\"folder\":\"\(folders.data.path)\",\"output\":{\"format\":\"json\",\"once\":true}}")
    let other = try folders.stream(#"{"limit":1}"#)
    #expect(try other.nextJSON().type == "hello")
    #expect(try other.nextJSON().type == "snapshot")
    try await folders.wait { folders.server.clientCount == 1 }
    #expect(folders.log.messages.count == 2)
    #expect(folders.server.clientCounts() == [folders.data.path: 1])
    try folders.data.write("name: First\n", to: "a.yaml")
    #expect(try other.nextJSON().type == "update")
    // What was sent before ends in the middle of a line.
    #expect(throws: SocketClient.Failure.self) { while try stalled.nextLine() != nil {} }
    _ = text
  }

  @Test func `a server that stops ends each stream after a complete line`() async throws {
    let folders = try ServedFolders(Self.large(200), ServerOptions(stopTimeout: .milliseconds(200)))
    let (idle, silent) = (try folders.stream(#"{"limit":1}"#), try folders.connect())
    #expect(try idle.nextJSON().type == "hello")
    #expect(try idle.nextJSON().type == "snapshot")
    let stalled = try folders.stream()
    try await folders.wait { folders.server.clientCounts().values.first == 2 }
    await folders.server.stop()
    #expect(try idle.nextLine() == nil)
    #expect(try Self.code(silent) == "closing")
    #expect(folders.server.clientCount == 0)
    #expect(access(folders.path.description, F_OK) != 0)
    #expect(throws: (any Error).self) { try folders.connect() }
    await folders.server.stop()
    _ = stalled
  }

  @Test func `a folder that is removed ends only its clients`() async throws {
    let folders = try ServedFolders(Self.files)
    let stream = try folders.stream()
    #expect(try stream.nextJSON().type == "hello")
    #expect(try stream.nextJSON().type == "snapshot")
    folders.server.close(folder: "/other")
    #expect(folders.server.clientCount == 1)
    folders.server.close(folder: folders.data.path)
    #expect(try stream.nextLine() == nil)
    #expect(try folders.stream().nextJSON().type == "hello")
  }

  @Test func `rubbish of one client disturbs no other`() throws {
    let folders = try ServedFolders(Self.files)
    let stream = try folders.stream()
    var reader = StreamReader()
    try stream.read(into: &reader) { $0.hasSnapshot }
    for seed in Randomness.seeds(30) {
      var random = SeededGenerator(seed: seed)
      let client = try folders.connect()
      client.send((0..<random.below(5_000)).map { _ in UInt8(random.below(256)) })
      if random.oneIn(2) { client.closeWriting() }
      client.close()
    }
    try folders.data.write("name: Cleo\n", to: "cleo.yaml")
    try stream.read(into: &reader) { $0.ids.contains("cleo") }
    #expect(reader.ids == ["ada", "bob", "cleo"])
  }
}
