import Files
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Watch

@Suite(.serialized, .timeLimit(.minutes(2))) struct DirectoryWatcherTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ text: String) -> RelativePath { RelativePath(bytes: text.utf8) }

  // MARK: Use

  /// A link that comes back between the check of its watch and the check of the root would have no
  /// watch.
  @Test func `a root that is a link is followed however quickly it moves`() async throws {
    try folder.shell("mkdir one two; echo 1 > one/1.md; ln -s one root")
    let watch = try DirectoryWatcher(root: "\(folder.path)/root")
    for round in 0..<(Randomness.factor > 1 ? 40 : 12) {
      let mover = Task.detached { [folder] in
        for _ in 0..<50 {
          for (old, new) in [("root", "away"), ("away", "root")] {
            rename("\(folder.path)/\(old)", "\(folder.path)/\(new)")
          }
        }
      }
      await mover.value
      try folder.shell(
        "ln -sfn \(round.isMultiple(of: 2) ? "two" : "one") new; mv -T new root; echo \(round) > root/\(round).md"
      )
      var isSeen = false
      while !isSeen, let batch = await watch.nextBatch() {
        isSeen =
          batch.files.contains(path("\(round).md"))
          || batch.subtrees.contains(.root) && access("\(folder.path)/root/\(round).md", F_OK) == 0
      }
      #expect(isSeen)
    }
  }

  @Test(arguments: [
    Duration.seconds(Int64.max), .seconds(Int64.min),
    Duration(secondsComponent: .max, attosecondsComponent: 10 << 40),
  ])
  func `a watcher runs with any duration`(_ duration: Duration) async throws {
    for polling in [WatchOptions.Polling.always, .never] {
      let options = WatchOptions(
        settle: duration, maxWait: duration, polling: polling, pollInterval: duration)
      let watch = try DirectoryWatcher(root: folder.path, options: options)
      watch.scheduleTick(after: duration)
      watch.recheck(DirtyPaths(files: [path("a.md")]), after: duration)
      watch.rescan()
      var batch = await watch.nextBatch()
      // The file may come before the folder.
      while batch?.subtrees.isEmpty == true { batch = await watch.nextBatch() }
      #expect(batch?.subtrees == [.root])
    }
  }

  @Test func `a watcher lists the folder and then reports its changes`() async throws {
    try folder.write("one", to: "notes/a.md")
    let watch = try DirectoryWatcher(root: "\(folder.path)/notes")
    #expect(watch.consumeInitialListing().entries == [FoundEntry(path: path("a.md"), kind: .regular)])
    #expect(watch.counters.watches == 1)
    try folder.shell("echo two > notes/a.md")
    #expect(await watch.nextBatch() == DirtyPaths(files: [path("a.md")]))
    try folder.shell("echo one > notes/b.md")
    for await case .dirty(let batch) in watch.events {
      #expect(batch == DirtyPaths(files: [path("b.md")]))
      watch.stop()
    }
    #expect(await watch.nextBatch() == nil)
  }

  @Test func `changes between the listing and the first read are in a batch`() async throws {
    let watch = try DirectoryWatcher(root: folder.path)
    try folder.shell("for i in 1 2 3; do echo $i > $i.md; done")
    var files: Set<RelativePath> = []
    while files.count < 3, let batch = await watch.nextBatch() { files.formUnion(batch.files) }
    #expect(files == [path("1.md"), path("2.md"), path("3.md")])
  }

  /// The kernel reports two renames. In their order the second folder seems to leave after the
  /// first has taken its place.
  @Test func `two folders that exchange their names are both watched`() async throws {
    try folder.shell("mkdir -p one/deep two/deep")
    let recorder = try WatchRecorder(folder)
    try #require(exchange("\(folder.path)/one", "\(folder.path)/two"))
    _ = try await recorder.batches()
    for name in ["one", "two", "one/deep", "two/deep"] {
      #expect(try await recorder.updates(after: "echo x > \(name)/new.md") == ["\(name)/new.md"])
    }
  }

  /// A save exchanges a new text with the file. Nothing vanishes, so nothing waits for it to come back.
  @Test func `files that exchange their names are one complete change`() async throws {
    try folder.shell("echo 1 > a.md; echo 2 > b.md; echo 3 > .new")
    let recorder = try WatchRecorder(folder)
    try #require(exchange("\(folder.path)/.new", "\(folder.path)/a.md"))
    #expect(try await recorder.updates() == ["a.md"])
    try #require(exchange("\(folder.path)/a.md", "\(folder.path)/b.md"))
    #expect(try await recorder.updates() == ["a.md b.md"])
    // The same two renames, and the file is gone.
    #expect(try await recorder.updates(after: "mv .new a.md; mv a.md .new").last == "a.md")
  }

  @Test func `a rescan reports the folder as a subtree`() async throws {
    let watch = try DirectoryWatcher(root: folder.path)
    watch.rescan(path("sub"))
    #expect(await watch.nextBatch() == DirtyPaths(subtrees: [path("sub")]))
    watch.rescan()
    #expect(await watch.nextBatch() == DirtyPaths(subtrees: [.root]))
  }

  @Test func `a recheck reports its paths after the delay`() async throws {
    let watch = try DirectoryWatcher(root: folder.path)
    watch.recheck(DirtyPaths(files: [path("a")], subtrees: [path("d")]), after: .milliseconds(50))
    var seen = DirtyPaths()
    while seen.files.isEmpty || seen.subtrees.isEmpty, let batch = await watch.nextBatch() {
      seen.formUnion(batch)
    }
    #expect(seen == DirtyPaths(files: [path("a")], subtrees: [path("d")]))
  }

  /// A scan that finds a file empty asks for a second look, which must leave its program time to write.
  @Test func `an empty file that is rechecked waits like one that was emptied`() async throws {
    try folder.shell(": > empty.md")
    let watch = try DirectoryWatcher(root: folder.path)
    watch.recheck(path("empty.md"))
    let batch = await watch.nextBatch(), after = SuspendingClock.now
    #expect(batch == DirtyPaths(files: [path("empty.md")]))
    #expect(try #require(batch?.since) + SettleTiming().emptied <= after)
  }

  @Test func `a tick comes after every change observed before it`() async throws {
    let watch = try DirectoryWatcher(root: folder.path)
    // An empty file waits for half a second.
    try folder.shell(": > empty.md")
    watch.scheduleTick(after: .zero)
    var seen: [RelativePath] = []
    while case .dirty(let batch)? = await watch.next() { seen += batch.files }
    #expect(seen == [path("empty.md")])
  }

  @Test func `a batch has the time of its first change`() async throws {
    let watch = try DirectoryWatcher(root: folder.path)
    let before = SuspendingClock.now
    try folder.shell(": > empty.md")
    let batch = await watch.nextBatch(), after = SuspendingClock.now
    let since = try #require(batch?.since)
    #expect(before < since)
    #expect(since + SettleTiming().emptied <= after)
    watch.recheck(path("a"))
    #expect(try #require(await watch.nextBatch()?.since) > after)
  }

  @Test func `a new filter changes the watches and reports the root`() async throws {
    try folder.shell("mkdir in out")
    let watch = try DirectoryWatcher(
      root: folder.path, filter: WatchFilter(includesDirectory: { $0.name != "out" }))
    #expect(watch.counters.watches == 2)
    watch.setFilter(WatchFilter(includesDirectory: { $0.name != "in" }))
    #expect(await watch.nextBatch() == DirtyPaths(subtrees: [.root]))
    #expect(watch.counters.watches == 2)
    try folder.shell("echo > in/a; echo x > out/b")
    // The folders themselves may be named once more by then: one hint too many is harmless.
    var seen = DirtyPaths()
    while !seen.files.contains(path("out/b")), let batch = await watch.nextBatch() { seen.formUnion(batch) }
    #expect(seen.files.contains(path("out/b")))
    #expect(!seen.files.contains(path("in/a")))
  }

  @Test func `a watcher without references ends its thread`() async throws {
    final class Witness: Sendable {
      let done: AsyncStream<Void>.Continuation
      init(_ done: AsyncStream<Void>.Continuation) { self.done = done }
      deinit { done.finish() }
    }
    let (ended, done) = AsyncStream<Void>.makeStream()
    do {
      let witness = Witness(done)
      _ = try DirectoryWatcher(
        root: folder.path, filter: WatchFilter(includesFile: { _ in withExtendedLifetime(witness) { true } }))
    }
    // The thread releases the filter when it ends.
    for await _ in ended {}
  }

  @Test func `the thread sleeps while nothing happens`() async throws {
    // A subfolder, because the folder itself lies in a busy one whose removals cause events.
    let recorder = try WatchRecorder(folder, subfolder: "root")
    _ = try await recorder.updates(after: "echo x > root/a.yaml; rm root/a.yaml")
    let before = recorder.watch.counters.wakeups
    try folder.shell("sleep 0.5")
    #expect(recorder.watch.counters.wakeups == before)
  }

  @Test func `the error says why a watcher cannot start`() throws {
    let missing = #expect(throws: WatchError.self) { try DirectoryWatcher(root: "\(folder.path)/none") }
    #expect(missing?.description == "There is no folder `\(folder.path)/none`.")
    try folder.write("x", to: "file")
    let options = WatchOptions(polling: .always)
    let file = #expect(throws: WatchError.self) {
      try DirectoryWatcher(root: "\(folder.path)/file", options: options)
    }
    #expect(file?.code == .notADirectory)
  }

  // MARK: The root

  @Test func `only a link at the root itself is followed`() async throws {
    try folder.shell("mkdir real elsewhere; ln -s ../elsewhere real/inner; ln -s real root")
    let watch = try DirectoryWatcher(root: "\(folder.path)/root")
    #expect(watch.consumeInitialListing().entries == [FoundEntry(path: path("inner"), kind: .symbolicLink)])
    try folder.shell("echo x > elsewhere/a; echo x > real/b")
    #expect(await watch.nextBatch() == DirtyPaths(files: [path("b")]))
  }

  private static let replacements: [(String, String)] = [
    ("removed and made again", "rm -r up/root; mkdir up/root"),
    ("renamed away and back", "mv up/root up/other; mv up/other up/root"),
    ("replaced by a rename", "mkdir up/new; mv up/root up/old; mv up/new up/root"),
    ("removed with the folder above", "rm -r up; mkdir -p up/root"),
    ("gone with the folder above", "mv up away; mkdir -p up/root"),
    (
      "exchanged through its link",
      "mkdir other; rm up/root/.sentinel; mv up/root up/real; ln -s real up/root; ln -sfn ../other up/root"
    ),
  ]

  @Test(arguments: replacements)
  func `a root that is replaced is watched again`(be name: String, script: String) async throws {
    try folder.shell("mkdir up")
    let recorder = try WatchRecorder(folder, subfolder: "up/root")
    try folder.shell("\(script); touch up/root/.sentinel; mkdir up/root/d; echo x > up/root/d/a.yaml")
    // A root that is back before the thread looks is the same root: then only the new file is
    // reported.
    let file = path("d/a.yaml")
    try await recorder.until { $0.contains { $0.subtrees.contains(.root) || $0.files.contains(file) } }
    _ = try await recorder.updates()
    #expect(try await recorder.updates(after: "echo y > up/root/d/a.yaml") == ["d/a.yaml"])
  }

  // MARK: The kernel's queue

  /// The filter blocks the thread that drains the queue until the queue has overflowed.
  @Test(
    .enabled(
      if: KernelSetting.queueLength.canBeSet, "needs the right to set the length of the kernel's queue"))
  func `an overflow is answered by a rescan of everything`() async throws {
    let isOpen = Mutex(false)
    let filter = WatchFilter(includesFile: { path in
      while path.name == "gate", !isOpen.withLock({ $0 }) { usleep(1000) }
      return path.name != "gate"
    })
    let watch = try KernelSetting.queueLength.with(16) {
      try DirectoryWatcher(root: folder.path, filter: filter)
    }
    try folder.shell(
      "echo > gate; i=0; while [ $i -lt 16 ]; do echo x > f$((i % 7)); i=$((i+1)); done; mkdir -p late; echo x > late/a"
    )
    isOpen.withLock { $0 = true }
    var batches: [DirtyPaths] = []
    while !batches.contains(where: { $0.subtrees.contains(.root) }), let batch = await watch.nextBatch() {
      batches.append(batch)
    }
    #expect(watch.counters.overflows >= 1)
    #expect(watch.counters.rescans == 1)
    // The folder whose creation event was lost is watched.
    try folder.shell("echo y > late/a")
    while let batch = await watch.nextBatch(), !batch.files.contains(path("late/a")) {}
  }

  // MARK: Permissions

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a folder that loses or regains its permissions is reported`() async throws {
    try folder.shell("mkdir -p d/e; echo x > d/e/a.yaml")
    let recorder = try WatchRecorder(folder)
    #expect(try await recorder.updates(after: "chmod 000 d") == ["d/"])
    #expect(try await recorder.updates(after: "chmod 755 d") == ["d/"])
    #expect(try await recorder.updates(after: "echo y > d/e/a.yaml") == ["d/e/a.yaml"])
    #expect(try await recorder.updates(after: "touch d; chmod 700 d") == [])
  }
}
