import Synchronization
import Testing

@testable import PlainStore

@Suite(.timeLimit(.minutes(1)))
struct TurnsTests {
  @Test func `One is at it at a time, and everybody gets a turn`() async {
    let turns = Turns()
    let inside = Atomic(0), done = Atomic(0)
    await withTaskGroup { group in
      for _ in 0..<50 {
        group.addTask {
          await turns.take()
          defer { turns.give() }
          #expect(inside.add(1, ordering: .sequentiallyConsistent).newValue == 1)
          await Task.yield()
          inside.subtract(1, ordering: .sequentiallyConsistent)
          done.add(1, ordering: .sequentiallyConsistent)
        }
      }
    }
    #expect(done.load(ordering: .sequentiallyConsistent) == 50)
  }
}
