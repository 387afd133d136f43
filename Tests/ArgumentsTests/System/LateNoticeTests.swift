import Dispatch
import Testing

@testable import notes_watch

@Suite(.timeLimit(.minutes(1))) struct LateNoticeTests {
  @Test func `a notice is written once, after a silence`() async throws {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let notice = LateNotice("Reading.", after: .milliseconds(1)) { continuation.yield($0) }
    var written = lines.makeAsyncIterator()
    #expect(await written.next() == "Reading.")
    notice.start()
    notice.stop()
    continuation.finish()
    #expect(await written.next() == nil)
  }
}
