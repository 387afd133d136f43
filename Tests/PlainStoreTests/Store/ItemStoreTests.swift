import DiffableSnapshot
import Files
import Foundation
import Glibc
import HashTreeCollections
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch
import Streams

@testable import Folder
@testable import Query

struct ItemStoreTests {
  static let settings: RelativePath = ".notes-watch.yaml"

  static func view(_ name: String) -> @Sendable (Settings) throws(SettingsError) -> FetchRequest {
    { settings throws(SettingsError) in try settings.view(named: name).request }
  }

  @Test func `opening reads the folder`() throws {
    let folder = try TemporaryFolder([
      "a.md": "x", "d/b.yaml": "n: 1", "bad.yaml": "n: [", ".notes-watch.yaml": "ignore: [skip.md]",
      "skip.md": "x",
    ])
    let store = try ItemStore(at: folder.path)
    #expect(store.count == 2)
    #expect(store.settings.ignore == ["skip.md"])
    #expect(store.item("d/b")?.value(at: "n") == 1)
    #expect(store.item("bad") == nil)
    #expect(store.problems.map(\.path) == ["bad.yaml"])
    #expect(try store.fileBytes(at: #require(store.item("a")).path) == Array("x".utf8))
    try folder.remove("a.md")
    #expect(throws: Problem(path: "a.md", message: "The file is gone.")) {
      try store.fileBytes(at: #require(store.item("a")).path)
    }
  }

  @Test func `files that are read again are reported, whatever changed in them`() async throws {
    let read = Mutex<[Set<Item.ID>]>([])
    var options = StoreOptions()
    options.onItemsRead = { ids in read.withLock { $0.append(ids) } }
    let store = try await ItemStore.temporary(
      ["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"], watching: false, options: options)
    #expect(read.withLock(\.self).isEmpty)
    try await store.seed(["a.yaml": "n: 1 # new\n"])
    try await store.seed(["b.yaml": "n: 3\n"])
    #expect(read.withLock(\.self) == [["a"], ["b"]])
  }

