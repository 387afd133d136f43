import Files
import TestSupport
import Testing

@testable import Watch

/// The changes of one real git command are one batch of git.
@Suite(.serialized, .timeLimit(.minutes(3))) struct GitTests {
  /// `main` has a, b, c in `notes`; `other` rewrites a and b, drops c and adds d; `feature` has
  /// five commits of its own that start at main's first.
  private static let setUp = """
    git init -q -b main .; printf '.sentinel\\n' >> .git/info/exclude; mkdir -p notes; touch keep
    for f in a b c; do echo "$f: main" > notes/$f.yaml; done; git add keep notes; git commit -qm main
    git checkout -q -b other; for f in a b d; do echo "$f: other" > notes/$f.yaml; done; rm notes/c.yaml; git add -A notes; git commit -qm other
    git checkout -q main; git checkout -q -b feature
    for i in 1 2 3 4 5; do echo $i > notes/e$i.yaml; echo "c: $i" > notes/c.yaml; git add -A notes; git commit -qm $i; done
    git checkout -q -b without main; git rm -q -r --cached notes; git commit -qm without; rm notes/*.yaml
    git checkout -q -f main
    """

  private static let commands: [(String, [String])] = [
    ("git checkout -q other", ["git: notes/a.yaml notes/b.yaml notes/c.yaml notes/d.yaml"]),
    (
      "git switch -q feature",
      ["git: notes/c.yaml notes/e1.yaml notes/e2.yaml notes/e3.yaml notes/e4.yaml notes/e5.yaml"]
    ),
    ("git merge -q other", ["git: notes/a.yaml notes/b.yaml notes/c.yaml notes/d.yaml"]),
    ("git cherry-pick other", ["git: notes/a.yaml notes/b.yaml notes/c.yaml notes/d.yaml"]),
    ("git reset -q --hard other", ["git: notes/a.yaml notes/b.yaml notes/c.yaml notes/d.yaml"]),
    ("git checkout -q other -- notes/a.yaml notes/b.yaml", ["git: notes/a.yaml notes/b.yaml"]),
    ("git restore -q --source other notes/a.yaml", ["git: notes/a.yaml"]),
    ("git rm -q notes/a.yaml notes/b.yaml", ["git: notes/a.yaml notes/b.yaml"]),
    ("git mv notes/a.yaml notes/z.yaml", ["git: notes/a.yaml notes/z.yaml"]),
    ("git status", []),
    ("git commit -q --allow-empty -m x", []),
  ]

  @Test(arguments: commands)
  func `a command is one batch`(command: String, updates: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.shell(Self.setUp)
    let recorder = try WatchRecorder(folder)
    #expect(try await recorder.updates(after: command) == updates)
  }

  @Test func `the commands of a repository that was made after the watch are batches too`() async throws {
    let folder = try TemporaryFolder()
    let recorder = try WatchRecorder(folder)
    _ = try await recorder.updates(after: Self.setUp)
    let (command, updates) = Self.commands[0]
    #expect(try await recorder.updates(after: command) == updates)
  }

  @Test func `a repository that is made in the work tree of another one is noticed`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell("git init -q -b main .; mkdir in; echo a > in/a.yaml; git add in; git commit -qm outer")
    let recorder = try WatchRecorder(folder, subfolder: "in")
    _ = try await recorder.updates(after: "cd in; \(Self.setUp)")
    let (command, updates) = Self.commands[0]
    #expect(try await recorder.updates(after: "cd in; \(command)") == updates)
  }

  @Test func `a rebase is one batch`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell(
      "\(Self.setUp); git checkout -q main; echo f > notes/f.yaml; git add notes; git commit -qm f; git checkout -q feature"
    )
    let recorder = try WatchRecorder(folder)
    let updates = try await recorder.updates(after: "git rebase -q main")
    #expect(updates.count == 1, "\(updates)")
    #expect(updates.first?.hasPrefix("git: notes/c.yaml ") == true, "\(updates)")
  }

  @Test func `a stash and its pop are one batch each`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell(
      "\(Self.setUp); for f in a b c; do echo changed > notes/$f.yaml; done; echo new > notes/new.yaml")
    let recorder = try WatchRecorder(folder)
    #expect(
      try await recorder.updates(after: "git stash -q -u") == [
        "git: notes/a.yaml notes/b.yaml notes/c.yaml notes/new.yaml"
      ])
    #expect(
      try await recorder.updates(after: "git stash pop -q") == [
        "git: notes/a.yaml notes/b.yaml notes/c.yaml notes/new.yaml"
      ])
  }

  @Test func `a pull is one batch`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell(
      "mkdir up; cd up; \(Self.setUp); cd ..; git clone -q -b main up down; cd up; git merge -q other")
    let recorder = try WatchRecorder(folder, subfolder: "down/notes")
    #expect(
      try await recorder.updates(after: "cd down; git pull -q --no-rebase") == [
        "git: a.yaml b.yaml c.yaml d.yaml"
      ])
  }

  @Test func `a merge that conflicts is one batch`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell("\(Self.setUp); echo mine > notes/a.yaml; git commit -qam mine")
    let recorder = try WatchRecorder(folder)
    let updates = try await recorder.updates(after: "git merge -q other || true")
    #expect(updates == ["git: notes/a.yaml notes/b.yaml notes/c.yaml notes/d.yaml"])
    #expect(try folder.shell("cat notes/a.yaml").contains("<<<<<<<"))
    #expect(try await recorder.updates(after: "echo solved > notes/a.yaml") == ["notes/a.yaml"])
  }

  @Test func `a rebase that stops ends the wait`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell("\(Self.setUp); echo mine > notes/a.yaml; git commit -qam mine")
    let recorder = try WatchRecorder(folder, options: WatchOptions(maxWait: .seconds(1)))
    let updates = try await recorder.updates(after: "git rebase -q other || true")
    #expect(!updates.isEmpty)
    #expect(updates.allSatisfy { $0.hasPrefix("git: ") }, "\(updates)")
    #expect(
      try await recorder.updates(after: "rm notes/a.yaml; echo solved > notes/a.yaml") == ["notes/a.yaml"])
  }

  @Test func `a linked work tree has its own markers`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell(
      "mkdir top; cd top; \(Self.setUp); git worktree add -q ../linked feature; touch ../linked/notes/.sentinel"
    )
    let recorder = try WatchRecorder(folder, subfolder: "linked/notes")
    #expect(
      try await recorder.updates(after: "cd linked; git checkout -q other") == [
        "git: a.yaml b.yaml c.yaml d.yaml e1.yaml e2.yaml e3.yaml e4.yaml e5.yaml"
      ])
  }

  @Test func `a submodule has its own markers`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell(
      "mkdir lib; cd lib; \(Self.setUp); cd ..; git init -q super; cd super; git -c protocol.file.allow=always submodule --quiet add ../lib sub; cd sub; git checkout -q origin/main"
    )
    let recorder = try WatchRecorder(folder, subfolder: "super/sub/notes")
    #expect(
      try await recorder.updates(after: "cd super/sub; git checkout -q origin/other") == [
        "git: a.yaml b.yaml c.yaml d.yaml"
      ])
  }

  @Test func `work trees inside the root have their own markers`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell("mkdir top; cd top; \(Self.setUp); cd ..; mkdir all; git clone -q -b main top all/known")
    let recorder = try WatchRecorder(folder, subfolder: "all")
    #expect(
      try await recorder.updates(after: "git clone -q -b main top all/new") == [
        "git: \(Self.files("new", "a b c"))"
      ])
    #expect(
      try await recorder.updates(after: "git -C all/new checkout -q origin/other") == [
        "git: \(Self.files("new", "a b c d"))"
      ])
    #expect(
      try await recorder.updates(after: "git -C all/known checkout -q origin/other") == [
        "git: \(Self.files("known", "a b c d"))"
      ])
    #expect(
      try await recorder.updates(after: "git -C all/new worktree add -q ../tree main") == [
        "git: \(Self.files("tree", "a b c"))"
      ])
    #expect(
      try await recorder.updates(after: "git -C all/tree checkout -q --detach origin/other") == [
        "git: \(Self.files("tree", "a b c d"))"
      ])
    // A tree that was moved is a new tree, and so is the one that takes its place.
    _ = try await recorder.updates(after: "mv all/known all/moved; git clone -q top all/known")
    #expect(
      try await recorder.updates(after: "git -C all/moved checkout -q main") == [
        "git: \(Self.files("moved", "a b c d"))"
      ])
    #expect(
      try await recorder.updates(after: "git -C all/known checkout -q origin/other") == [
        "git: \(Self.files("known", "a b c d"))"
      ])
    // A folder that becomes a repository and stops being one.
    _ = try await recorder.updates(
      after: "rm -rf all/known/.git; cd all/known; git init -q .; git add .; git commit -qm x; git tag x")
    #expect(
      try await recorder.updates(after: "cd all/known; git rm -q notes/a.yaml notes/b.yaml") == [
        "git: \(Self.files("known", "a b"))"
      ])
    #expect(
      try await recorder.updates(after: "cd all/known; rm -rf .git; rm notes/d.yaml") == [
        Self.files("known", "d")
      ])
  }

  private static func files(_ tree: String, _ names: String) -> String {
    names.split(separator: " ").map { "\(tree)/notes/\($0).yaml" }.joined(separator: " ")
  }

  /// The shell that stays in the folder keeps its inode, so the folder itself causes no event when
  /// it is removed.
  @Test(arguments: ["", "cd notes; sleep 5 > /dev/null 2>&1 & cd ..; "])
  func `a checkout that removes the root and one that restores it are reported`(beside: String) async throws {
    let folder = try TemporaryFolder()
    try folder.shell("\(Self.setUp); printf 'notes/.sentinel\\n' >> .git/info/exclude")
    let recorder = try WatchRecorder(folder, subfolder: "notes")
    try folder.shell("\(beside)git checkout -q without")
    try await recorder.until {
      $0.contains { $0.origin == .git && $0.files.count == 3 } || $0.contains { $0.subtrees.contains(.root) }
    }
    #expect(try folder.shell("ls; rm -rf notes").contains("keep"))
    try await recorder.until { $0.contains { $0.subtrees.contains(.root) } }
    _ = try folder.shell("git checkout -q main")
    try await recorder.until {
      $0.contains { $0.origin == .git && $0.subtrees.contains(.root) && $0.files.count >= 3 }
    }
    #expect(recorder.notices.map(\.code) == [.rootGone, .rootBack])
    #expect(
      try await recorder.updates(after: "touch notes/.sentinel; echo x > notes/a.yaml").last?.contains(
        "a.yaml") == true)
  }

  @Test func `a reader learns that a command overtakes its batch`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell(Self.setUp)
    let watch = try DirectoryWatcher(root: "\(folder.path)/notes", filter: WatchRecorder.filter)
    try folder.shell("git checkout -q other")
    let batch = try #require(await watch.nextBatch())
    #expect(batch.origin == .git)
    #expect(batch.files.count == 4)
    #expect(await !watch.isOvertaken(batch))
    // A command that is half done.
    try folder.shell("touch .git/index.lock; rm notes/a.yaml; echo x > notes/a.yaml")
    #expect(await watch.isOvertaken(batch))
    #expect(await !watch.isOvertaken(DirtyPaths(files: [RelativePath(bytes: "b.yaml".utf8)])))
    try folder.shell("cp .git/index .git/index.lock; mv .git/index.lock .git/index")
    #expect(await watch.nextBatch()?.files == [RelativePath(bytes: "a.yaml".utf8)])
    #expect(await !watch.isOvertaken(batch))
    try folder.shell("touch .git/index.lock; rm notes/a.yaml")
    watch.stop()
    // It is answered in any case: by the last round of the thread, or because there is no more
    // round.
    _ = await watch.isOvertaken(batch)
    #expect(await watch.nextBatch() == nil)
  }

  // MARK: Events that are read late, as by a process that was stopped

  @Test(arguments: commands)
  func `a command whose events are read late is one batch`(command: String, updates: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.shell(Self.setUp)
    var late = try LateReader(folder.path)
    try folder.shell(command)
    #expect(try late.updates() == updates)
  }

  @Test func `a checkout that removes the root is one batch when its events are read late`() throws {
    let folder = try TemporaryFolder()
    try folder.shell(Self.setUp)
    var late = try LateReader("\(folder.path)/notes")
    try folder.shell("git checkout -q without")
    #expect(try late.updates() == ["git: a.yaml b.yaml c.yaml /"])
    try folder.shell("git checkout -q main")
    #expect(try late.updates() == ["git: a.yaml b.yaml c.yaml /"])
    try folder.shell("git checkout -q without; git checkout -q other")
    #expect(try late.updates() == ["git: a.yaml b.yaml c.yaml d.yaml /"])
  }
}

/// A source and a settler without a thread. They read events when a test calls them.
private struct LateReader {
  private let source: InotifySource
  private var settler = Settler(timing: SettleTiming())

  init(_ root: String) throws {
    source = try InotifySource(root: RootPath(root), filter: WatchRecorder.filter)
    apply(try source.start(at: .now))
  }

  /// Returns the batches of everything that happened until now, as in `SettlerBench.due`.
  mutating func updates() throws -> [String] {
    var now = SuspendingClock.now
    var updates: [String] = []
    repeat {
      while try read(at: now) {}
      updates += settler.removeDue(at: now).map(WatchRecorder.text)
      if let deadline = settler.deadline { now = max(now, deadline) }
    } while settler.deadline != nil
    return updates
  }

  /// Reads one buffer of events. Returns false if there are no more.
  private mutating func read(at now: SuspendingClock.Instant) throws -> Bool {
    let report = source.read(at: now, isDecisionDue: true)
    apply(report)
    if let failure = report.failure { throw failure }
    return !report.isDrained
  }

  private mutating func apply(_ report: SourceReport) {
    for event in report.events { settler.apply(event, at: report.time) }
  }
}
