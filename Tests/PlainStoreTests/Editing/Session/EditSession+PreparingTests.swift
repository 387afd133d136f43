import Dispatch
import Foundation
import Glibc
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Files
@testable import Folder
@testable import Query

/// Slow changes, whose texts are made before anything is locked.
@Suite(.timeLimit(.minutes(3)))
struct EditSessionPreparingTests {
  /// A comment that makes each change of its file a slow one.
  private static let filler = "# " + String(repeating: "x", count: Value.quickSize) + "\n"

  /// Holds each slow change after it was worked out, until it is released.
  private final class Gate: Sendable {
    private let arrivals = DispatchSemaphore(value: 0)
    private let releases = DispatchSemaphore(value: 0)
    private let count = Mutex(0)
    let abilities: FileSaver.Abilities

    init() {
      let (arrivals, releases) = (arrivals, releases)
      var abilities = FileSaver.Abilities()
      abilities.didPrepare = { _ in
        arrivals.signal()
        releases.wait()
      }
      self.abilities = abilities
    }

    /// Waits until a change is held.
    func wait() { #expect(arrivals.wait(timeout: .now() + 30 * Double(Patience.factor)) == .success) }

    func release() { releases.signal() }
  }

  private static func editor(
    of folder: TemporaryFolder, idFields: [FieldPath]? = nil,
    _ didPrepare: @escaping @Sendable (RelativePath) -> Void = { _ in }
  ) -> ItemEditor {
    var abilities = FileSaver.Abilities()
    abilities.didPrepare = didPrepare
    return ItemEditor(root: folder.path, options: StoreOptions(idFields: idFields), abilities: abilities)
  }

  private static func setting(
    _ id: Item.ID, _ key: String, _ number: Int, readAt revision: ItemRevision? = nil
  ) -> EditScope {
    var scope = EditScope()
    scope.update(id, [.set(FieldPath(keys: [key]), .number(.integer(number)))], readAt: revision)
    return scope
  }

