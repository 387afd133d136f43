import Server
import Sinks
import Streams
import TestSupport
import Testing

/// The client's side of the socket, against servers that behave as a test decides.
@Suite(.timeLimit(.minutes(1))) struct DaemonClientTests {
  private struct Sink: ByteOutput {
    var bytes: [UInt8] = []
    mutating func write(_ more: [UInt8]) { bytes += more }
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private static let hello = "{\"v\":1,\"type\":\"hello\",\"root\":\"/r\",\"view\":{}}\n"
  private static let request = ClientRequest.stream(ViewRequest(folder: "/r"))

  private func connect(_ peer: ScriptedPeer, _ request: ClientRequest = DaemonClientTests.request) throws
    -> DaemonClient
  {
    try DaemonClient(connectingTo: SocketPath(peer.path), sending: request)
  }

  /// Copies the stream of a peer until it ends.
  private func stream(of peer: ScriptedPeer) throws -> (text: String, error: DaemonError?) {
    var client = try connect(peer)
    var sink = Sink()
    do {
      try client.copyStream(to: &sink)
    } catch let error as DaemonError {
      return (sink.text, error)
    }
    return (sink.text, nil)
  }

  @Test func `a stream is copied until the daemon ends`() throws {
    let peer = try ScriptedPeer(answering: Self.hello + "{\"type\":\"snapshot\"}\n")
    let (text, error) = try stream(of: peer)
    #expect(text == Self.hello + "{\"type\":\"snapshot\"}\n")
    #expect(error?.code == .lost)
  }

  @Test func `a stream that ends in a line ends after the line before it`() throws {
    let peer = try ScriptedPeer(answering: Self.hello + "{\"type\":\"update\"}\n{\"type\":\"upd")
    let (text, error) = try stream(of: peer)
    #expect(text == Self.hello + "{\"type\":\"update\"}\n")
    #expect(error?.code == .lost)
  }

  @Test func `a refusal writes nothing`() throws {
    let peer = try ScriptedPeer(
      answering: "{\"v\":1,\"type\":\"error\",\"code\":\"unknown-folder\",\"message\":\"No.\"}\n")
    let (text, error) = try stream(of: peer)
    #expect(text.isEmpty)
    #expect(error == DaemonError(.refused("unknown-folder"), "No."))
  }

  @Test func `a daemon that sends nothing is lost`() throws {
    let (text, error) = try stream(of: ScriptedPeer(answering: ""))
    #expect(text.isEmpty)
    #expect(error?.code == .lost)
  }

  @Test func `a stream arrives the same however it is cut`() throws {
    for seed in Randomness.seeds(20) {
      var random = SeededGenerator(seed: seed)
      let lines = (0..<random.below(30)).map { _ in
        String(repeating: "x", count: random.one(of: [0, 1, 50, 70_000])) + "\n"
      }
      let all = Array((Self.hello + lines.joined()).utf8)
      var pieces: [[UInt8]] = []
      var rest = all[...]
      while !rest.isEmpty {
        let piece = rest.prefix(1 + random.below(random.oneIn(2) ? 10 : 100_000))
        pieces.append(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      let peer = try ScriptedPeer { [pieces] client in
        _ = try client.nextLine()
        for piece in pieces { client.send(piece) }
      }
      let text = try stream(of: peer).text
      #expect(text.utf8.elementsEqual(all), "\(seedNote(seed))")
    }
  }

  @Test func `a request arrives as one line`() async throws {
    let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
    let peer = try ScriptedPeer { client in
      continuation.yield(try client.nextLine() ?? [])
      client.send(Self.hello.utf8)
    }
    let request = ClientRequest.stream(
      ViewRequest(folder: "/a \"b\"\nc", since: "t", idField: "uuid", maxSize: 5))
    var client = try connect(peer, request)
    var sink = Sink()
    #expect(throws: DaemonError.self) { try client.copyStream(to: &sink) }
    let line = try #require(await lines.first { _ in true })
    #expect(try ClientRequest(reading: line) == request)
  }

  @Test func `a rendered list is copied with its messages`() throws {
    let peer = try ScriptedPeer(
      answering: """
        {"v":1,"type":"output","bytes":4}
        ab
        c{"v":1,"type":"message","text":"hint: x"}
        {"v":1,"type":"news"}
        {"v":1,"type":"message","problem":true,"text":"a.yaml:1:1: bad"}
        {"v":1,"type":"output","bytes":0}
        {"v":1,"type":"output","bytes":2}
        {}{"v":1,"type":"end","code":3}

        """)
    var client = try connect(peer)
    var sink = Sink()
    var messages: [ServerLine] = []
    let code = try client.copyRendered(to: &sink) { messages.append($0) }
    #expect(sink.text == "ab\nc{}")
    #expect(messages == [.message("hint: x"), .problem("a.yaml:1:1: bad")])
    #expect(code == 3)
  }

  @Test(arguments: [
    "", "{\"v\":1,\"type\":\"output\",\"bytes\":9}\nabc", "{\"v\":1,\"type\":\"message\",\"text\":\"x\"}\n",
    "{\"v\":1,\"type\":\"end\"",
  ])
  func `a rendered list that breaks off is lost`(answer: String) throws {
    var client = try connect(try ScriptedPeer(answering: answer))
    var sink = Sink()
    #expect { try client.copyRendered(to: &sink) { _ in } } throws: { ($0 as? DaemonError)?.code == .lost }
  }

  @Test(arguments: ["-1", "256", "99999999999999999999", "1.5"]) func `an impossible exit code is no code`(
    code: String
  ) throws {
    var client = try connect(try ScriptedPeer(answering: "{\"v\":1,\"type\":\"end\",\"code\":\(code)}\n"))
    var sink = Sink()
    #expect(throws: DaemonError.self) { try client.copyRendered(to: &sink) { _ in } }
  }

  @Test func `nobody at the socket is no daemon`() throws {
    let folder = try TemporaryFolder(["file": "x"])
    for path in ["none", "file/none", "file"] {
      #expect {
        _ = try DaemonClient(connectingTo: SocketPath("\(folder.path)/\(path)"), sending: Self.request)
      } throws: {
        ($0 as? DaemonError)?.code == .noDaemon
      }
    }
  }

  @Test func `a socket that nobody serves any more is no daemon`() throws {
    let folder = try TemporaryFolder()
    try folder.shell("python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\")'")
    #expect {
      _ = try DaemonClient(connectingTo: SocketPath("\(folder.path)/s"), sending: Self.request)
    } throws: {
      ($0 as? DaemonError)?.code == .noDaemon
    }
  }
}
