import Files
import Foundation
import Glibc
import HashTreeCollections
import Query
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Folder

struct StoreContentsTests {
  private static func contents(of folder: TemporaryFolder, _ settings: Settings = Settings()) throws
    -> StoreContents
  {
    var contents = StoreContents(settings: settings, options: ReadOptions(readers: 1))
    let filter = contents.rules.watchFilter
    _ = try contents.load(from: folder.path) { found throws(WatchError) in
      try DirectoryScan.scan(root: folder.path, named: folder.path, filter: filter, found: found)
    }
    return contents
  }

  /// Prints a plan: `path` is to be read, `path!` is to be read in any case, `path-` is missing.
  private static func summary(_ plan: StoreContents.Plan) -> [String] {
    (plan.requests.map { "\($0.path)\($0.known == nil ? "!" : "")" }
      + plan.findings.map { finding in
        if case .missing = finding.finding { "\(finding.path)-" } else { "\(finding.path)?" }
      }).sorted()
  }

  @Test func `loading reads each file that is an item`() throws {
    let folder = try TemporaryFolder([
      "a.md": "x", "d/b.yaml": "x: 1", "d/e/c.json": "{}", "no.txt": "", ".hidden.md": "x", ".git/x.md": "x",
      "d/skip.md": "x",
      "bad.yaml": "[",
    ])
    let contents = try StoreContentsTests.contents(of: folder, Settings(ignore: ["skip.md"]))
    #expect(contents.model.items.keys.map(\.description).sorted() == ["a", "d/b", "d/e/c"])
    #expect(contents.model.problems.keys.map(\.description) == ["bad.yaml"])
  }

  @Test func `many files are loaded in parts, and none is lost`() throws {
    // More than one part of 4,096.
    let folder = try TemporaryFolder()
    for number in 0..<4_200 { try folder.write("x", to: "\(number).md") }
    #expect(try StoreContentsTests.contents(of: folder).model.items.count == 4_200)
  }

