import LinuxFiles
import DirectoryWatch
import Foundation
import Glibc
import HashTreeCollections
import PlainText
import TestSupport
import Testing

@testable import PlainStore

struct StoreContentsTests {
  private static let reader = ParallelReader(limits: ReadLimits(), threads: 1)

  private static func contents(of folder: TemporaryFolder, _ settings: Settings = Settings()) throws -> StoreContents {
    var contents = StoreContents(settings: settings, options: StoreOptions())
    let listing = try DirectoryScan.scan(root: folder.path, filter: contents.rules.watchFilter)
    contents.load(contents.plan(listing), with: reader, root: folder.path)
    return contents
  }

  /// What a plan asks for: `path` to be read, `path!` to be read whatever its stamp, `path-` known to be missing.
  private static func summary(_ plan: StoreContents.Plan) -> [String] {
    (plan.requests.map { "\($0.path)\($0.known == nil ? "!" : "")" }
      + plan.findings.map { finding in
        if case .missing = finding.finding { "\(finding.path)-" } else { "\(finding.path)?" }
      }).sorted()
  }

  @Test func `Loading takes in everything that is an item`() throws {
    let folder = try TemporaryFolder([
      "a.md": "x", "d/b.yaml": "x: 1", "d/e/c.json": "{}", "no.txt": "", ".hidden.md": "x", ".git/x.md": "x", "d/skip.md": "x",
      "bad.yaml": "[",
    ])
    let contents = try StoreContentsTests.contents(of: folder, Settings(ignore: ["skip.md"]))
    #expect(contents.model.items.keys.map(\.description).sorted() == ["a", "d/b", "d/e/c"])
    #expect(contents.model.problems.keys.map(\.description) == ["bad.yaml"])
  }

  @Test func `Many files are loaded in parts, and none is lost`() throws {
    // More than one part of 4,096.
    let folder = try TemporaryFolder()
    for number in 0..<4_200 { try folder.write("x", to: "\(number).md") }
    #expect(try StoreContentsTests.contents(of: folder).model.items.count == 4_200)
  }

