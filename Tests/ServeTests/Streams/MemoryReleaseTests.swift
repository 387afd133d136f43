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

  @Test func `memory is given back once after many streams have ended`() async {
    let calls = Calls()
    let memory = MemoryRelease(after: .milliseconds(20)) { calls.add() }
    for remaining in (0..<500).reversed() { memory.streamEnded(remaining: remaining) }
    await calls.made.wait()
    #expect(calls.count == 1)
    for _ in 0..<MemoryRelease.minEnded { memory.streamEnded(remaining: 0) }
    await calls.made.wait()
    #expect(calls.count == 2)
  }

  @Test func `memory is kept while most streams remain`() async {
    let calls = Calls()
    let memory = MemoryRelease(after: .zero) { calls.add() }
    for _ in 0..<99 { memory.streamEnded(remaining: 100) }
    #expect(calls.count == 0)
    memory.streamEnded(remaining: 100)
    await calls.made.wait()
    #expect(calls.count == 1)
  }
}
