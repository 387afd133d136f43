import Files
import Glibc
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// Saves of many changes, which become durable together.
@Suite(.timeLimit(.minutes(2)))
struct EditSessionBatchesTests {
  /// - Parameter batchCount: The number of changes from which batches are used.
  private static func editor(
    of folder: TemporaryFolder, batchCount: Int = 1,
    _ change: (_ abilities: inout FileSaver.Abilities, _ options: inout StoreOptions) -> Void = { _, _ in }
  ) -> ItemEditor {
    var abilities = FileSaver.Abilities()
    abilities.batchCount = batchCount
    var options = StoreOptions()
    change(&abilities, &options)
    return ItemEditor(root: folder.path, options: options, abilities: abilities)
  }

  private static func scope(inserting ids: [String]) -> EditScope {
    var scope = EditScope()
    for id in ids { scope.insert(Item.ID(printed: id), fields: ["rating": 9]) }
    return scope
  }

  private static func tree(_ folder: TemporaryFolder) throws -> String {
    try folder.shell("find . ! -path . -printf '%P\\n' | sort; find . -type f | sort | xargs -r tail -n +1")
  }

  // MARK: Missing files

  @Test func `items that are deleted during a save cost one wait together`() throws {
    let ids = (0..<10).map { "n\($0)" }
    let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: ids.map { ("\($0).yaml", "k: 1\n") }))
    var scope = EditScope()
    for id in ids { scope.update(Item.ID(printed: id), [.set("k", 2)]) }
    var session = try Self.editor(of: folder).session()
    session.begin(scope.changes)
    #expect(session.absent == [])
    try folder.shell("rm n5.yaml n6.yaml n7.yaml")
    let result = Result { () throws(EditError) in try session.locate("n5") }
    #expect(throws: EditError.self) { try result.get() }
    #expect(session.absent == ["n5", "n6", "n7"])
    var outcomes: [String] = []
    while let outcome = session.next() {
      outcomes.append("\(outcome.number) \(outcome.error?.code == .notFound)")
    }
    #expect(outcomes.sorted() == (0..<10).map { "\($0) \((5...7).contains($0))" })
  }

  @Test func `an item that is replaced again and again during a save is not missing`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    var scope = EditScope()
    for id in ["a", "b"] { scope.update(Item.ID(printed: id), [.set("k", 2)]) }
    let changes = scope.changes
    let isOver = Atomic(false)
    let errors = Threads.run(2) { side in
      if side == 0 {
        defer { isOver.store(true, ordering: .sequentiallyConsistent) }
        for _ in 0..<4 {
          try folder.write("k: 1\n", to: "b.yaml")
          var session = try Self.editor(of: folder).session()
          session.begin(changes)
          // The wait for this one is longer than the gap of the other one.
          try folder.remove("b.yaml")
          // Nothing reports that the other thread has begun to replace the file.
          while access("\(folder.path)/a.yaml", F_OK) == 0 { usleep(500) }
          _ = try session.locate("a")
        }
      } else {
        // An editor whose file is missing for a moment in each save, and there between two saves.
        while !isOver.load(ordering: .sequentiallyConsistent) {
          rename("\(folder.path)/a.yaml", "\(folder.path)/a.swp")
          usleep(15_000)
          rename("\(folder.path)/a.swp", "\(folder.path)/a.yaml")
          usleep(5_000)
        }
      }
    }
    #expect(errors.isEmpty, "\(errors)")
  }

  // MARK: Durability

  @Test func `a batch syncs all texts before it renames, and each folder once`() throws {
    let folder = try TemporaryFolder(["x/old.yaml": "k: 1\n", "gone.yaml": "k: 1\n"])
    let log = Mutex<[String]>([])
    let editor = Self.editor(of: folder) { abilities, _ in
      abilities.willWrite = { path in log.withLock { $0.append(path.description) } }
      abilities.syncFileSystem = { folder in
        log.withLock { $0.append("file system") }
        return folder.syncFileSystem()
      }
      abilities.syncFolder = { folder in
        log.withLock { $0.append("folder") }
        return folder.sync()
      }
    }
    try #require(
      try SaveFolder.open(.root, below: OpenFolder(folder.path))?.reportsSyncErrors == true,
      "needs a local file system")
    var scope = Self.scope(inserting: ["a", "x/b", "new/c", "new/d"])
    scope.update("x/old", [.set("k", 2)])
    scope.delete("gone")
    try editor.save(scope)
    let writes = ["a.yaml", "x/b.yaml", "new/c.yaml", "new/d.yaml", "x/old.yaml", "gone.yaml"]
    #expect(log.withLock { $0 } == ["file system"] + writes + ["folder", "folder", "folder"])
    #expect(try folder.files.count == 5)
  }

  @Test func `a failed sync of the file system fails every new text and leaves nothing behind`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n", "gone.yaml": "k: 1\n"])
    let calls = Mutex(0)
    let editor = Self.editor(of: folder) { abilities, _ in
      abilities.syncFileSystem = { _ in
        calls.withLock { $0 += 1 }
        return EIO
      }
    }
    var scope = Self.scope(inserting: ["new/c", "d"])
    scope.update("a", [.set("k", 2)])
    scope.update("b", [.set("k", 1)])
    scope.delete("gone")
    let report = try editor.saveEach(scope)
    #expect(report.outcomes.map { $0.error?.code } == [.system, .system, .system, nil, nil])
    #expect(
      report.failures.map { $0.message.contains("Writing it to the disk failed") } == [true, true, true])
    #expect(report.failures.map { $0.message.hasSuffix("Nothing was changed.") } == [true, true, true])
    #expect(calls.withLock { $0 } == 1)
    #expect(try Self.tree(folder) == "a.yaml\nb.yaml\n==> ./a.yaml <==\nk: 1\n\n==> ./b.yaml <==\nk: 1\n")
  }

  @Test func `a failed sync of a folder is reported for the items in it`() throws {
    let folder = try TemporaryFolder(["x/old.yaml": "k: 1\n"])
    let names = Mutex<[FileIdentity: CInt]>([:])
    let editor = Self.editor(of: folder) { abilities, _ in
      abilities.syncFolder = { folder in names.withLock { $0[folder.identity] } ?? 0 }
    }
    let root = try OpenFolder(folder.path)
    let cases: [(RelativePath, CInt)] = [("x", EIO), (.root, ENOSPC)]
    for (path, code) in cases {
      let failing = try #require(try SaveFolder.open(path, below: root)).identity
      names.withLock { $0 = [failing: code] }
      let id = path == .root ? "2" : "1"
      var scope = Self.scope(inserting: ["a\(id)", "x/b\(id)", "y\(id)/c"])
      scope.update("x/old", [.set("k", .string(id))])
      let report = try editor.saveEach(scope)
      // The root holds the new folder y, too.
      let expected: [ErrorCode?] =
        path == .root ? [.noSpace, nil, .noSpace, nil] : [nil, .system, nil, .system]
      #expect(report.outcomes.map { $0.error?.code } == expected, "\(report)")
      for failure in report.failures {
        #expect(failure.message.contains("The change was made, but may be lost in a power cut."))
      }
    }
    #expect(try folder.files.count == 7)
    #expect(try folder.text(of: "x/old.yaml") == "k: \"2\"\n")
  }

  @Test func `a batch keeps modes that other programs set while it is written to the disk`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    let path = folder.path
    let editor = Self.editor(of: folder) { abilities, _ in
      abilities.syncFileSystem = { _ in chmod("\(path)/a.yaml", 0o600) }
    }
    try #require(
      try SaveFolder.open(.root, below: OpenFolder(folder.path))?.reportsSyncErrors == true,
      "needs a local file system")
    try folder.shell("chmod 644 a.yaml; chmod 640 b.yaml")
    var scope = EditScope()
    for id in ["a", "b"] as [Item.ID] { scope.update(id, [.set("k", 2)]) }
    let report = try editor.saveEach(scope)
    #expect(report.failures.count == 0, "\(report)")
    #expect(try folder.shell("stat -c %a a.yaml b.yaml") == "600\n640\n")
    #expect(try folder.text(of: "a.yaml") == "k: 2\n")
    #expect(try folder.files.count == 2)
  }

  /// The copy of an image holds only the data that reached the disk, as after a power cut.
  @Test(.enabled(if: TemporaryMount.hasLoops, "needs a root that may mount images"))
  func `a power cut after a batch loses nothing`() throws {
    let temporary = try TemporaryFolder()
    try temporary.shell("truncate -s 16M image; mkfs.ext4 -q -F image")
    let mount = try TemporaryMount("-o loop image", at: "root", in: temporary)
    try temporary.shell(
      "cd root; for i in a gone; do echo 'rating: 1' > $i.yaml; done; sync -f .; echo 'rating: 2' > later.yaml"
    )
    var scope = Self.scope(inserting: (0..<60).map { "d\($0 % 5)/e\($0 % 3)/n\($0)" })
    scope.update("a", [.set("rating", 3)])
    scope.delete("gone")
    try ItemEditor(root: mount.path).save(scope)
    try temporary.shell("cp image copy")
    let copy = try TemporaryMount("-o loop copy", at: "after", in: temporary)
    let store = try ItemStore(at: copy.path)
    let missing = scope.changes.filter {
      $0.isInsertion && store.item($0.id)?.value(at: "rating")?.text != "9"
    }
    #expect(missing.map(\.description) == [])
    #expect(store.item("a")?.value(at: "rating")?.text == "3")
    #expect(store.item("gone") == nil)
    #expect(try Shell.run("find . -name '.notes-watch*'", in: copy.path) == "")
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs a root that may mount"))
  func `a batch on an almost full disk saves what single changes would save`() throws {
    let temporary = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs -o size=256k none", at: "root", in: temporary)
    let ids = (0..<50).map { Item.ID(printed: "n\($0)") }
    try temporary.shell("cd root; for i in $(seq 0 49); do echo 'k: 1' > n$i.yaml; done")
    var scope = EditScope()
    for id in ids { scope.update(id, [.set("k", 2)]) }
    let report = try ItemEditor(root: mount.path).saveEach(scope)
    #expect(report.failures.count == 0, "\(report)")
    #expect(
      try temporary.shell("cat root/* | sort | uniq -c | tr -s ' '; ls -A root | wc -l") == " 50 k: 2\n50\n")
  }

  // MARK: The same result as one by one

  @Test func `changes in batches have the same result as changes one by one`() throws {
    for seed in Randomness.seeds(2) {
      var generator = SeededGenerator(seed: seed)
      // In the usual style: new texts take that of the files that are there, and a batch deletes late.
      var files = [
        "a.yaml": "k: a\nn: 1\n", "d/b.json": "{\n  \"k\": \"d/b\",\n  \"n\": 1\n}\n",
        "c.md": "---\nk: c\n---\ntext\n", "bad.yaml": "k: [\n",
      ]
      let hasIDFields = generator.oneIn(2)
      if hasIDFields { files[".notes-watch.yaml"] = "id-field: k\n" }
      let policy = generator.one(of: MergePolicy.allCases)
      let scope = Self.randomScope(&generator)
      let folders = try [TemporaryFolder(files), TemporaryFolder(files)]
      let reports = try zip(folders, [1, .max]).map { folder, count in
        try Self.editor(of: folder, batchCount: count).saveEach(scope, policy: policy)
      }
      let note = "\(scope), \(policy), ids are fields: \(hasIDFields), \(seedNote(seed))"
      #expect(reports[0].outcomes.map(Self.line) == reports[1].outcomes.map(Self.line), "\(note)")
      #expect(try Self.tree(folders[0]) == Self.tree(folders[1]), "\(note)")
      let undone = try zip(folders, reports).map { folder, report in
        try Self.editor(of: folder, batchCount: 1).saveEach(report.inverse).outcomes.map(Self.line)
      }
      #expect(undone[0] == undone[1], "\(note)")
    }
  }

  private static func line(_ outcome: SaveOutcome) -> String {
    "\(outcome) \(outcome.path?.description ?? "-") \(outcome.error?.message ?? "") \(outcome.unsaved) \(outcome.warnings)"
  }

  private static func randomScope(_ generator: inout SeededGenerator) -> EditScope {
    var scope = EditScope()
    let ids = ["a", "d/b", "c", "bad", "e", "f/g", "f/h/i", "d/j", "nobody"].map { Item.ID(printed: $0) }
    for number in 0..<generator.below(12) {
      let id = generator.one(of: ids)
      switch generator.below(8) {
      case 0, 1, 2:
        scope.insert(id, fields: ["n": .number(.integer(number))], format: generator.oneIn(3) ? .json : nil)
      case 3:
        scope.insert(id, text: Array("k: \(generator.one(of: ids))\nn: \(number)\n".utf8), format: .yaml)
      case 4: scope.update(id, [.set("n", .number(.integer(number)))])
      case 5: scope.replace(id, with: Array("k: \(generator.one(of: ids))\nn: \(number)\n".utf8))
      case 6: scope.delete(id)
      default: scope.rename(id, to: generator.one(of: ids))
      }
    }
    return scope
  }

  // MARK: Other programs

  @Test func `an item that another program creates during a batch is kept`() throws {
    let folder = try TemporaryFolder(["x/old.yaml": "k: 1\n", "y/old.yaml": "k: 1\n"])
    let editor = Self.editor(of: folder) { abilities, _ in
      // Called just before the first file of the batch gets its name.
      abilities.willWrite = { path in
        if path == "a.yaml" {
          _ = try? folder.shell(
            "echo 'k: 7' > x/b.yaml; echo 'k: 7 # mine' > x/new; mv x/new x/old.yaml; rm -r y")
        }
      }
    }
    var scope = Self.scope(inserting: ["a", "x/b", "y/c"])
    scope.update("x/old", [.set("more", 2)])
    scope.delete("y/old")
    let report = try editor.saveEach(scope)
    #expect(report.outcomes.map { $0.error?.code } == [nil, .exists, nil, nil, .notFound], "\(report)")
    #expect(try folder.text(of: "x/b.yaml") == "k: 7\n")
    let text = try folder.text(of: "x/old.yaml")
    #expect(text == "k: 7 # mine\nmore: 2\n")
    #expect(try folder.files.keys.sorted() == ["a.yaml", "x/b.yaml", "x/old.yaml", "y/c.yaml"])
  }

  @Test
  func
    `of several writers with the same items in another order, one adds each, and none waits for the other`()
    throws
  {
    let folder = try TemporaryFolder()
    let ids = (0..<60).map { "d\($0 % 7)/n\($0)" }
    let added = Mutex<[Item.ID]>([])
    let errors = Threads.run(4) { writer in
      let editor = Self.editor(of: folder)
      var generator = SeededGenerator(seed: UInt64(writer))
      let report = try editor.saveEach(Self.scope(inserting: ids.shuffled(using: &generator)))
      #expect(Set(report.failures.map(\.code)).isSubset(of: [.exists]), "\(report.failures)")
      added.withLock { $0 += report.outcomes.filter { $0.error == nil }.map(\.id) }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(added.withLock { $0.map(\.description).sorted() } == ids.sorted())
    #expect(try folder.files.keys.sorted() == ids.map { "\($0).yaml" }.sorted())
  }

  @Test func `outcomes are reported in the order of the changes, while no folder is locked`() throws {
    let folder = try TemporaryFolder(["n3.yaml": "k: 1\n"])
    var reported: [String] = []
    var session = try Self.editor(of: folder).session()
    session.begin(Self.scope(inserting: (0..<6).map { "n\($0)" }))
    while let outcome = session.next() {
      reported.append("\(outcome.id) \(outcome.error?.code.description ?? "added")")
      let locked = try #require(try SaveFolder.open(.root, below: OpenFolder(folder.path)))
      #expect(try locked.lock(patience: .zero) == .held)
    }
    #expect(reported == ["n0 added", "n1 added", "n2 added", "n3 exists", "n4 added", "n5 added"])
  }
}
