import Files
import Foundation
import Glibc
import Query
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@Suite(.timeLimit(.minutes(2)))
struct EditSessionAtomicTests {
  private static let journal = ".notes-watch.journal"

  private static func inodes(of folder: TemporaryFolder) throws -> [String: UInt64] {
    try folder.files.keys.reduce(into: [:]) { inodes, name in
      var status = stat()
      if stat("\(folder.path)/\(name)", &status) == 0 { inodes[name] = UInt64(status.st_ino) }
    }
  }

  private static func editor(
    _ folder: TemporaryFolder, _ body: (inout FileSaver.Abilities) -> Void = { _ in }
  )
    -> ItemEditor
  {
    var abilities = FileSaver.Abilities()
    body(&abilities)
    return ItemEditor(root: folder.path, options: StoreOptions(), abilities: abilities)
  }

  @Test func `all changes are one update, and the journal is gone`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1 # one\n", "b.yaml": "n: 2\n", "c.yaml": "n: 3\n"])
    let store = try ItemStore(at: folder.path, watching: true)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a b c")
    var scope = store.makeEditScope()
    scope.update("a", [.set("n", 7)])
    scope.delete("b")
    scope.rename("c", to: "d/e")
    scope.insert("f", fields: ["n": 4])
    let report = try await store.save(scope, atomically: true)
    #expect(report.description == "a: updated, b: deleted, c: renamed to d/e, f: inserted")
    #expect(follower.next() == "files: -c(removed) -b(removed) +d/e@1 +f@2 ~a@0")
    #expect(try folder.files.keys.sorted() == ["a.yaml", "d/e.yaml", "f.yaml"])
    #expect(try folder.text(of: "a.yaml") == "n: 7 # one\n")
    try await store.save(report.inverse, atomically: true)
    #expect(try folder.text(of: "a.yaml") == "n: 1 # one\n")
    #expect(try folder.files.keys.sorted() == ["a.yaml", "b.yaml", "c.yaml"])
  }

  @Test func `a change that cannot be made leaves all files untouched`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n", "c.json": "{\"n\": 3}\n"])
    let store = try ItemStore(at: folder.path, watching: true)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a b c")
    let inodes = try Self.inodes(of: folder)
    var scope = store.makeEditScope()
    // Its format is that of most files, so it is planned before the others are written.
    scope.insert("new/d", fields: ["n": 4])
    scope.update("a", [.set("n", 7)])
    scope.delete("c")
    scope.update("b", [.set("n[0]", 1)])
    scope.update("a", [.set("m", 7)])
    let error = try await #require(throws: SaveError.self) { try await store.save(scope, atomically: true) }
    #expect(error.code == .refused)
    #expect(error.description.hasPrefix("Nothing was saved. b.yaml:1:4: "))
    #expect(error.failures.map(\.code) == [.rolledBack, .rolledBack, .rolledBack, .refused])
    #expect(try Self.inodes(of: folder) == inodes)
    #expect(try folder.shell("ls -A | tr '\\n' ' '") == "a.yaml b.yaml c.json ")
    #expect(follower.next() == nil)
    #expect(store.item("a")?.value(at: "n") == 1)
    #expect(error.report.inverse.hasChanges == false)
  }

  @Test func `what was made before an error is taken back`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2 # two\n", "c.yaml": "n: 3\n"])
    let files = try folder.files
    var scope = EditScope()
    // A rename is not in one batch with other changes.
    scope.rename("a", to: "new/x")
    scope.delete("c")
    scope.rename("b", to: "new/y")
    scope.rename("new/y", to: "new/x")
    let report = try Self.editor(folder).saveEach(scope, atomically: true)
    #expect(report.failures.map(\.code) == [.rolledBack, .rolledBack, .rolledBack, .exists])
    #expect(try folder.files == files)
    #expect(try folder.shell("ls -A | tr '\\n' ' '") == "a.yaml b.yaml c.yaml ")
  }

  @Test func `a file that another program changed meanwhile stays, and the report says so`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"])
    let editor = Self.editor(folder) { abilities in
      abilities.willWrite = { path in
        // The first file has its new text then.
        if path == "b.yaml" {
          try? folder.write("n: 8\n", to: "a.yaml")
          try? folder.remove("b.yaml")
        }
      }
    }
    var scope = EditScope()
    scope.update("a", [.set("n", 7)])
    scope.rename("a", to: "c")
    scope.rename("c", to: "a")
    scope.update("b", [.set("n", 7)])
    let error = try #require(throws: SaveError.self) { try editor.save(scope, atomically: true) }
    #expect(try folder.text(of: "a.yaml") == "n: 8\n")
    let warnings = error.report.outcomes.flatMap(\.warnings)
    #expect(warnings.contains { $0.contains("all or nothing, but this change stays") }, "\(warnings)")
    #expect(try folder.shell("ls -A | tr '\\n' ' '") == "a.yaml ")
  }

  @Test func `a folder that cannot be synced is an error, and the change is taken back`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"])
    let files = try folder.files
    let failures = Counter()
    let editor = Self.editor(folder) { abilities in
      abilities.syncFolder = { folder in failures.next() == 1 ? EIO : folder.sync() }
    }
    var scope = EditScope()
    scope.update("a", [.set("n", 7)])
    scope.update("b", [.set("n", 7)])
    let report = try editor.saveEach(scope, atomically: true)
    #expect(report.failures.count == 2)
    #expect(try folder.files == files)
  }

  @Test func `saves that are all or nothing wait for each other`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 0\nm: 0\n", "b.yaml": "n: 0\nm: 0\n"])
    let stores = try [ItemStore(at: folder.path, watching: true), ItemStore(at: folder.path, watching: true)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          for round in 1...10 {
            var scope = store.makeEditScope()
            let field: FieldPath = number == 0 ? "n" : "m"
            for id in ["a", "b"] { scope.update(id, [.set(field, .number(.integer(round)))]) }
            try await store.save(scope, policy: .mergeByPropertyObjectTrump, atomically: true)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.text(of: "a.yaml") == "n: 10\nm: 10\n")
    #expect(try folder.text(of: "b.yaml") == "n: 10\nm: 10\n")
  }

  @Test func `a slow change whose file is replaced meanwhile is made once, with all others`() async throws {
    let big = "n: 1\ntext: \(String(repeating: "x", count: 300_000))\n"
    let folder = try TemporaryFolder(["big.yaml": big, "b.yaml": "tags: [a]\n"])
    let store = try ItemStore(at: folder.path, watching: true)
    for round in 0..<8 {
      let isAtomic = round % 2 == 0
      var scope = store.makeEditScope()
      scope.update("big", [.append("x", to: "tags")])
      scope.update("b", [.append("x", to: "tags")])
      let before = try folder.text(of: "b.yaml").count { $0 == "x" }
      async let saved = store.save(scope, atomically: isAtomic)
      // An editor that saves the file while it is changed.
      for number in 0..<3 { try folder.write("# \(number)\n" + big, to: "big.yaml") }
      let isSaved = (try? await saved) != nil
      let after = try folder.text(of: "b.yaml").count { $0 == "x" }
      #expect(isAtomic ? after == before + (isSaved ? 1 : 0) : after <= before + 1, "round \(round)")
    }
  }

  @Test func `what the policy discards makes all of the save fail`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"])
    let store = try ItemStore(at: folder.path)
    var scope = store.makeEditScope()
    for id in ["a", "b"] { scope.update(id, [.set("n", 7)]) }
    try folder.write("n: 5\n", to: "a.yaml")
    let error = await #expect(throws: SaveError.self) {
      try await store.save(scope, policy: .rollback, atomically: true)
    }
    #expect(error?.code == .conflict)
    #expect(try folder.text(of: "b.yaml") == "n: 2\n")
  }

  @Test func `what could not be taken back after a kill is left to the next writer, and nothing else`()
    async throws
  {
    let folder = try Self.files()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
      var abilities = FileSaver.Abilities()
      abilities.willWrite = { if $0 == "3.yaml" { kill(getpid(), SIGKILL) } }
      var scope = EditScope()
      for id in ["0", "1", "3"] { scope.update(id, [.set("n", 100)]) }
      try ItemEditor(root: path, options: StoreOptions(), abilities: abilities).save(scope, atomically: true)
    }
    var other = EditScope()
    other.update("9", [.set("n", 10)])
    // A program with smaller limits cannot read one of them.
    try folder.shell("mv 1.yaml away; mkdir 1.yaml")
    let report = try Self.editor(folder).save(other)
    #expect(report.outcomes.flatMap(\.warnings).joined().contains("1.yaml"))
    #expect(try folder.text(of: "0.yaml") == "n: 0 # number\n")
    // The item gets the text of the interrupted save again, by a save that succeeds.
    var again = EditScope()
    again.update("0", [.set("n", 100)])
    try Self.editor(folder).save(again)
    try folder.shell("rmdir 1.yaml; mv away 1.yaml")
    try Self.editor(folder).save(other)
    #expect(try folder.text(of: "0.yaml") == "n: 100 # number\n")
    #expect(try folder.text(of: "1.yaml") == "n: 1 # number\n")
  }

  /// The changes of a seed, for a folder with the items 0 to 9.
  private static func changes(_ seed: UInt64) -> EditScope {
    var random = SeededGenerator(seed: seed)
    var scope = EditScope()
    for number in 0..<10 where random.oneIn(2) {
      let id = Item.ID("\(number)")
      switch random.next() % 5 {
      case 0: scope.delete(id)
      case 1: scope.rename(id, to: Item.ID("d\(number)/\(number)"))
      case 2:
        scope.update(id, [.set("n", .number(.integer(number + 100)))])
        scope.rename(id, to: Item.ID("e/\(number)"))
      case 3: scope.insert(Item.ID("new/\(number)"), fields: ["n": 1])
      default: scope.update(id, [.set("n", .number(.integer(number + 100)))])
      }
    }
    return scope
  }

  private static func files() throws -> TemporaryFolder {
    try TemporaryFolder(
      Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0).yaml", "n: \($0) # number\n") }))
  }

  @Test func `all files are put back after a kill at any moment`() async throws {
    for seed in Randomness.seeds(4) {
      let whole = try Self.files()
      let total = Counter()
      try Self.editor(whole) { abilities in
        abilities.willWrite = { _ in _ = total.next() }
        abilities.syncFolder = { folder in
          _ = total.next()
          return folder.sync()
        }
      }.save(Self.changes(seed), atomically: true)
      let all = try whole.files
      for last in 1...max(1, total.value) where total.value > 0 {
        let folder = try Self.files()
        let old = try folder.files
        await #expect(processExitsWith: .signal(SIGKILL), "\(seedNote(seed)), at \(last)") {
          [path = folder.path as String, last = last as Int, seed = seed as UInt64] in
          let count = Counter()
          let dies: @Sendable () -> Void = { if count.next() == last { kill(getpid(), SIGKILL) } }
          var abilities = FileSaver.Abilities()
          abilities.willWrite = { _ in dies() }
          abilities.syncFolder = { folder in
            dies()
            return folder.sync()
          }
          let editor = ItemEditor(root: path, options: StoreOptions(), abilities: abilities)
          try editor.save(EditSessionAtomicTests.changes(seed), atomically: true)
        }
        let store = try ItemStore(at: folder.path)
        let names = store.leftoverProblems().map(\.path)
        #expect(names.contains(".notes-watch.journal"), "\(seedNote(seed)), at \(last)")
        // Any save takes the interrupted one back.
        try Self.editor(folder).save(
          {
            var scope = EditScope(); scope.insert("z", fields: [:]); return scope
          }())
        try folder.remove("z.yaml")
        let found = try folder.files
        #expect(found == old, "\(seedNote(seed)), at \(last) of \(total.value): \(found.keys.sorted())")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(Self.journal)"))
        let again = try Self.editor(folder).saveEach(Self.changes(seed), atomically: true)
        #expect(again.isComplete, "\(again)")
        #expect(try folder.files == all, "\(seedNote(seed)), at \(last)")
      }
    }
  }

  @Test func `a file that was changed after a kill stays`() async throws {
    let folder = try Self.files()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
      var abilities = FileSaver.Abilities()
      abilities.willWrite = { if $0 == "2.yaml" { kill(getpid(), SIGKILL) } }
      var scope = EditScope()
      for id in ["0", "1", "2"] { scope.update(id, [.set("n", 100)]) }
      try ItemEditor(root: path, options: StoreOptions(), abilities: abilities).save(scope, atomically: true)
    }
    #expect(try folder.text(of: "0.yaml") == "n: 100 # number\n")
    try folder.write("n: 5\n", to: "0.yaml")
    var scope = EditScope()
    scope.update("9", [.set("n", 10)])
    let report = try Self.editor(folder).save(scope)
    #expect(try folder.text(of: "0.yaml") == "n: 5\n")
    #expect(try folder.text(of: "1.yaml") == "n: 1 # number\n")
    #expect(try folder.text(of: "2.yaml") == "n: 2 # number\n")
    let warnings = report.outcomes.flatMap(\.warnings).joined(separator: " ")
    #expect(warnings.contains("An interrupted save was taken back: 1.yaml."))
    #expect(warnings.contains("0.yaml: Another program has changed it"))
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
