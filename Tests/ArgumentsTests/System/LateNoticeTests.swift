import Dispatch
import Files
import Testing
import Processes

@testable import notes_watch

@Suite(.timeLimit(.minutes(1))) struct LateNoticeTests {
  @Test func `a notice is written once, after a silence`() async {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let notice = LateNotice("Reading.", after: .milliseconds(1)) { continuation.yield($0) }
    let alarm = notice.wait()
    var written = lines.makeAsyncIterator()
    #expect(await written.next() == "Reading.")
    #expect(notice.wait() == nil)
    alarm?.cancel()
    continuation.finish()
    #expect(await written.next() == nil)
  }

  @Test func `work that prints in time has no notice`() async {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let notice = LateNotice("Reading.", after: .milliseconds(50)) { continuation.yield($0) }
    for _ in 0..<3 { notice.wait()?.cancel() }
    await Alarm.wait(for: .milliseconds(200))
    continuation.finish()
    var written = lines.makeAsyncIterator()
    #expect(await written.next() == nil)
  }
}
