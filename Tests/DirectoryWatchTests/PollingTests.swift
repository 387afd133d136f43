import TestSupport
import Testing

@testable import DirectoryWatch

/// The same batches without inotify.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PollingTests {
  private static let options = WatchOptions(polling: .always, pollInterval: .milliseconds(50))

  @Test(arguments: [
    ("echo two > a.yaml", ["a.yaml"]), ("rm a.yaml", ["a.yaml"]), ("mkdir d; echo x > d/b.yaml", ["d/b.yaml"]),
    ("echo one > .x; touch -r a.yaml .x; mv .x a.yaml", ["a.yaml"]), ("chmod 600 a.yaml", ["a.yaml"]),
    ("touch -d 2001-01-01 a.yaml", ["a.yaml"]), ("true", []),
  ])
  func findsAChange(script: String, updates: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write("one\n", to: "a.yaml")
    let recorder = try WatchRecorder(folder, options: Self.options)
    #expect(try await recorder.updates(after: script) == updates)
    #expect(recorder.watch.counters.isPolling && recorder.watch.counters.watches == 0)
  }

  /// What a listing between two looks finds, and what goes before the second, would never be told of.
  @Test func aFolderThatIsListedWhenAskedIsListedAgainAfterTheNextLook() throws {
    let folder = try TemporaryFolder(), d = RelativePath(bytes: "d".utf8)
    try folder.shell("mkdir d")
    let source = PollingSource(root: RootPath(folder.path), filter: WatchFilter())
    var settler = Settler(timing: SettleTiming())
    let now = SuspendingClock.now, later = now + .seconds(1)
    _ = try source.start(&settler, at: now)
    source.expectLook(at: d)
    source.poll(&settler, at: now)
    #expect(settler.takeDue(at: later) == [DirtyPaths(subtrees: [d])])
    source.poll(&settler, at: later)
    #expect(settler.takeDue(at: later + .seconds(1)).isEmpty)
  }

  @Test func aRootGoesAndComesBack() async throws {
    let folder = try TemporaryFolder()
    let recorder = try WatchRecorder(folder, subfolder: "root", options: Self.options)
    try folder.shell("rm -r root")
    try await recorder.until { $0.contains { $0.subtrees == [.root] } }
    try folder.shell("mkdir root; touch root/.sentinel; echo x > root/a.yaml")
    try await recorder.until { $0.contains { batch in batch.files.contains { $0.description == "a.yaml" } } }
    #expect(recorder.notices.map(\.code) == [.rootGone, .rootBack])
  }

  @Test func aGitCommandThatIsSeenAtWorkIsOneBatch() async throws {
    let folder = try TemporaryFolder()
    try folder.shell("git init -q .")
    let recorder = try WatchRecorder(folder, options: Self.options)
    // By hand, since a real one is over between two looks.
    let updates = try await recorder.updates(
      after: "touch .git/index.lock; echo x > a.yaml; sleep 0.3; echo x > b.yaml; sleep 0.3; rm .git/index.lock")
    #expect(updates == ["git: a.yaml b.yaml"])
  }
}
