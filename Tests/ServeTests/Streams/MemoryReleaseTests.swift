import Synchronization
import Testing

@testable import Serve
import Streams

@Suite(.timeLimit(.minutes(1))) struct MemoryReleaseTests {
  /// Counts calls, and signals each.
  private final class Calls: Sendable {
    private let number = Mutex(0)
    let made = Wakeup()

    var count: Int { number.withLock { $0 } }

    func add() {
      number.withLock { $0 += 1 }
      made.signal()
    }
  }

  private static func open(_ count: Int, _ streams: WebStreams) throws -> [LiveStream] {
    try (0..<count).map { _ in try streams.open(session: "", hasHeartbeat: false, waking: Wakeup()) }
  }

  @Test func `memory is given back once after many streams have ended`() async throws {
    let calls = Calls()
    let streams = WebStreams(of: "/", WebOptions(), releasingAfter: .milliseconds(20)) { calls.add() }
    for stream in try Self.open(500, streams) { streams.close(stream) }
    await calls.made.wait()
    #expect(calls.count == 1)
    for stream in try Self.open(WebStreams.minEnded, streams) { streams.close(stream) }
    await calls.made.wait()
    #expect(calls.count == 2)
  }

  @Test func `memory is kept while most streams remain`() async throws {
    let calls = Calls()
    let streams = WebStreams(of: "/", WebOptions(), releasingAfter: .zero) { calls.add() }
    let open = try Self.open(199, streams)
    for stream in open[..<99] { streams.close(stream) }
    #expect(calls.count == 0)
    streams.close(open[99])
    await calls.made.wait()
    #expect(calls.count == 1)
  }
}
