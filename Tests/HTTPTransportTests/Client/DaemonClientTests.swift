import HTTPTransport
import Serve
import Streams
import TestSupport
import Testing

/// The client's side of the socket, against servers that behave as a test decides.
@Suite(.timeLimit(.minutes(1))) struct DaemonClientTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
  private static let start = "event: stream\ndata: {\"stream\":\"s1\"}\n\n"

  /// Returns bytes as chunks.
  private static func chunked(_ bytes: [UInt8], by size: Int) -> [UInt8] {
    var chunks: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(piece.count)
      chunks += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
    return chunks
  }

  private static func events(_ lines: [String]) -> String {
    start + lines.map { "id: t\ndata: \($0)\n\n" }.joined()
  }

  /// Follows the stream of a peer until it ends.
  private func stream(of peer: ScriptedPeer) throws -> (lines: [String], error: HTTPServerError?) {
    var lines: [String] = []
    do {
      var client = try DaemonClient(connectingTo: SocketPath(peer.path))
      try client.follow("notes", Array("{}".utf8)) {
        if case .data(_, let line) = $0 { lines.append(String(decoding: line, as: UTF8.self)) }
      }
    } catch let error as HTTPServerError {
      return (lines, error)
    }
    return (lines, nil)
  }

  private func answer(of peer: ScriptedPeer) throws(HTTPServerError) -> String {
    let path: SocketPath
    do { path = try SocketPath(peer.path) } catch { throw HTTPServerError(.noDaemon, "\(error)") }
    var client = try DaemonClient(connectingTo: path)
    return String(decoding: try client.answer("/status"), as: UTF8.self)
  }

  @Test func `a stream is followed until the daemon ends`() throws {
    let bytes = Self.chunked(Array(Self.events(["a", "b"]).utf8), by: 7)
    for end in ["0\r\n\r\n", ""] {
      let peer = try ScriptedPeer(
        answering:
          "\(Self.head)Transfer-Encoding: chunked\r\n\r\n\(String(decoding: bytes, as: UTF8.self))\(end)")
      let (lines, error) = try stream(of: peer)
      #expect(lines == ["a", "b"])
      #expect(error?.code == .lost)
    }
  }

  @Test func `a stream that ends in a line ends after the line before it`() throws {
    let peer = try ScriptedPeer(answering: "\(Self.head)\r\n\(Self.events(["a"]))data: {\"type\":\"upd")
    let (lines, error) = try stream(of: peer)
    #expect(lines == ["a"])
    #expect(error?.code == .lost)
  }

  @Test func `a refusal is its code and its sentence`() throws {
    let body = #"{"type":"urn:notes-watch:problem:unknown-folder","status":404,"detail":"No."}"#
    let peer = try ScriptedPeer(
      answering: "HTTP/1.1 404 Not Found\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let (lines, error) = try stream(of: peer)
    #expect(lines.isEmpty)
    #expect(error == HTTPServerError(.refused("unknown-folder"), "No."))
  }

  @Test func `a server without room is one to try again`() throws {
    let body = #"{"type":"about:blank","status":503,"detail":"Full."}"#
    let peer = try ScriptedPeer(
      answering: "HTTP/1.1 503 Service Unavailable\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(throws: HTTPServerError(.refused("busy"), "Full.")) { try answer(of: peer) }
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Le",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
  ])
  func `an answer that breaks off is lost`(text: String) throws {
    #expect { try answer(of: ScriptedPeer(answering: text)) } throws: {
      ($0 as? HTTPServerError)?.code == .lost
    }
  }

  @Test(arguments: [
    "{\"v\":1,\"type\":\"error\",\"code\":\"bad-request\",\"message\":\"x\"}\n", "rubbish\n",
    "HTTP/1.1 x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
  ])
  func `the answer of an earlier daemon, and rubbish, say to restart it`(text: String) throws {
    #expect {
      try answer(of: ScriptedPeer(answering: text))
    } throws: {
      let error = $0 as? HTTPServerError
      return error?.code == .badAnswer && error?.description.contains("Restart the daemon") == true
    }
  }

  @Test func `a stream arrives the same however it is cut`() throws {
    for seed in Randomness.seeds(20) {
      var random = SeededGenerator(seed: seed)
      let lines = (0..<random.below(30)).map { _ in
        String(repeating: "x", count: random.one(of: [0, 1, 50, 70_000]))
      }
      let body = Self.chunked(
        Array(Self.events(lines).utf8), by: 1 + random.below(random.oneIn(2) ? 40 : 100_000))
      let all = Array("\(Self.head)Transfer-Encoding: chunked\r\n\r\n".utf8) + body
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
      #expect(try stream(of: peer).lines == lines, "\(seedNote(seed))")
    }
  }

  @Test func `nobody at the socket is no daemon`() throws {
    let folder = try TemporaryFolder(["file": "x"])
    for path in ["none", "file/none", "file"] {
      #expect {
        _ = try DaemonClient(connectingTo: SocketPath("\(folder.path)/\(path)"))
      } throws: {
        ($0 as? HTTPServerError)?.code == .noDaemon
      }
    }
  }

  @Test func `a socket that nobody serves any more is no daemon`() throws {
    let folder = try TemporaryFolder()
    try folder.shell("python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\")'")
    #expect {
      _ = try DaemonClient(connectingTo: SocketPath("\(folder.path)/s"))
    } throws: {
      ($0 as? HTTPServerError)?.code == .noDaemon
    }
  }
}
