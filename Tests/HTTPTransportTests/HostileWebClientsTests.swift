import HTTPTransport
import Serve
import Streams
import TestSupport
import Testing

/// Clients that break the rules, or use them against the server.
@Suite(.timeLimit(.minutes(2))) struct HostileWebClientsTests {
  @Test(
    arguments: [
      (
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400
      ),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nbody", 400),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4, 4\r\n\r\nbody", 400),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -4\r\n\r\nbody", 400),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: +4\r\n\r\nbody", 400),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\nbody", 400),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
      ("POST /echo HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nbody\r\n0\r\n\r\n", 400),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbodyX\r\n0\r\n\r\n", 400),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nA: b\u{0}c\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400),
      ("GET /\u{1} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
      ("GET / HTTP/9\r\nHost: x\r\n\r\n", 505),
      ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\r\n\r\n", 501),
      ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
      ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: money\r\n\r\nb", 417),
    ] as [(String, Int)])
  func `Input that servers could read in two ways ends the connection with a problem`(
    input: String, status: Int
  ) async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send(input + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.status == status, "\(answer.text)")
    #expect(answer["content-type"] == "application/problem+json")
    #expect(answer["connection"] == "close")
    #expect(answer["x-content-type-options"] == "nosniff")
    #expect(try client.isAtEnd())
    #expect(!running.responder.seen.contains("/smuggled"))
  }

  @Test func `A request for another protocol is answered, and nothing after it`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send(
      "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n"
    )
    #expect(try client.answer().text == "GET /a")
    #expect(try client.isAtEnd())
    #expect(running.responder.seen == ["/a"])
  }

  @Test(arguments: [
    ("GET /\(String(repeating: "a", count: 17 << 10)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 33 << 10))\r\n\r\n", 431),
    ("GET / HTTP/1.1\r\nHost: x\r\n\((0..<101).map { "A\($0): b\r\n" }.joined())\r\n", 431),
    (
      "GET / HTTP/1.1\r\nHost: x\r\n\((0..<90).map { "A\($0): \(String(repeating: "b", count: 400))\r\n" }.joined())\r\n",
      431
    ),
  ])
  func `A head has limits`(input: String, status: Int) async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send(input)
    #expect(try client.answer().status == status)
    #expect(try client.isAtEnd())
    #expect(running.responder.seen.isEmpty)
  }

  @Test func `A body has the limit of its route`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n")
    client.send([UInt8](repeating: 0x61, count: 2 << 20))
    let answer = try client.answer()
    #expect(answer.status == 413)
    #expect(answer["connection"] == "close")
  }

  @Test(arguments: ["1048577", "17000000", "9223372036854775807"], ["", "Expect: 100-continue\r\n"])
  func `a body that is announced as too large is refused before it arrives`(
    length: String, expectation: String
  ) async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\(expectation)\r\n")
    let answer = try client.answer()
    #expect(answer.status == 413)
    #expect(answer["connection"] == "close")
    #expect(try client.isAtEnd())
  }

  @Test(arguments: ["answered", "reset"])
  func `All bodies together have a limit, and give their room back`(end: String) async throws {
    let running = try await RunningServer { $0.maxBodiesSize = 100_000 }
    for _ in 0..<5 {
      let first = try WebClient(port: running.port)
      first.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n")
      first.send([UInt8](repeating: 0x62, count: 80_000))
      while await running.server.bodiesSize < 80_000 { await Task.yield() }
      let second = try WebClient(port: running.port)
      second.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n")
      second.send([UInt8](repeating: 0x61, count: 30_000))
      let answer = try second.answer()
      #expect(answer.status == 503)
      #expect(answer["retry-after"] == "1")
      while await running.server.bodiesSize > 80_000 { await Task.yield() }
      if end == "answered" {
        first.send([UInt8](repeating: 0x62, count: 10_000))
        #expect(try first.answer().body.count == 90_000)
      } else {
        first.reset()
      }
      while await running.server.bodiesSize > 0 { await Task.yield() }
    }
  }

  @Test func `A client that sends more of an unwanted body cannot hold the connection`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("POST /unwanted HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
    #expect(try client.answer().status == 200)
    client.send("more")
    // The client does not close its side.
    await running.drained()
    #expect(await running.server.connectionCount == 0)
    client.close()
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: x\r\nA: "])
  func `A head that does not arrive in time ends the connection`(input: String) async throws {
    let running = try await RunningServer { $0.requestTimeout = .milliseconds(200) }
    let client = try WebClient(port: running.port)
    client.send(input)
    if !input.isEmpty { #expect(try client.answer().status == 408) }
    #expect(try client.isAtEnd())
  }

  @Test func `A body that does not arrive in time is a late request`() async throws {
    let running = try await RunningServer { $0.requestTimeout = .milliseconds(200) }
    let client = try WebClient(port: running.port)
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nbod")
    #expect(try client.answer().status == 408)
    #expect(try client.isAtEnd())
  }

  @Test func `A body of which too little arrives at a time is a late request`() async throws {
    let running = try await RunningServer { $0.requestTimeout = .milliseconds(500) }
    let client = try WebClient(port: running.port)
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n")
    var count = 0
    while try count < 3_999 && !client.hasInput(within: 20) {
      client.send("x")
      count += 1
    }
    #expect(try client.answer().status == 408)
  }

  /// The body takes longer than the time limit of one piece.
  @Test func `A body that arrives steadily is read to its end`() async throws {
    let running = try await RunningServer { $0.requestTimeout = .seconds(3) }
    let client = try WebClient(port: running.port)
    let piece = String(repeating: "x", count: 4_096)
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(10 * piece.utf8.count)\r\n\r\n")
    for number in 0..<10 {
      client.send(piece)
      if number < 9 { #expect(try !client.hasInput(within: 400)) }
    }
    let answer = try client.answer()
    #expect(answer.status == 200)
    #expect(answer.body.count == 10 * piece.utf8.count)
  }

  @Test func `A body that ends early is a bad request`() async throws {
    let running = try await RunningServer()
    for head in ["Content-Length: 10\r\n\r\nbod", "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n"] {
      let client = try WebClient(port: running.port)
      client.send("POST /echo HTTP/1.1\r\nHost: x\r\n\(head)")
      client.closeWriting()
      #expect(try client.answer().status == 400)
      #expect(try client.isAtEnd())
    }
  }

  @Test func `A client that reads nothing is disconnected`() async throws {
    let running = try await RunningServer { $0.clientTimeout = .milliseconds(300) }
    let client = try WebClient(port: running.port, room: 4_096)
    client.send("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n")
    await running.responder.streamEnd.wait()
    await running.drained()
    #expect(running.log.messages.contains { $0.contains("read nothing") })
    client.close()
  }

  @Test func `A connection over the limit is refused, and one that leaves makes room`() async throws {
    let running = try await RunningServer { $0.maxConnections = 2 }
    let first = try WebClient(port: running.port), second = try WebClient(port: running.port)
    for client in [first, second] {
      client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try client.answer().status == 200)
    }
    for _ in 0..<3 {
      let third = try WebClient(port: running.port)
      let answer = try third.answer()
      #expect(answer.status == 503)
      #expect(answer["connection"] == "close")
      #expect(answer["retry-after"] == "5")
      #expect(try third.isAtEnd())
    }
    #expect(running.log.messages.count == 1)
    first.close()
    while await running.server.connectionCount > 1 { await Task.yield() }
    let fourth = try WebClient(port: running.port)
    fourth.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try fourth.answer().status == 200)
  }

  @Test func `Many connections over the limit are refused one after the other, none with a reset`()
    async throws
  {
    let running = try await RunningServer { $0.maxConnections = 1 }
    let first = try WebClient(port: running.port)
    first.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try first.answer().status == 200)
    let others = try (0..<200).map { _ in try WebClient(port: running.port) }
    for client in others {
      client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try client.answer().status == 503)
      #expect(try client.isAtEnd())
      client.close()
    }
    first.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try first.answer().text == "GET /b")
  }

  @Test func `refused clients that stay do not keep others waiting`() async throws {
    let running = try await RunningServer { $0.maxConnections = 1 }
    let first = try WebClient(port: running.port)
    first.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try first.answer().status == 200)
    let others = try (0..<300).map { _ in try WebClient(port: running.port) }
    for client in others { client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n") }
    for client in others { #expect(try client.answer().status == 503) }
  }

  @Test func `A place that becomes free goes to a client that waits behind refused ones`() async throws {
    let running = try await RunningServer { $0.maxConnections = 1 }
    let first = try WebClient(port: running.port)
    first.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try first.answer().status == 200)
    // They do not close their side.
    let others = try (0..<150).map { _ in try WebClient(port: running.port) }
    let last = try WebClient(port: running.port)
    first.close()
    last.send("GET /last HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect([200, 503].contains(try last.answer().status))
    #expect(others.count == 150)
  }

  @Test func `Requests far ahead of their answers are dropped when the client closes its side`() async throws
  {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("GET /presence HTTP/1.1\r\nHost: x\r\n\r\n")
    await running.responder.streamStart.wait()
    client.send(String(repeating: "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", count: 1_000))
    client.closeWriting()
    let answer = try client.answer()
    #expect(answer.text == "gone")
    #expect(answer["connection"] == "close")
    #expect(try client.isAtEnd())
    #expect(running.responder.seen == ["/presence"])
  }

  @Test func `Some requests ahead are answered though the client closed its side`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("GET /presence HTTP/1.1\r\nHost: x\r\n\r\n")
    await running.responder.streamStart.wait()
    client.send((0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
    client.closeWriting()
    #expect(try client.answer().text == "gone")
    for number in 0..<50 { #expect(try client.answer().text == "GET /\(number)") }
    #expect(try client.isAtEnd())
  }

  @Test func `Many idle connections leave room for one that asks`() async throws {
    let running = try await RunningServer { $0.maxConnections = 400 }
    let idle = try (0..<399).map { _ in try WebClient(port: running.port) }
    let client = try WebClient(port: running.port)
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try client.answer().status == 200)
    #expect(idle.count == 399)
  }
}