  @Test func `Named files are read whatever their stamp, those below a subtree only with another one`() throws {
    let folder = try TemporaryFolder(["a.md": "x", "d/b.md": "x", "d/e/c.md": "x", "f/g.md": "x"])
    let contents = try StoreContentsTests.contents(of: folder)
    #expect(StoreContentsTests.summary(contents.plan(DirtyPaths(files: ["a.md", "new.md"]), root: folder.path)) == ["a.md!", "new.md!"])
    try folder.write("x", to: "d/new.md")
    #expect(
      StoreContentsTests.summary(contents.plan(DirtyPaths(subtrees: ["d"]), root: folder.path)) == ["d/b.md", "d/e/c.md", "d/new.md!"])
    #expect(
      StoreContentsTests.summary(contents.plan(DirtyPaths(files: ["d/b.md"], subtrees: [.root]), root: folder.path))
        == ["a.md", "d/b.md!", "d/e/c.md", "d/new.md!", "f/g.md"])
  }

  @Test func `What was below a subtree and is no longer found is looked for`() throws {
    let folder = try TemporaryFolder(["a.md": "x", "d/b.md": "x", "d/e/c.md": "x"])
    let contents = try StoreContentsTests.contents(of: folder)
    try folder.remove("d")
    for subtree in ["d", .root] as [RelativePath] {
      let plan = contents.plan(DirtyPaths(subtrees: [subtree]), root: folder.path)
      #expect(StoreContentsTests.summary(plan) == (subtree == .root ? ["a.md"] : []) + ["d/b.md!", "d/e/c.md!"])
    }
    // A file in the folder's place is no folder; the paths below it are gone all the same.
    try folder.write("", to: "d")
    #expect(StoreContentsTests.summary(contents.plan(DirtyPaths(subtrees: ["d"]), root: folder.path)) == ["d/b.md!", "d/e/c.md!"])
    try folder.remove("")
    #expect(
      StoreContentsTests.summary(contents.plan(DirtyPaths(subtrees: [.root]), root: folder.path)) == ["a.md!", "d/b.md!", "d/e/c.md!"])
  }

  /// Promise 7. Each dirty folder was once compared with each, and with each path that was known.
  @Test(.timeLimit(.minutes(1))) func `Very many folders that are dirty at once are planned in one pass`() throws {
    let folder = try TemporaryFolder()
    var contents = StoreContents(settings: Settings(), options: StoreOptions())
    let count = 60_000
    _ = contents.apply((0..<count).map { (RelativePath(bytes: "d\($0)/a.md".utf8), .item(FileStamp(), PackedValue(.map([:])))) })
    let dirty = DirtyPaths(subtrees: Set((0..<count).map { RelativePath(bytes: "d\($0)".utf8) }))
    let plan = contents.plan(dirty, root: folder.path)
    #expect(plan.requests.count == count && plan.findings.isEmpty)
  }

  @Test func `What is ignored is missing, whatever is there`() throws {
    let folder = try TemporaryFolder(["a.md": "x", "d/b.md": "x", "d/e.md": "x"])
    var contents = try StoreContentsTests.contents(of: folder)
    _ = contents.adopt(Settings(ignore: ["d/b.md", "a.md"]))
    #expect(StoreContentsTests.summary(contents.plan(DirtyPaths(subtrees: [.root]), root: folder.path)) == ["a.md-", "d/b.md-", "d/e.md"])
    #expect(
      StoreContentsTests.summary(contents.plan(DirtyPaths(files: ["d/b.md", ".x.md", "x.txt"]), root: folder.path)) == [
        ".x.md-", "d/b.md-", "x.txt-",
      ])
    _ = contents.adopt(Settings(ignore: ["d"]))
    #expect(StoreContentsTests.summary(contents.plan(DirtyPaths(files: ["d/new.md"]), root: folder.path)) == ["d/new.md-"])
  }

  @Test func `What lies behind a folder that cannot be read is not taken to be gone`() throws {
    let folder = try TemporaryFolder(["a.md": "x", "d/b.md": "x", "d/e/c.md": "x"])
    var contents = try StoreContentsTests.contents(of: folder)
    try #require(chmod(folder.path, 0o755) == 0 && chmod("\(folder.path)/d", 0) == 0)
    for subtree in [.root, "d"] as [RelativePath] {
      let plan = withoutRoot { contents.plan(DirtyPaths(subtrees: [subtree]), root: folder.path) }
      #expect(StoreContentsTests.summary(plan) == (subtree == .root ? ["a.md"] : []) + ["d?"])
      _ = contents.apply(plan.findings)
      #expect(contents.model.problems.keys.map(\.description) == ["d"] && contents.model.items.count == 3)
    }
    // A file that is named is looked at, and keeps its item too.
    let plan = contents.plan(DirtyPaths(files: ["d/b.md"]), root: folder.path)
    _ = contents.apply(withoutRoot { StoreContentsTests.reader.findings(of: plan, root: folder.path) })
    #expect(contents.model.problems["d/b.md"]?.message == "The file cannot be examined: permission denied.")
    #expect(contents.model.items.count == 3)
    // Once it can be read its problem goes.
    try #require(chmod("\(folder.path)/d", 0o755) == 0)
    let mended = contents.plan(DirtyPaths(subtrees: ["d"]), root: folder.path)
    #expect(StoreContentsTests.summary(mended) == ["d-", "d/b.md!", "d/e/c.md"])
    _ = contents.apply(StoreContentsTests.reader.findings(of: mended, root: folder.path))
    #expect(contents.model.problems.isEmpty && contents.model.items.count == 3)
  }

  @Test func `A root that cannot be read takes nothing away`() throws {
    let folder = try TemporaryFolder(["a.md": "x"])
    var contents = try StoreContentsTests.contents(of: folder)
    try #require(chmod(folder.path, 0) == 0)
    let plan = withoutRoot { contents.plan(DirtyPaths(files: ["a.md"], subtrees: [.root]), root: folder.path) }
    _ = contents.apply(withoutRoot { StoreContentsTests.reader.findings(of: plan, root: folder.path) })
    #expect(contents.model.items.count == 1)
    #expect(contents.model.problems.keys.map(\.description) == [""])
    try #require(chmod(folder.path, 0o755) == 0)
    let mended = contents.plan(DirtyPaths(subtrees: [.root]), root: folder.path)
    _ = contents.apply(StoreContentsTests.reader.findings(of: mended, root: folder.path))
    #expect(contents.model.problems.isEmpty && contents.model.items.count == 1)
  }

  @Test func `Options go before settings where ids are concerned`() throws {
    var options = StoreOptions()
    options.idFields = ["uuid"]
    var contents = StoreContents(settings: Settings(idFields: ["name"]), options: options)
    _ = contents.apply([("a.md", .item(FileStamp(), PackedValue(.map(["uuid": "u", "name": "n"]))))])
    #expect(contents.model.items.keys.map(\.description) == ["u"])
    #expect(contents.adopt(Settings()).ids == [])
  }
}
