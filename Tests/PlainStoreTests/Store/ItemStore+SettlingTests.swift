import Foundation
import Glibc
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// `settled()` and `refresh()`: no test here waits for anything else.
@Suite(.timeLimit(.minutes(3)))
struct ItemStoreSettlingTests {
  private static let quick = StoreOptions(watch: WatchOptions(settle: .milliseconds(5)))
  private static let polling = StoreOptions(
    watch: WatchOptions(settle: .milliseconds(5), polling: .always, pollInterval: .seconds(3_600)))

  /// The items and the problems as lines. A file with a problem may still show its last good item.
  private static func text(_ snapshot: ListSnapshot<Item>) -> [String] {
    let broken = Set(snapshot.problems.map(\.path))
    let items = snapshot.filter { !broken.contains($0.path) }
    return items.map { "\($0.path) \($0.fields.value)" } + snapshot.problems.map(\.description)
  }

  private static func scanned(_ folder: TemporaryFolder) throws -> [String] {
    text(try ItemStore(at: folder.path).list(FetchRequest()).snapshot)
  }

  /// Makes a random change and does not wait for the store.
  private static func change(_ folder: TemporaryFolder, _ writer: Int, _ random: inout SeededGenerator) {
    let name =
      "\(folder.path)/" + random.one(of: ["", "", "d/", "e/f/"]) + random.one(of: ["a", "b", "c"])
      + "\(writer).yaml"
    let text = random.one(of: [
      "n: \(random.below(1_000))\n", "n: [", "", "n: \(String(repeating: "x", count: random.below(5_000)))\n",
    ])
    try? FileManager.default.createDirectory(
      atPath: (name as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    switch random.below(8) {
    case 0: unlink(name)
    case 1:
      _ = try? Data(text.utf8).write(to: URL(fileURLWithPath: name + ".new"))
      rename(name + ".new", name)
    case 2: rename(name, "\(folder.path)/moved\(writer).yaml")
    case 3: rename("\(folder.path)/d", "\(folder.path)/g")
    case 4: _ = try? FileManager.default.removeItem(atPath: "\(folder.path)/e")
    default: _ = try? Data(text.utf8).write(to: URL(fileURLWithPath: name))
    }
  }

  @Test(arguments: [quick, polling])
  func `a settled list is what a fresh scan finds`(_ options: StoreOptions) async throws {
    let seed = try #require(Randomness.seeds(1).first)
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder(["a0.yaml": "n: 1\n", "d/a1.yaml": "n: 2\n"])
    let store = try ItemStore(at: folder.path, watching: true, options: options)
    let list = store.list(FetchRequest())
    for round in 0..<(options.watch.polling == .always ? 10 : 40) * Randomness.factor {
      let seeds = (0..<4).map { _ in random.next() }
      await withTaskGroup { group in
        for (writer, seed) in seeds.enumerated() {
          group.addTask {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<random.below(6) { Self.change(folder, writer, &random) }
          }
        }
      }
      await store.settled()
      let shown = Self.text(list.snapshot)
      let found = try Self.scanned(folder)
      #expect(shown.difference(from: found).isEmpty, "round \(round); \(seedNote(seed))")
      if shown != found { return }
    }
  }

  @Test func `settling does not wait for the writes of others that go on`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let store = try ItemStore(at: folder.path, watching: true, options: Self.quick)
    let list = store.list(FetchRequest())
    let isOver = Mutex(false)
    let writer = Task.detached {
      var count = 0
      while !isOver.withLock({ $0 }) {
        count += 1
        try folder.write("n: \(count)\n", to: "busy\(count % 7).yaml")
        if count % 5 == 0 { unlink("\(folder.path)/busy\(count % 7).yaml") }
      }
    }
    for round in 0..<20 * Randomness.factor {
      try folder.write("n: \(round)\n", to: "a.yaml")
      await store.settled()
      #expect(list.snapshot.item("a")?.value(at: "n") == .number(.integer(round)))
    }
    isOver.withLock { $0 = true }
    try await writer.value
  }

  @Test func `a store without a watch settles by reading again`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let store = try ItemStore(at: folder.path)
    let list = store.list(FetchRequest())
    try folder.write("n: 2\n", to: "b.yaml")
    try folder.write("n: [", to: "a.yaml")
    await store.settled()
    #expect(list.snapshot.text == "a b")
    #expect(list.snapshot.problems.map(\.path) == ["a.yaml"])
    try folder.remove("b.yaml")
    await store.refresh()
    #expect(list.snapshot.text == "a")
  }