  @Test func `named files are always read, and files below a subtree only if their stamp differs`() throws {
    let folder = try TemporaryFolder(["a.md": "x", "d/b.md": "x", "d/e/c.md": "x", "f/g.md": "x"])
    let contents = try StoreContentsTests.contents(of: folder)
    #expect(
      StoreContentsTests.summary(contents.plan(DirtyPaths(files: ["a.md", "new.md"]), root: folder.path)) == [
        "a.md!", "new.md!",
      ])
    try folder.write("x", to: "d/new.md")
    #expect(
      StoreContentsTests.summary(contents.plan(DirtyPaths(subtrees: ["d"]), root: folder.path)) == [
        "d/b.md", "d/e/c.md", "d/new.md!",
      ])
    #expect(
      StoreContentsTests.summary(
        contents.plan(DirtyPaths(files: ["d/b.md"], subtrees: [.root]), root: folder.path))
        == ["a.md", "d/b.md!", "d/e/c.md", "d/new.md!", "f/g.md"])
  }

  @Test func `known files below a subtree that a listing does not find are read`() throws {
    let folder = try TemporaryFolder(["a.md": "x", "d/b.md": "x", "d/e/c.md": "x"])
    let contents = try StoreContentsTests.contents(of: folder)
    try folder.remove("d")
    for subtree in ["d", .root] as [RelativePath] {
      let plan = contents.plan(DirtyPaths(subtrees: [subtree]), root: folder.path)
      #expect(
        StoreContentsTests.summary(plan) == (subtree == .root ? ["a.md"] : []) + ["d/b.md!", "d/e/c.md!"])
    }
    // A file replaces the folder: the paths below it are gone.
    try folder.write("", to: "d")
    #expect(
      StoreContentsTests.summary(contents.plan(DirtyPaths(subtrees: ["d"]), root: folder.path)) == [
        "d/b.md!", "d/e/c.md!",
      ])
    try folder.remove("")
    // Without the root, nothing is known of any file.
    #expect(
      StoreContentsTests.summary(
        contents.plan(DirtyPaths(files: ["a.md"], subtrees: [.root, "d"]), root: folder.path)) == ["?"])
  }

  /// Promise 7. Once, each dirty folder was compared with all others and with all known paths.
  @Test(.timeLimit(.minutes(1))) func `many dirty folders are planned in one pass`() throws {
    let folder = try TemporaryFolder()
    var contents = StoreContents(settings: Settings(), options: ReadOptions())
    let count = 60_000
    _ = contents.apply(
      (0..<count).map {
        (RelativePath(bytes: "d\($0)/a.md".utf8), .item(FileStamp(), PackedValue(.map([:]))))
      })
    let dirty = DirtyPaths(subtrees: Set((0..<count).map { RelativePath(bytes: "d\($0)".utf8) }))
    let plan = contents.plan(dirty, root: folder.path)
    #expect(plan.requests.count == count)
    #expect(plan.findings.isEmpty)
  }

  @Test func `an ignored file counts as missing`() throws {
    let folder = try TemporaryFolder(["a.md": "x", "d/b.md": "x", "d/e.md": "x"])
    var contents = try StoreContentsTests.contents(of: folder)
    _ = contents.adopt(Settings(ignore: ["d/b.md", "a.md"]))
    #expect(
      StoreContentsTests.summary(contents.plan(DirtyPaths(subtrees: [.root]), root: folder.path)) == [
        "a.md-", "d/b.md-", "d/e.md",
      ])
    #expect(
      StoreContentsTests.summary(
        contents.plan(DirtyPaths(files: ["d/b.md", ".x.md", "x.txt"]), root: folder.path)) == [
          ".x.md-", "d/b.md-", "x.txt-",
        ])
    _ = contents.adopt(Settings(ignore: ["d"]))
    #expect(
      StoreContentsTests.summary(contents.plan(DirtyPaths(files: ["d/new.md"]), root: folder.path)) == [
        "d/new.md-"
      ])
  }

  @Test func `files below a folder that cannot be read do not count as missing`() throws {
    let folder = try TemporaryFolder(["a.md": "x", "d/b.md": "x", "d/e/c.md": "x"])
    var contents = try StoreContentsTests.contents(of: folder)
    try #require(chmod(folder.path, 0o755) == 0)
    try #require(chmod("\(folder.path)/d", 0) == 0)
    for subtree in [.root, "d"] as [RelativePath] {
      let plan = withoutRoot { contents.plan(DirtyPaths(subtrees: [subtree]), root: folder.path) }
      #expect(StoreContentsTests.summary(plan) == (subtree == .root ? ["a.md"] : []) + ["d?"])
      _ = contents.apply(plan.findings)
      #expect(contents.model.problems.keys.map(\.description) == ["d"])
      #expect(contents.model.items.count == 3)
    }
    // A named file is read, and keeps its item, too.
    let plan = contents.plan(DirtyPaths(files: ["d/b.md"]), root: folder.path)
    _ = contents.apply(withoutRoot { contents.findings(of: plan, root: folder.path) })
    #expect(contents.model.problems["d/b.md"]?.message == "The file cannot be examined: permission denied.")
    #expect(contents.model.items.count == 3)
    // The problem of the folder goes when it can be read.
    try #require(chmod("\(folder.path)/d", 0o755) == 0)
    let mended = contents.plan(DirtyPaths(subtrees: ["d"]), root: folder.path)
    #expect(StoreContentsTests.summary(mended) == ["d-", "d/b.md!", "d/e/c.md"])
    _ = contents.apply(contents.findings(of: mended, root: folder.path))
    #expect(contents.model.problems.isEmpty)
    #expect(contents.model.items.count == 3)
  }

  @Test func `a root that cannot be read removes no item`() throws {
    let folder = try TemporaryFolder(["a.md": "x"])
    var contents = try StoreContentsTests.contents(of: folder)
    try #require(chmod(folder.path, 0) == 0)
    let plan = withoutRoot {
      contents.plan(DirtyPaths(files: ["a.md"], subtrees: [.root]), root: folder.path)
    }
    _ = contents.apply(withoutRoot { contents.findings(of: plan, root: folder.path) })
    #expect(contents.model.items.count == 1)
    #expect(contents.model.problems.keys.map(\.description) == [""])
    try #require(chmod(folder.path, 0o755) == 0)
    let mended = contents.plan(DirtyPaths(subtrees: [.root]), root: folder.path)
    _ = contents.apply(contents.findings(of: mended, root: folder.path))
    #expect(contents.model.problems.isEmpty)
    #expect(contents.model.items.count == 1)
  }

  @Test func `id fields of the options replace those of the settings`() throws {
    var options = ReadOptions()
    options.idFields = ["uuid"]
    var contents = StoreContents(settings: Settings(idFields: ["name"]), options: options)
    _ = contents.apply([("a.md", .item(FileStamp(), PackedValue(.map(["uuid": "u", "name": "n"]))))])
    #expect(contents.model.items.keys.map(\.description) == ["u"])
    #expect(contents.adopt(Settings()).ids == [])
  }
}
