import Scripts
import Testing
import Values

@testable import Daemon

@Suite struct SinkProgressTests {
  private func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds, nanoseconds: 0) }

  @Test func `failures are counted until a run succeeds`() {
    var progress = SinkProgress()
    for _ in 0..<3 {
      progress.apply(.runBegan, at: time(1))
      progress.apply(.runEnded(.exited(2)), at: time(2))
    }
    progress.message = "It failed."
    #expect(progress.failures == 3)
    #expect(progress.lastEnd == .exited(2))
    progress.apply(.runEnded(.stopped), at: time(3))
    #expect(progress.failures == 3, "a run that was stopped has not failed")
    progress.apply(.runEnded(.exited(0)), at: time(4))
    #expect(progress.failures == 0)
    #expect(progress.message == nil)
  }

  @Test func `the oldest change is the first one that no run has`() {
    var progress = SinkProgress()
    progress.apply(.changed, at: time(1))
    progress.apply(.changed, at: time(2))
    #expect(progress.since == time(1))
    progress.apply(.runBegan, at: time(3))
    progress.apply(.changed, at: time(4))
    progress.apply(.changed, at: time(5))
    #expect(progress.since == time(1))
    progress.apply(.state(.idle), at: time(6))
    #expect(progress.since == nil)
  }

  @Test func `only the last lines of an output are kept, and not all of a long one`() {
    var progress = SinkProgress()
    for number in 0..<30 { _ = progress.addOutput(Array("line \(number)\n".utf8)) }
    #expect(progress.lines.count == SinkProgress.maxLines)
    #expect(progress.lines.last == "line 29")
    let new = progress.addOutput(
      [UInt8](repeating: UInt8(ascii: "x"), count: 100_000) + [UInt8(ascii: "\n")] + Array("b\n".utf8))
    #expect(new.count == 2)
    #expect(new[0].utf8.count < SinkProgress.maxLength + 10)
    #expect(progress.lines.last == "b")
  }
}