  @Test func `a root that is missing or is not a folder cannot be opened, and the error names it`() throws {
    let folder = try TemporaryFolder(["a.md": "x"])
    for watching in [false, true] {
      let missing = try #require(throws: StoreError.self) {
        try ItemStore(at: folder.path + "/gone", watching: watching)
      }
      #expect(missing.code == .notFound)
      #expect(missing.description == "There is no folder `\(folder.path)/gone`.")
      let file = try #require(throws: StoreError.self) {
        try ItemStore(at: folder.path + "/a.md", watching: watching)
      }
      #expect(file.code == .notFound)
      #expect(file.description == "\(folder.path)/a.md is not a folder.")
    }
  }

  @Test func `a root without permission cannot be opened, and the settings stay meanwhile`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1", ".notes-watch.yaml": "ignore: [b.yaml]"])
    let worker = try StoreWorker(at: folder.path, watching: false, options: StoreOptions())
    try #require(chmod(folder.path, 0) == 0)
    let error = try #require(throws: StoreError.self) { try withoutRoot { try ItemStore(at: folder.path) } }
    #expect(error.code == .permissionDenied)
    #expect(
      error.description
        == "The folder \(folder.path) cannot be opened: permission denied. Check its permissions and those of the folders above it."
    )
    withoutRoot { worker.scan(DirtyPaths(files: [ItemStoreTests.settings], subtrees: [.root])) }
    let state = worker.published.state
    #expect(state.items.count == 1)
    #expect(state.settings.ignore == ["b.yaml"])
    #expect(state.problems.keys.sorted() == [.root])
  }

  @Test func `bad settings are an error of opening, or a problem if the options say so`() throws {
    let folder = try TemporaryFolder(["a.md": "x", ".notes-watch.yaml": "merge:\n  fields: {a: x}\n"])
    let error = try #require(throws: StoreError.self) { try ItemStore(at: folder.path) }
    #expect(error.code == .badSettings, "\(error)")
    #expect(
      error.description.hasPrefix("\(folder.path)/.notes-watch.yaml:2:15: merge.fields.a: "), "\(error)")
    var options = StoreOptions()
    options.badSettingsAreAProblem = true
    let store = try ItemStore(at: folder.path, options: options)
    #expect(store.count == 1)
    #expect(store.settings == Settings())
    #expect(store.problems.map(\.path) == [ItemStoreTests.settings])
  }

  @Test func `a scan of several files is one step`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1", "b.yaml": "n: 2"])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(FetchRequest(sort: ["n"])))
    #expect(follower.next() == "snapshot a b")
    try folder.write("n: 3", to: "a.yaml")
    try folder.remove("b.yaml")
    try folder.write("n: 0", to: "c.yaml")
    await store.scan(DirtyPaths(files: ["a.yaml", "b.yaml", "c.yaml"]))
    #expect(follower.next() == "files: -b(removed) +c@0 ~a@1")
    #expect(follower.next() == nil)
  }

  @Test func `equal values are not a step, even if the file's bytes differ`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\nm: 2"])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(FetchRequest()))
    let modified = Follower(store.list(FetchRequest(fields: ["n", "@size"])))
    #expect(follower.next() == "snapshot a")
    #expect(modified.next() == "snapshot a")
    try folder.write("# longer\nm:   2\nn: 1", to: "a.yaml")
    await store.scan(DirtyPaths(files: ["a.yaml"]))
    #expect(follower.next() == nil)
    // A view that shows a changed pseudo-field has a step.
    #expect(modified.next() == "files: ~a@0")
  }

  @Test func `a batch of git is a step of origin git`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1"])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a")
    try folder.write("n: 2", to: "a.yaml")
    await store.scan(DirtyPaths(subtrees: [.root], origin: .git))
    #expect(follower.next() == "git: ~a@0")
  }

  @Test func `files that git changes while they are read are shown in one step when git has ended`()
    async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "n: 1", "b.yaml": "n: 1"])
    try folder.shell("git init -q .; git add .; git commit -qm x")
    let store = try ItemStore(at: folder.path), watch = try DirectoryWatcher(root: folder.path)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a b")
    // A git command that is half done, and continues when the watch has noticed it.
    try folder.shell("touch .git/index.lock; rm a.yaml; echo 'n: 2' > a.yaml")
    #expect(await watch.isOvertaken(DirtyPaths(files: ["a.yaml"])))
    async let isScanned: Void = store.scan(
      DirtyPaths(files: ["a.yaml", "b.yaml"], origin: .git), following: watch)
    try folder.shell(
      "rm b.yaml; echo 'n: 2' > b.yaml; cp .git/index .git/index.lock; mv .git/index.lock .git/index")
    await isScanned
    #expect(follower.next() == "git: ~a@0 ~b@1")
    #expect(follower.next() == nil)
  }

  @Test func `a file that goes bad keeps its item, raises a problem, and clears it when it is good again`()
    async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "n: 1"])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a")
    for (text, said) in [
      ("n: [", "raised a.yaml:1"), ("<<<<<<< ours\nn: 2\n=======\nn: 3\n>>>>>>> theirs\n", "raised a.yaml:1"),
      ("n: 1", "cleared a.yaml"),
    ] {
      try folder.write(text, to: "a.yaml")
      await store.scan(DirtyPaths(files: ["a.yaml"]))
      #expect(follower.next() == said)
      #expect(store.item("a")?.value(at: "n") == 1)
    }
    try folder.write("n: [", to: "a.yaml")
    await store.scan(DirtyPaths(files: ["a.yaml"]))
    _ = follower.next()
    try folder.remove("a.yaml")
    await store.scan(DirtyPaths(files: ["a.yaml"]))
    #expect(follower.next() == "files: -a(removed) cleared a.yaml")
  }

  @Test func `a file that is missing in the middle of a save is read again before that is a deletion`()
    async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "n: 1", "b.yaml": "n: 2", "c.yaml": "n: 3"])
    var options = StoreOptions()
    // The watch's own events come long after the test.
    options.watch.settle = .seconds(600)
    options.watch.maxWait = .seconds(600)
    let store = try ItemStore(at: folder.path, watching: true, options: options)
    for name in ["a.yaml", "b.yaml", "c.yaml"] { try folder.remove(name) }
    await store.scan(DirtyPaths(files: ["a.yaml"]))
    #expect(store.item("a") != nil)
    await store.scan(DirtyPaths(files: ["a.yaml"]))
    #expect(store.item("a") == nil)
    // The watch has already waited for this one.
    var told = DirtyPaths(files: ["b.yaml"])
    told.gone = ["b.yaml"]
    await store.scan(told)
    #expect(store.item("b") == nil)
    await store.scan(DirtyPaths(subtrees: [.root]))
    #expect(store.item("c") == nil)
  }

  @Test func `a root that goes keeps its items and settings until it is back`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "n: 1", "b.yaml": "n: 2", "bad.yaml": "[",
      ".notes-watch.yaml": "views: {v: {section: -n, section-order: [none]}}",
    ])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(try store.list(ItemStoreTests.view("v")))
    #expect(follower.next() == "snapshot b a")
    try folder.rename(to: folder.path + ".away")
    await store.scan(DirtyPaths(subtrees: [.root]))
    #expect(follower.next() == "raised :1")
    #expect(
      store.problems.map(\.message) == [
        "There is no folder `\(folder.path)`.", "This list is not closed. Add the missing `]`.",
      ])
    #expect(store.count == 2)
    #expect(store.settings.views["v"] != nil)
    // A new reading would find nothing.
    #expect(await store.freshState().items.count == 0)
    try FileManager.default.removeItem(atPath: folder.path + ".away/a.yaml")
    try FileManager.default.moveItem(atPath: folder.path + ".away", toPath: folder.path)
    await store.scan(DirtyPaths(subtrees: [.root]))
    #expect(follower.next() == "files: [-1@2] -a(removed) cleared ")
  }

  @Test func `a root that was replaced by a file keeps its items`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1"])
    let store = try ItemStore(at: folder.path)
    try folder.rename(to: folder.path + ".away")
    try Data("a file".utf8).write(to: URL(fileURLWithPath: folder.path))
    await store.scan(DirtyPaths(files: ["a.yaml"], subtrees: [.root]))
    #expect(store.count == 1)
    #expect(store.problems.map(\.message) == ["\(folder.path) is not a folder."])
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.moveItem(atPath: folder.path + ".away", toPath: folder.path)
  }

  @Test func `a scan of a subtree finds moved, emptied and replaced folders`() async throws {
    let folder = try TemporaryFolder(["d/a.yaml": "n: 1", "d/e/b.yaml": "n: 2", "f.yaml": "n: 3"])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot d/a d/e/b f")
    try FileManager.default.moveItem(atPath: folder.path + "/d", toPath: folder.path + "/g")
    await store.scan(DirtyPaths(subtrees: ["d", "g"]))
    #expect(follower.next() == "files: -d/e/b(removed) -d/a(removed) +g/a@1 +g/e/b@2")
    // A folder in a file's place, and one with a file's name.
    try folder.remove("f.yaml")
    try folder.makeFolder("f.yaml")
    try folder.write("n: 1", to: "f.yaml/inner.yaml")
    await store.scan(DirtyPaths(files: ["f.yaml"], subtrees: ["f.yaml"]))
    #expect(follower.next() == "raised f.yaml:1")
    #expect(store.problems.map(\.message) == ["This is a folder, not a file; it was not opened."])
  }

  /// Only its list holds the store.
  @Test(.timeLimit(.minutes(1))) func `a list keeps its store`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1"])
    let results = try ItemStore(at: folder.path, watching: true).list(FetchRequest())
    let subscription = results.subscribe()
    _ = await subscription.next()
    try folder.write("n: 2", to: "b.yaml")
    _ = await subscription.next()
    #expect(results.snapshot.count == 2)
  }

  /// The settings are read before the watch is set, and an edit in between has no event. Each round
  /// edits a little later, so that some edits fall in between.
  @Test(.timeLimit(.minutes(2))) func `settings that are edited while the watch starts are used`()
    async throws
  {
    let folder = try TemporaryFolder([
      "a.yaml": "n: 1", "b.yaml": "n: 2", "old": "ignore: []", "new": "ignore: [b.yaml]",
    ])
    let settings = folder.path + "/.notes-watch.yaml"
    for round in 0..<300 {
      try FileManager.default.copyItem(atPath: folder.path + "/old", toPath: settings + ".\(round)")
      try #require(rename(settings + ".\(round)", settings) == 0)
      try FileManager.default.copyItem(atPath: folder.path + "/new", toPath: settings + ".new")
      let edit = Task.detached {
        let end = ContinuousClock.now + .microseconds(3 * round)
        while ContinuousClock.now < end {}
        return rename(settings + ".new", settings)
      }
      let results = try ItemStore(at: folder.path, watching: true).list(FetchRequest())
      try #require(await edit.value == 0)
      for await update in results.updates where update.new.count == 1 { break }
      #expect(results.snapshot.text == "a")
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a file that stays broken becomes a problem without another event`()
    async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "n: 1"])
    let results = try ItemStore(at: folder.path, watching: true).list(FetchRequest())
    var problems = results.problems.makeAsyncIterator()
    try folder.write("n: [", to: "a.yaml")
    let raised = await problems.next()
    #expect(raised?.problem.path == "a.yaml")
    #expect(raised?.problem.line == 1)
    #expect(results.snapshot.item("a")?.value(at: "n") == 1)
  }

  @Test func `a list that nobody holds is released`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1"])
    let store = try ItemStore(at: folder.path)
    weak var results: LiveList<Item>?
    do {
      let held = store.list(FetchRequest())
      results = held
      #expect(results != nil)
    }
    #expect(results == nil)
    await store.refresh()
  }
}
