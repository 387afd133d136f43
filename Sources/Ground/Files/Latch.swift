/// A condition that becomes true once, before or while one task waits for it.
package final class Latch: Sendable {
  private let end: AsyncStream<Never>
  private let opener: AsyncStream<Never>.Continuation

  package init() { (end, opener) = AsyncStream.makeStream() }

  package func open() { opener.finish() }

  /// Waits until the latch is open, or until the task is cancelled. Call it once.
  package func wait() async {
    var end = end.makeAsyncIterator()
    _ = await end.next()
  }
}
