import Synchronization
import Testing

@testable import PlainStore

@Suite(.timeLimit(.minutes(1)))
struct TurnsTests {
  private final class Counts: Sendable {
    let inside = Atomic(0)
    let done = Atomic(0)
  }

  @Test func `One is at it at a time, and everybody gets a turn`() async {
    let turns = Turns()
    let counts = Counts()
    await withTaskGroup { group in
      for _ in 0..<50 {
        group.addTask {
          await turns.take()
          defer { turns.give() }
          #expect(counts.inside.add(1, ordering: .sequentiallyConsistent).newValue == 1)
          await Task.yield()
          counts.inside.subtract(1, ordering: .sequentiallyConsistent)
          counts.done.add(1, ordering: .sequentiallyConsistent)
        }
      }
    }
    #expect(counts.done.load(ordering: .sequentiallyConsistent) == 50)
  }
}
