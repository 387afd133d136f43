import HTTPTransport
import HTTPTypes
import Serve
import Streams
import TestSupport
import Testing

/// Requests that are valid, and how connections live.
@Suite(.timeLimit(.minutes(2))) struct HTTPServerTests {
  @Test func `A request gets an answer with a length, a date and safe headers`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.status == 200)
    #expect(answer.text == "GET /a")
    #expect(answer["content-length"] == "6")
    #expect(answer["date"]?.hasSuffix(" GMT") == true)
    #expect(answer["connection"] == nil)
    await running.server.stop()
    #expect(try client.isAtEnd())
  }

  @Test func `Pipelined requests are answered in their order`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send((0..<20).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
    for number in 0..<20 { #expect(try client.answer().text == "GET /\(number)") }
  }

  @Test func `HEAD has the head of GET and no body`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    for target in ["/a", "/pieces", "/large"] {
      client.send("HEAD \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try client.answer(hasBody: false).status == 200)
    }
    client.send("HEAD /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(try client.answer(hasBody: false).status == 200)
    #expect(try client.isAtEnd())
  }

  @Test func `Pieces are chunks, and a status without a body has no length`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("GET /pieces HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
    let pieces = try client.answer()
    #expect(pieces["transfer-encoding"] == "chunked")
    #expect(pieces.text == "piece 0\npiece 1\npiece 2\n")
    let nothing = try client.answer()
    #expect(nothing.status == 204)
    #expect(nothing["content-length"] == nil)
  }

  @Test func `A body arrives complete, however it is divided`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    let body = String(repeating: "0123456789", count: 10_000)
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(try client.answer().text == body)
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    for piece in ["abc", "de", String(repeating: "f", count: 20_000)] {
      client.send("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n")
    }
    client.send("0\r\nTrailer: x\r\n\r\n")
    #expect(try client.answer().text == "abcde" + String(repeating: "f", count: 20_000))
  }

  @Test func `A body that no route reads does not disturb the next request`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send(
      "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbodyGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try client.answer().text == "POST /a")
    #expect(try client.answer().text == "GET /b")
    // It has not arrived when the answer is written, so the connection ends.
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
    let answer = try client.answer()
    #expect(answer["connection"] == "close")
    client.send([UInt8](repeating: 0x20, count: 100_000))
    #expect(try client.isAtEnd())
  }

  @Test func `A client that waits to be asked for its body is asked when a route reads it`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.answer().status == 100)
    client.send("body")
    #expect(try client.answer().text == "body")
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.text == "POST /a")
    #expect(answer["connection"] == "close")
  }

  @Test func `HTTP/1.0 gets an answer that ends with the connection`() async throws {
    let running = try await RunningServer()
    for target in ["/a", "/pieces"] {
      let client = try WebClient(port: running.port)
      client.send("GET \(target) HTTP/1.0\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == 200)
      #expect(answer["connection"] == "close")
      #expect(answer["transfer-encoding"] == nil)
      #expect(answer.text == (target == "/a" ? "GET /a" : "piece 0\npiece 1\npiece 2\n"))
    }
  }

  @Test func `A client that ends its sending side gets its answer`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
    client.closeWriting()
    #expect(try client.answer().body.count == 8 << 20)
    #expect(try client.isAtEnd())
  }

  @Test func `The target may be an absolute URL with the authority of the Host field`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("GET http://x/a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try client.answer().text == "GET /a")
    client.send("GET http://y/a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try client.answer().status == 400)
  }

  @Test(arguments: [true, false]) func `A client that leaves ends its stream`(resets: Bool) async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    await running.responder.streamStart.wait()
    if resets { client.reset() } else { client.close() }
    await running.responder.streamEnd.wait()
    await running.drained()
  }

  @Test func `A server that stops ends streams after a complete piece`() async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    await running.responder.streamStart.wait()
    await running.server.stop()
    let answer = try client.answer()
    #expect(answer.text == "event\nlast\n")
    #expect(try client.isAtEnd())
    #expect(throws: WebClient.Failure.self) { try WebClient(port: running.port) }
  }

  @Test func `A client that connects before the server answers is answered later`() async throws {
    let server = try await HTTPServer.listen(address: "127.0.0.1", port: 0) { _ in }
    let client = try WebClient(port: server.port)
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(await server.connectionCount == 0)
    await server.serve(TestResponder())
    #expect(try client.answer().text == "GET /a")
    await server.stop()
  }

  @Test(arguments: ["closes its side", "sends more and closes its side", "resets", "closed its side before"])
  func `A request knows that its client left`(way: String) async throws {
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    client.send("GET /presence HTTP/1.1\r\nHost: x\r\n\r\n")
    switch way {
    case "closes its side":
      await running.responder.streamStart.wait()
      client.closeWriting()
    case "sends more and closes its side":
      await running.responder.streamStart.wait()
      client.send("GET /presence HTTP/1.1\r\nHost: x\r\n\r\n" + String(repeating: "x", count: 100_000))
      client.closeWriting()
    case "resets":
      await running.responder.streamStart.wait()
      client.reset()
    default: client.closeWriting()
    }
    await running.responder.streamEnd.wait()
    if way != "resets" {
      #expect(try client.answer().text == "gone")
      client.close()
    }
    await running.drained()
  }

  @Test func `A port in use and a missing address have different errors`() async throws {
    let running = try await RunningServer()
    func code(_ address: String, _ port: Int) async -> HTTPServerError.Code? {
      do throws(HTTPServerError) {
        _ = try await HTTPServer.listen(address: address, port: port) { _ in }
        return nil
      } catch {
        return error.code
      }
    }
    #expect(await code("127.0.0.1", running.port) == .portInUse)
    #expect(await code("203.0.113.1", 0) == .noAddress)
    #expect(await code("localhost", 0) == .noAddress)
  }
}
