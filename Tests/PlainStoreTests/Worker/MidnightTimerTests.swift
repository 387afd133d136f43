import Query
import Synchronization
import TestSupport
import Testing

@testable import PlainStore

@Suite(.timeLimit(.minutes(1))) struct MidnightTimerTests {
  @Test func `a timer calls its closure after each wait until the closure returns false`() async {
    let (calls, continuation) = AsyncStream<Int>.makeStream()
    let count = Mutex(0)
    let timer = MidnightTimer(wait: { .milliseconds(1) }) {
      let call = count.withLock {
        $0 += 1
        return $0
      }
      continuation.yield(call)
      if call == 3 { continuation.finish() }
      return call < 3
    }
    #expect(await calls.reduce(into: []) { $0.append($1) } == [1, 2, 3])
    _ = timer
  }

  @Test func `a released timer releases what its closure holds`() async {
    final class Owner: Sendable {}
    var owner: Owner? = Owner()
    weak let released = owner
    do {
      let timer = MidnightTimer(wait: { .seconds(3_600) }) { [owner] in owner != nil }
      _ = timer
    }
    owner = nil
    // The source releases its handler on its queue, after it was cancelled.
    while released != nil { await Task.yield() }
    #expect(released == nil)
  }
}
