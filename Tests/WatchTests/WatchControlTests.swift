import Files
import Synchronization
import Testing

@testable import Watch

@Suite(.timeLimit(.minutes(1))) struct WatchControlTests {
  private func batch(_ names: String..., origin: DirtyPaths.Origin = .files) -> DirtyPaths {
    DirtyPaths(files: Set(names.map { RelativePath(bytes: $0.utf8) }), origin: origin)
  }

  @Test func `batches that nobody fetched are merged`() async throws {
    let control = try WatchControl(root: "notes")
    for name in ["a", "b", "a", "c"] { control.put(.dirty(batch(name))) }
    #expect(await control.nextBatch() == batch("a", "b", "c"))
  }

  @Test func `batches of two origins merge to the origin files`() async throws {
    let control = try WatchControl(root: "notes")
    control.put(.dirty(batch("a", origin: .git)))
    #expect(await control.nextBatch() == batch("a", origin: .git))
    control.put(.dirty(batch("a", origin: .git)))
    control.put(.dirty(batch("b", origin: .git)))
    #expect(await control.nextBatch() == batch("a", "b", origin: .git))
    control.put(.dirty(batch("a", origin: .git)))
    control.put(.dirty(batch("b")))
    #expect(await control.nextBatch() == batch("a", "b"))
  }

  @Test func `a batch of git overtakes the batches that it overlaps`() async throws {
    let control = try WatchControl(root: "notes")
    control.put(.dirty(batch("a")))
    #expect(!control.holdsGitChanges(of: batch("a", "b")))
    control.put(.dirty(batch("c", origin: .git)))
    #expect(control.holdsGitChanges(of: batch("a", "b")))
    #expect(!control.holdsGitChanges(of: batch("b")))
    _ = await control.nextBatch()
    #expect(!control.holdsGitChanges(of: batch("a", "b")))
  }

  @Test func `a tick comes after the batch before it and before the batch after it`() async throws {
    let control = try WatchControl(root: "notes")
    control.put(.dirty(batch("a")))
    control.put(.tick)
    control.put(.dirty(batch("b")))
    #expect(await control.next() == .dirty(batch("a", "b")))
    control.put(.dirty(batch("c")))
    #expect(await control.next() == .tick)
    #expect(await control.next() == .dirty(batch("c")))
  }

  @Test func `several ticks that nobody fetched are one`() async throws {
    let control = try WatchControl(root: "notes")
    for _ in 0..<3 { control.put(.tick) }
    control.put(.dirty(batch("a")))
    #expect(await control.next() == .tick)
    #expect(await control.next() == .dirty(batch("a")))
  }

  @Test func `a reader of batches leaves the tick to others`() async throws {
    let control = try WatchControl(root: "notes")
    control.put(.tick)
    async let fetched = control.nextBatch()
    control.put(.dirty(batch("a")))
    #expect(await fetched == batch("a"))
    #expect(await control.next() == .tick)
  }

  /// A store that reads its folder for `SIGHUP` waits so for the end of a git command, while its
  /// request for the next event is open.
  @Test func `a waiting reader of batches gets the batch, and a listener hears of the next one`() async throws
  {
    let control = try WatchControl(root: "notes")
    let heard = Mutex(0)
    control.listen { heard.withLock { $0 += 1 } }
    let queue = QueueExecutor("reader of batches")
    let fetched = Task(executorPreference: queue) { await control.nextBatch() }
    // The queue runs the task until it waits.
    await queue.run {}
    control.put(.dirty(batch("a")))
    #expect(await fetched.value == batch("a"))
    #expect(heard.withLock(\.self) == 0)
    control.put(.dirty(batch("b")))
    #expect(heard.withLock(\.self) == 1)
    #expect(control.take() == .dirty(batch("b")))
  }

  /// The watcher's thread may put the batch of the git command before the store waits for it.
  @Test func `a listener leaves the batch to a reader of batches that comes later`() async throws {
    let control = try WatchControl(root: "notes")
    let heard = Mutex(0)
    let listener: @Sendable () -> Void = { heard.withLock { $0 += 1 } }
    control.listen(listener)
    control.put(.dirty(batch("a", origin: .git)))
    control.put(.tick)
    #expect(heard.withLock(\.self) == 1)
    #expect(control.holdsGitChanges(of: batch("a")))
    #expect(await control.nextBatch() == batch("a", origin: .git))
    // Only the tick is left.
    #expect(control.take() == .tick)
    #expect(control.take() == nil)
    control.listen(listener)
    #expect(heard.withLock(\.self) == 1)
    control.put(.dirty(batch("b")))
    #expect(heard.withLock(\.self) == 2)
    #expect(control.take() == .dirty(batch("b")))
  }

  @Test func `a waiting reader gets the next batch`() async throws {
    let control = try WatchControl(root: "notes")
    async let taken = control.nextBatch()
    control.put(.dirty(batch("a")))
    #expect(await taken == batch("a"))
  }

  @Test func `a listener is called once, at once if there is an event`() throws {
    let control = try WatchControl(root: "notes")
    let heard = Mutex(0)
    let listener: @Sendable () -> Void = { heard.withLock { $0 += 1 } }
    control.put(.dirty(batch("a")))
    control.listen(listener)
    #expect(heard.withLock(\.self) == 1)
    control.put(.dirty(batch("b")))
    #expect(heard.withLock(\.self) == 1)
    #expect(control.take() == .dirty(batch("a", "b")))
    control.listen(listener)
    #expect(heard.withLock(\.self) == 1)
    control.put(.tick)
    #expect(heard.withLock(\.self) == 2)
    #expect(control.take() == .tick)
    control.listen(listener)
    control.stop()
    control.listen(listener)
    #expect(heard.withLock(\.self) == 2)
    #expect(control.take() == nil)
  }

  @Test func `a listener has handled everything when it asks again`() async throws {
    let control = try WatchControl(root: "notes")
    control.listen {}
    await control.drained()
    control.put(.dirty(batch("a")))
    async let drained: Void = control.drained()
    while !control.hasBarrier { await Task.yield() }
    #expect(control.take() == .dirty(batch("a")))
    control.listen {}
    await drained
  }

  @Test func `a cancelled reader ends and loses nothing`() async throws {
    let control = try WatchControl(root: "notes")
    let reader = Task { await control.nextBatch() }
    reader.cancel()
    #expect(await reader.value == nil)
    control.put(.dirty(batch("a")))
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await control.nextBatch()
    }
    #expect(await late.value == nil)
    #expect(await control.nextBatch() == batch("a"))
  }

  @Test func `closing ends every reader`() async throws {
    let control = try WatchControl(root: "notes")
    let readers = (0..<3).map { _ in Task { await control.nextBatch() } }
    control.stop()
    for reader in readers { #expect(await reader.value == nil) }
    control.put(.dirty(batch("a")))
    #expect(await control.nextBatch() == nil)
  }

  /// Every name comes out at least once, whichever readers are cancelled.
  @Test func `racing readers lose nothing`() async throws {
    let control = try WatchControl(root: "notes")
    let names = (0..<500).map { "f\($0)" }
    let reader = Task {
      var seen: Set<RelativePath> = []
      while seen.count < names.count {
        let attempt = Task { await control.nextBatch() }
        if seen.count % 3 == 0 { attempt.cancel() }
        seen.formUnion(await attempt.value?.files ?? [])
      }
      return seen
    }
    for name in names {
      control.put(.dirty(batch(name)))
      await Task.yield()
    }
    #expect(await reader.value.count == names.count)
  }

  @Test func `a watch is drained when its reader has handled everything and asks again`() async throws {
    let control = try WatchControl(root: "notes")
    control.put(.dirty(batch("a")))
    let handled = Mutex(0)
    let reader = Task {
      while await control.next() != nil {
        for _ in 0..<20 { await Task.yield() }
        handled.withLock { $0 += 1 }
      }
    }
    for round in 1...100 {
      await control.drained()
      #expect(handled.withLock { $0 } == round)
      control.put(.dirty(batch("b")))
    }
    control.stop()
    await control.drained()
    await reader.value
  }

  @Test func `a busy watch does not keep a task waiting`() async throws {
    let control = try WatchControl(root: "notes")
    control.put(.dirty(batch("a")))
    let drained = Task { await control.drained() }
    while !control.hasBarrier { await Task.yield() }
    for name in ["b", "c"] {
      _ = await control.next()
      control.put(.dirty(batch(name)))
    }
    await drained.value
  }

  @Test func `waiting without a reader ends with its task and with the watch`() async throws {
    let control = try WatchControl(root: "notes")
    let cancelled = Task { await control.drained() }
    cancelled.cancel()
    await cancelled.value
    let closed = Task { await control.drained() }
    while !control.hasBarrier { await Task.yield() }
    control.stop()
    await closed.value
  }
}
