import Files
import TestSupport
import Testing

@testable import Watch

/// Polling delivers the same batches as inotify.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PollingTests {
  private static let options = WatchOptions(polling: .always, pollInterval: .milliseconds(50))

  @Test(arguments: [
    ("echo two > a.yaml", ["a.yaml"]), ("rm a.yaml", ["a.yaml"]),
    ("mkdir d; echo x > d/b.yaml", ["d/b.yaml"]),
    ("echo one > .x; touch -r a.yaml .x; mv .x a.yaml", ["a.yaml"]), ("chmod 600 a.yaml", ["a.yaml"]),
    ("touch -d 2001-01-01 a.yaml", ["a.yaml"]), ("true", []),
  ])
  func `polling reports a change`(script: String, updates: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write("one\n", to: "a.yaml")
    let recorder = try WatchRecorder(folder, options: Self.options)
    #expect(try await recorder.updates(after: script) == updates)
    #expect(recorder.watch.counters.isPolling)
    #expect(recorder.watch.counters.watches == 0)
  }

  /// A file that a listing between two polls finds, and that is gone before the second poll, would
  /// never be reported.
  @Test func `a folder that is listed on request is reported again after the next poll`() throws {
    let folder = try TemporaryFolder(), d = RelativePath(bytes: "d".utf8)
    try folder.shell("mkdir d")
    let source = PollingSource(root: RootPath(folder.path), filter: WatchFilter(), interval: .seconds(1))
    let now = SuspendingClock.now
    #expect(try source.start(at: now).events.isEmpty)
    #expect(source.restoreWatches(d, at: now).events.isEmpty)
    let first = source.read(at: now, isDecisionDue: true).events
    #expect(first == [.change(.changed(isEmpty: false), of: .subtree(d))])
    #expect(source.read(at: now, isDecisionDue: true).events == [])
  }

  @Test func `a root that disappears and comes back is reported`() async throws {
    let folder = try TemporaryFolder()
    let recorder = try WatchRecorder(folder, subfolder: "root", options: Self.options)
    try folder.shell("rm -r root")
    try await recorder.until { $0.contains { $0.subtrees == [.root] } }
    try folder.shell("mkdir root; touch root/.sentinel; echo x > root/a.yaml")
    try await recorder.until { $0.contains { batch in batch.files.contains { $0.description == "a.yaml" } } }
    #expect(recorder.notices.map(\.code) == [.rootGone, .rootBack])
  }

  @Test func `a git command that runs during a poll is one batch`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell("git init -q .")
    let recorder = try WatchRecorder(folder, options: Self.options)
    // Imitated, because a real command is over between two polls.
    let updates = try await recorder.updates(
      after:
        "touch .git/index.lock; echo x > a.yaml; sleep 0.3; echo x > b.yaml; sleep 0.3; rm .git/index.lock")
    #expect(updates == ["git: a.yaml b.yaml"])
  }
}