  @Test func `a refresh finds what no event reported`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    try folder.makeFolder("away")
    let store = try ItemStore(at: folder.path, watching: true, options: Self.polling)
    let list = store.list(FetchRequest())
    try folder.write("n: 2\n", to: "b.yaml")
    await store.refresh()
    #expect(list.snapshot.text == "a b")
  }

  @Test func `settling writes nothing and works in a folder that is read-only`() async throws {
    let folder = try TemporaryFolder(["data/a.yaml": "n: 1\n"])
    chmod("\(folder.path)/data", 0o555)
    defer { chmod("\(folder.path)/data", 0o755) }
    let before = try folder.shell("stat -c '%n %Y %Z %i' data data/*")
    let store = try ItemStore(at: "\(folder.path)/data", watching: true)
    await store.settled()
    #expect(try folder.shell("stat -c '%n %Y %Z %i' data data/*") == before)
  }

  @Test func `a file that is still open is waited for, but not for ever`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let options = StoreOptions(watch: WatchOptions(settle: .milliseconds(20), maxWait: .milliseconds(200)))
    let store = try ItemStore(at: folder.path, watching: true, options: options)
    let list = store.list(FetchRequest())
    let file = open("\(folder.path)/b.yaml", O_CREAT | O_WRONLY, 0o644)
    defer { close(file) }
    _ = write(file, "n: 2\n", 5)
    await store.settled()
    #expect(list.snapshot.text == "a b")
  }

  @Test func `a git command in progress does not keep a caller for ever`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    try folder.shell(
      "git init -q . && git add . && git -c user.name=a -c user.email=a@example.org commit -qm 1")
    let options = StoreOptions(watch: WatchOptions(settle: .milliseconds(20), maxWait: .milliseconds(200)))
    let store = try ItemStore(at: folder.path, watching: true, options: options)
    let list = store.list(FetchRequest())
    try folder.write("", to: ".git/index.lock")
    try folder.remove("a.yaml")
    try folder.write("n: 2\n", to: "a.yaml")
    await store.settled()
    try folder.remove(".git/index.lock")
    await store.settled()
    #expect(list.snapshot.item("a")?.value(at: "n") == 2)
  }

  @Test func `settling returns while the folder is gone, and when it is back`() async throws {
    let folder = try TemporaryFolder(["data/a.yaml": "n: 1\n"])
    let store = try ItemStore(at: "\(folder.path)/data", watching: true, options: Self.quick)
    let list = store.list(FetchRequest())
    for round in 0..<10 {
      try folder.remove("data")
      await store.settled()
      #expect(list.snapshot.problems.count == 1 || list.snapshot.isEmpty)
      try folder.write("n: \(round)\n", to: "data/b\(round).yaml")
      await store.refresh()
      #expect(list.snapshot.text == "b\(round)")
    }
  }

  @Test func `concurrent and cancelled callers return`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let store = try ItemStore(at: folder.path, watching: true, options: Self.quick)
    let list = store.list(FetchRequest())
    await withTaskGroup { group in
      for caller in 0..<40 {
        group.addTask {
          try? folder.write("n: \(caller)\n", to: "\(caller).yaml")
          if caller % 3 == 0 { await store.refresh() } else { await store.settled() }
          #expect(list.snapshot.item(Item.ID(printed: "\(caller)")) != nil)
        }
      }
      for _ in 0..<20 {
        group.addTask {
          let task = Task { await store.settled() }
          task.cancel()
          await task.value
        }
      }
    }
    #expect(list.snapshot.count == 41)
  }

  @Test func `a stopped watch keeps no caller waiting`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let store = try ItemStore(at: folder.path, watching: true, options: Self.quick)
    async let early: Void = store.settled()
    store.watch?.stop()
    await store.settled()
    await early
  }

  @Test(
    .enabled(
      if: KernelSetting.queueLength.canBeSet, "needs the right to set the length of the kernel's queue"))
  func `settling waits for the rescan after an overflow`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let store = try KernelSetting.queueLength.with(16) {
      try ItemStore(at: folder.path, watching: true, options: Self.quick)
    }
    let list = store.list(FetchRequest())
    var round = 0
    while round < 20 || (round < 500 && store.counters.watch?.overflows == 0) {
      round += 1
      // Several threads write faster than the watcher reads its short queue.
      let text = "n: \(round)\n"
      DispatchQueue.concurrentPerform(iterations: 200) { number in
        #expect(throws: Never.self) { try folder.write(text, to: "d\(number % 5)/\(number).yaml") }
      }
      await store.settled()
      #expect(Self.text(list.snapshot) == (try Self.scanned(folder)))
    }
    #expect((store.counters.watch?.overflows ?? 0) > 0)
  }
}
