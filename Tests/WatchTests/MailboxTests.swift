import Files
import Synchronization
import Testing

@testable import Watch

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
  private func batch(_ names: String..., origin: DirtyPaths.Origin = .files) -> DirtyPaths {
    DirtyPaths(files: Set(names.map { RelativePath(bytes: $0.utf8) }), origin: origin)
  }

  @Test func `batches that nobody fetched are merged`() async {
    let mailbox = Mailbox()
    for name in ["a", "b", "a", "c"] { mailbox.put(.dirty(batch(name))) }
    #expect(await mailbox.nextBatch() == batch("a", "b", "c"))
  }

  @Test func `batches of two origins merge to the origin files`() async {
    let mailbox = Mailbox()
    mailbox.put(.dirty(batch("a", origin: .git)))
    #expect(await mailbox.nextBatch() == batch("a", origin: .git))
    mailbox.put(.dirty(batch("a", origin: .git)))
    mailbox.put(.dirty(batch("b", origin: .git)))
    #expect(await mailbox.nextBatch() == batch("a", "b", origin: .git))
    mailbox.put(.dirty(batch("a", origin: .git)))
    mailbox.put(.dirty(batch("b")))
    #expect(await mailbox.nextBatch() == batch("a", "b"))
  }

  @Test func `a batch of git overtakes the batches that it overlaps`() async {
    let mailbox = Mailbox()
    mailbox.put(.dirty(batch("a")))
    #expect(!mailbox.isOvertaken(batch("a", "b")))
    mailbox.put(.dirty(batch("c", origin: .git)))
    #expect(mailbox.isOvertaken(batch("a", "b")))
    #expect(!mailbox.isOvertaken(batch("b")))
    _ = await mailbox.nextBatch()
    #expect(!mailbox.isOvertaken(batch("a", "b")))
  }

  @Test func `a tick comes after the batch before it and before the batch after it`() async {
    let mailbox = Mailbox()
    mailbox.put(.dirty(batch("a")))
    mailbox.put(.tick)
    mailbox.put(.dirty(batch("b")))
    #expect(await mailbox.next() == .dirty(batch("a", "b")))
    mailbox.put(.dirty(batch("c")))
    #expect(await mailbox.next() == .tick)
    #expect(await mailbox.next() == .dirty(batch("c")))
  }

  @Test func `several ticks that nobody fetched are one`() async {
    let mailbox = Mailbox()
    for _ in 0..<3 { mailbox.put(.tick) }
    mailbox.put(.dirty(batch("a")))
    #expect(await mailbox.next() == .tick)
    #expect(await mailbox.next() == .dirty(batch("a")))
  }

  @Test func `a reader of batches leaves the tick to others`() async {
    let mailbox = Mailbox()
    mailbox.put(.tick)
    async let fetched = mailbox.nextBatch()
    mailbox.put(.dirty(batch("a")))
    #expect(await fetched == batch("a"))
    #expect(await mailbox.next() == .tick)
  }

  /// A store that reads its folder for `SIGHUP` waits so for the end of a git command, while its
  /// request for the next event is open.
  @Test func `a reader of batches comes before one that waits longer for any event`() async {
    let mailbox = Mailbox()
    let received = Mutex<[WatchEvent?]>([])
    mailbox.next { event in received.withLock { $0.append(event) } }
    let queue = QueueExecutor("reader of batches")
    let fetched = Task(executorPreference: queue) { await mailbox.nextBatch() }
    // The queue runs the task until it waits.
    await queue.run {}
    mailbox.put(.dirty(batch("a")))
    #expect(await fetched.value == batch("a"))
    #expect(received.withLock(\.self).isEmpty)
    mailbox.put(.dirty(batch("b")))
    #expect(received.withLock(\.self) == [.dirty(batch("b"))])
  }

  @Test func `a waiting reader gets the next batch`() async {
    let mailbox = Mailbox()
    async let taken = mailbox.nextBatch()
    mailbox.put(.dirty(batch("a")))
    #expect(await taken == batch("a"))
  }

  @Test func `a closure gets the next event once, at once if there is one`() async {
    let mailbox = Mailbox()
    let received = Mutex<[WatchEvent?]>([])
    let receive: @Sendable (WatchEvent?) -> Void = { event in received.withLock { $0.append(event) } }
    mailbox.put(.dirty(batch("a")))
    mailbox.next(receive)
    #expect(received.withLock { $0 } == [.dirty(batch("a"))])
    mailbox.put(.dirty(batch("b")))
    mailbox.next(receive)
    mailbox.next(receive)
    #expect(received.withLock { $0 } == [.dirty(batch("a")), .dirty(batch("b"))])
    mailbox.close()
    #expect(received.withLock { $0 } == [.dirty(batch("a")), .dirty(batch("b")), nil])
  }

  @Test func `a mailbox with a closure is drained when it asks again`() async {
    let mailbox = Mailbox()
    mailbox.next { _ in }
    await mailbox.drained()
    mailbox.put(.dirty(batch("a")))
    async let drained: Void = mailbox.drained()
    while !mailbox.hasBarrier { await Task.yield() }
    mailbox.next { _ in }
    await drained
  }

  @Test func `a cancelled reader ends and loses nothing`() async {
    let mailbox = Mailbox()
    let reader = Task { await mailbox.nextBatch() }
    reader.cancel()
    #expect(await reader.value == nil)
    mailbox.put(.dirty(batch("a")))
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await mailbox.nextBatch()
    }
    #expect(await late.value == nil)
    #expect(await mailbox.nextBatch() == batch("a"))
  }

  @Test func `closing ends every reader`() async {
    let mailbox = Mailbox()
    let readers = (0..<3).map { _ in Task { await mailbox.nextBatch() } }
    mailbox.close()
    for reader in readers { #expect(await reader.value == nil) }
    mailbox.put(.dirty(batch("a")))
    #expect(await mailbox.nextBatch() == nil)
  }

  /// Every name comes out at least once, whichever readers are cancelled.
  @Test func `racing readers lose nothing`() async {
    let mailbox = Mailbox()
    let names = (0..<500).map { "f\($0)" }
    let reader = Task {
      var seen: Set<RelativePath> = []
      while seen.count < names.count {
        let attempt = Task { await mailbox.nextBatch() }
        if seen.count % 3 == 0 { attempt.cancel() }
        seen.formUnion(await attempt.value?.files ?? [])
      }
      return seen
    }
    for name in names {
      mailbox.put(.dirty(batch(name)))
      await Task.yield()
    }
    #expect(await reader.value.count == names.count)
  }

  @Test func `a mailbox is drained when its reader has handled everything and asks again`() async {
    let mailbox = Mailbox()
    mailbox.put(.dirty(batch("a")))
    let handled = Mutex(0)
    let reader = Task {
      while await mailbox.next() != nil {
        for _ in 0..<20 { await Task.yield() }
        handled.withLock { $0 += 1 }
      }
    }
    for round in 1...100 {
      await mailbox.drained()
      #expect(handled.withLock { $0 } == round)
      mailbox.put(.dirty(batch("b")))
    }
    mailbox.close()
    await mailbox.drained()
    await reader.value
  }

  @Test func `a busy mailbox does not keep a task waiting`() async {
    let mailbox = Mailbox()
    mailbox.put(.dirty(batch("a")))
    let drained = Task { await mailbox.drained() }
    while !mailbox.hasBarrier { await Task.yield() }
    for name in ["b", "c"] {
      _ = await mailbox.next()
      mailbox.put(.dirty(batch(name)))
    }
    await drained.value
  }

  @Test func `waiting for a mailbox without a reader ends with its task and with the mailbox`() async {
    let mailbox = Mailbox()
    let cancelled = Task { await mailbox.drained() }
    cancelled.cancel()
    await cancelled.value
    let closed = Task { await mailbox.drained() }
    while !mailbox.hasBarrier { await Task.yield() }
    mailbox.close()
    await closed.value
  }
}