  @Test(arguments: [nil, ["uid"]] as [[FieldPath]?])
  func `a slow change keeps no other writer of the folder waiting`(idFields: [FieldPath]?) throws {
    let folder = try TemporaryFolder([
      "large.yaml": "uid: large\n" + Self.filler + "k: 1\n", "b.yaml": "uid: b\nk: 1\n",
    ])
    let gate = Gate()
    let errors = Threads.run(2) { side in
      if side == 0 {
        let editor = ItemEditor(
          root: folder.path, options: StoreOptions(idFields: idFields), abilities: gate.abilities)
        try editor.save(Self.setting("large", "k", 2))
      } else {
        gate.wait()
        defer { gate.release() }
        try Self.editor(of: folder, idFields: idFields).save(Self.setting("b", "k", 2))
        let root = try #require(try SaveFolder.open(.root, below: OpenFolder(folder.path)))
        #expect(try root.lock(patience: .zero) == .held)
        root.unlock()
        #expect(try folder.text(of: "large.yaml").hasSuffix("k: 1\n"))
      }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(try folder.text(of: "b.yaml") == "uid: b\nk: 2\n")
    #expect(try folder.text(of: "large.yaml") == "uid: large\n" + Self.filler + "k: 2\n")
  }

  @Test func `a slow change of a store holds up neither its lists nor its other saves`() async throws {
    let folder = try TemporaryFolder(["large.yaml": Self.filler + "k: 1\n", "b.yaml": "k: 1\n"])
    let gate = Gate()
    let store = ItemStore(
      try StoreWorker(at: folder.path, watching: false, options: StoreOptions(), abilities: gate.abilities))
    let results = store.list(FetchRequest())
    let slow = Task(executorPreference: QueueExecutor("slow")) {
      try await store.update("large", [.set("k", 2)])
    }
    gate.wait()
    try await withDeadline {
      try await store.update("b", [.set("k", 2)])
      await store.scan(DirtyPaths(files: ["b.yaml"]))
    }
    #expect(results.snapshot.item("b")?.value(at: "k") == 2)
    #expect(results.snapshot.item("large")?.value(at: "k") == 1)
    gate.release()
    let outcome = try await withDeadline { try await slow.value }
    #expect(outcome.result == .updated(isMerged: false))
    #expect(results.snapshot.item("large")?.value(at: "k") == 2)
    // What undoes it is known as for any other save.
    Task {
      gate.wait(); gate.release()
    }
    try await store.save(EditScope(undoing: [outcome]))
    #expect(try folder.text(of: "large.yaml") == Self.filler + "k: 1\n")
  }

  @Test func `a file that changes in three rounds is changed under the lock`() throws {
    let folder = try TemporaryFolder(["a.yaml": Self.filler + "ours: 0\ntheirs: 0\n"])
    let rounds = Mutex(0)
    let editor = Self.editor(of: folder) { path in
      let round = rounds.withLock {
        $0 += 1
        return $0
      }
      try? folder.write(Self.filler + "ours: 0\ntheirs: \(round)\n", to: ".swap")
      rename("\(folder.path)/.swap", "\(folder.path)/\(path)")
    }
    try editor.save(Self.setting("a", "ours", 1))
    #expect(rounds.withLock { $0 } == EditSession.maxPreparations)
    #expect(try folder.text(of: "a.yaml") == Self.filler + "ours: 1\ntheirs: 3\n")
  }

  @Test func `a store changes a file that changes all the time, and its lists have both changes`()
    async throws
  {
    let folder = try TemporaryFolder(["a.yaml": Self.filler + "ours: 0\ntheirs: 0\n"])
    let rounds = Mutex(0)
    var abilities = FileSaver.Abilities()
    abilities.didPrepare = { _ in
      let round = rounds.withLock {
        $0 += 1
        return $0
      }
      try? folder.write(Self.filler + "ours: 0\ntheirs: \(round)\n", to: "a.yaml")
    }
    let store = ItemStore(
      try StoreWorker(at: folder.path, watching: false, options: StoreOptions(), abilities: abilities))
    try await withDeadline { try await store.saveEach(Self.setting("a", "ours", 1)).check() }
    #expect(rounds.withLock { $0 } == EditSession.maxPreparations)
    #expect(store.item("a")?.value(at: "ours") == 1)
    #expect(store.item("a")?.value(at: "theirs") == 3)
  }

  @Test
  func `a change that is based on an older version stays a conflict, and a deleted item is not brought back`()
    throws
  {
    let folder = try TemporaryFolder(["a.yaml": Self.filler + "k: 1\n", "b.yaml": Self.filler + "k: 1\n"])
    let editor = Self.editor(of: folder) { path in
      if path == "a.yaml" {
        try? folder.write(Self.filler + "k: 5\n", to: "a.yaml")
      } else {
        try? folder.remove("b.yaml")
      }
    }
    let (a, b) = (try editor.read("a"), try editor.read("b"))
    #expect(
      try editor.saveEach(Self.setting("a", "k", 2, readAt: a.revision)).failures.map(\.code) == [.conflict])
    #expect(
      try editor.saveEach(Self.setting("b", "k", 2, readAt: b.revision)).failures.map(\.code) == [.conflict])
    #expect(try folder.text(of: "a.yaml") == Self.filler + "k: 5\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.yaml"])
  }

