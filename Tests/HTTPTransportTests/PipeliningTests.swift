import TestSupport
import Testing

/// Requests that are sent before the answers to earlier ones arrived.
@Suite(.timeLimit(.minutes(2))) struct PipeliningTests {
  /// A request and its answer.
  private struct Exchange {
    var bytes: [UInt8]
    var answer: String
    var hasBody = true

    init(_ number: Int, _ generator: inout SeededGenerator) {
      switch generator.below(4) {
      case 0:
        (bytes, answer, hasBody) = (Array("HEAD /\(number) HTTP/1.1\r\nHost: x\r\n\r\n".utf8), "", false)
      case 1:
        answer = String(repeating: "0123456789", count: generator.below(700))
        bytes = Array(
          "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)".utf8)
      case 2:
        answer = ""
        bytes = Array("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        for _ in 0..<generator.below(20) {
          let chunk = String(repeating: "x", count: 1 + generator.below(300))
          answer += chunk
          bytes += Array("\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n".utf8)
        }
        bytes += Array("0\r\n\r\n".utf8)
      default:
        answer = "GET /\(number)"
        bytes = Array("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
      }
    }
  }

  @Test(arguments: Randomness.seeds(60), [false, true])
  func `Requests are answered in their order, however they are divided`(seed: UInt64, closesSide: Bool)
    async throws
  {
    var generator = SeededGenerator(seed: seed)
    let running = try await RunningServer()
    let client = try WebClient(port: running.port)
    let exchanges = (0..<1 + generator.below(12)).map { Exchange($0, &generator) }
    var rest = exchanges.flatMap(\.bytes)[...]
    let size = rest.count
    while !rest.isEmpty {
      let count = min(rest.count, 1 + generator.below(generator.oneIn(2) ? 20 : 6_000))
      client.send(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    if closesSide { client.closeWriting() }
    var answered = 0
    for exchange in exchanges {
      // Beyond a few thousand bytes, requests are dropped when the client closes its side.
      guard let answer = try? client.answer(hasBody: exchange.hasBody) else { break }
      #expect(answer.status == 200, "\(seedNote(seed))")
      #expect(answer.text == exchange.answer, "\(seedNote(seed))")
      answered += 1
    }
    #expect(
      answered == exchanges.count || (closesSide && size > 4_096 && answered > 0),
      "\(answered); \(seedNote(seed))")
    client.close()
    await running.drained()
  }
}