  @Test func `a large new item does not replace one that was added meanwhile`() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "x", count: Value.quickSize)
    let editor = Self.editor(of: folder) { _ in try? folder.write("k: theirs\n", to: "n.yaml") }
    var scope = EditScope()
    scope.insert("n", fields: ["k": .string(text)])
    #expect(try editor.saveEach(scope).failures.map(\.code) == [.exists])
    #expect(try folder.text(of: "n.yaml") == "k: theirs\n")
    try folder.remove("n.yaml")
    try Self.editor(of: folder).save(scope)
    #expect(try folder.text(of: "n.yaml") == "k: \(text)\n")
  }

  @Test func `the outcomes of slow and quick changes come in the order of the changes`() throws {
    let ids = (0..<40).map { "n\($0)" }
    let texts = ids.enumerated().map { ("\($1).yaml", ($0 % 13 == 5 ? Self.filler : "# small\n") + "k: 1\n") }
    let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: texts))
    var scope = EditScope()
    for id in ids { scope.update(Item.ID(printed: id), [.set("k", 2)]) }
    let outcomes = try Self.editor(of: folder).save(scope).outcomes
    #expect(outcomes.map(\.id.description) == ids)
    for (name, text) in texts { #expect(try folder.text(of: name) == text.dropLast(2) + "2\n") }
  }

  // MARK: Many writers

  /// Writers of one large file, each with its own key: editors, a store, and a program that locks the
  /// folder as they do and replaces the file by itself. Each slow change is held for a random time, in
  /// which the file may change.
  @Test func `no change is lost while slow changes are worked out, and no other byte changes`() throws {
    for seed in Randomness.seeds(9) {
      var random = SeededGenerator(seed: seed)
      let writers = 2 + random.below(3)
      let head = "# head \(seed)\n" + Self.filler
      let keys = (0..<writers + 2).map { "k\($0)" }
      let folder = try TemporaryFolder([
        "a.yaml": head + keys.map { "\($0): 0 # of \($0)\n" }.joined() + "# end"
      ])
      let seeds = keys.map { _ in random.next() }
      let rounds = 4
      let errors = Threads.run(writers + 2) { writer in
        var random = SeededGenerator(seed: seeds[writer])
        let pauses = Mutex(SeededGenerator(seed: seeds[writer]))
        let pause: @Sendable (RelativePath) -> Void = { _ in
          usleep(UInt32(pauses.withLock { $0.below(4) } * 4_000))
        }
        if writer < writers {
          let editor = Self.editor(of: folder, pause)
          for round in 1...rounds {
            var report = try editor.saveEach(Self.setting("a", keys[writer], round))
            while Self.isBusy(report) { report = try editor.saveEach(Self.setting("a", keys[writer], round)) }
            try report.check()
          }
        } else if writer == writers {
          try Self.saveThroughStore(folder, keys[writer], rounds, pause)
        } else {
          for round in 1...rounds {
            try Self.replace(folder, keys[writer], with: round)
            usleep(UInt32(random.below(8_000)))
          }
        }
      }
      let note = Comment(rawValue: seedNote(seed))
      #expect(errors.isEmpty, "\(errors), \(seedNote(seed))")
      #expect(
        try folder.text(of: "a.yaml") == head + keys.map { "\($0): \(rounds) # of \($0)\n" }.joined()
          + "# end", note)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.yaml"], note)
    }
  }

  /// True if other writers kept the folder locked for as long as a save waits: on a machine with much
  /// to do, one of many can be left out that long. Nothing was changed, and it can try again.
  private static func isBusy(_ report: SaveReport) -> Bool {
    report.outcomes.contains { $0.error?.code == .busy }
  }

  /// Saves through a store, whose calls are not made on this thread.
  private static func saveThroughStore(
    _ folder: TemporaryFolder, _ key: String, _ rounds: Int,
    _ pause: @escaping @Sendable (RelativePath) -> Void
  ) throws {
    var abilities = FileSaver.Abilities()
    abilities.didPrepare = pause
    let store = ItemStore(
      try StoreWorker(at: folder.path, watching: false, options: StoreOptions(), abilities: abilities))
    let done = DispatchSemaphore(value: 0)
    let failure = Mutex<(any Error)?>(nil)
    Task(executorPreference: QueueExecutor("saves of a store")) {
      do {
        for round in 1...rounds {
          var report = try await store.saveEach(setting("a", key, round))
          while isBusy(report) { report = try await store.saveEach(setting("a", key, round)) }
          try report.check()
        }
      } catch {
        failure.withLock { $0 = error }
      }
      done.signal()
    }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Replaces the file by one in which a key has another number, as a program that takes part in the
  /// locking of folders.
  private static func replace(_ folder: TemporaryFolder, _ key: String, with number: Int) throws {
    let root = try #require(try SaveFolder.open(.root, below: OpenFolder(folder.path)))
    #expect(try root.lock(patience: .seconds(60)) == .held)
    defer { root.unlock() }
    let lines = try folder.text(of: "a.yaml").split(separator: "\n", omittingEmptySubsequences: false)
    let new = lines.map { $0.hasPrefix("\(key):") ? "\(key): \(number) # of \(key)" : String($0) }.joined(
      separator: "\n")
    try folder.write(new, to: ".swap")
    #expect(rename("\(folder.path)/.swap", "\(folder.path)/a.yaml") == 0)
  }
}
