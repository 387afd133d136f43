import Files
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Watch

@Suite struct DirectoryScanTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func scan(below path: RelativePath = .root, filter: WatchFilter = WatchFilter()) throws -> [String]
  {
    try DirectoryScan.scan(root: folder.path, below: path, filter: filter).entries.map {
      "\($0.path) \($0.kind)"
    }.sorted()
  }

  @Test func `a scan lists entries of every kind and follows no link`() throws {
    try folder.shell(
      "mkdir -p d/e; echo > d/e/f; echo > a; ln -s d link; ln -s nowhere dangling; ln -s . d/loop; mkfifo p; echo > .hidden; mkdir .git; echo > .git/x"
    )
    #expect(
      try scan() == [
        "a regular", "d directory", "d/e directory", "d/e/f regular", "d/loop symbolicLink",
        "dangling symbolicLink", "link symbolicLink",
        "p fifo",
      ])
    #expect(try scan(below: RelativePath(bytes: "d/e".utf8)) == ["d/e/f regular"])
  }

  @Test func `a scan below something that is not a folder is empty`() throws {
    try folder.shell("echo > a; mkdir d; echo > d/x; ln -s d link")
    for path in ["gone", "gone/deeper", "a", "link"] {
      #expect(try scan(below: RelativePath(bytes: path.utf8)) == [])
    }
  }

  @Test func `a scan applies the filter to folders and files`() throws {
    try folder.shell(
      "mkdir -p in/sub out; echo > in/a.md; echo > in/b.txt; echo > out/c.md; echo > in/sub/d.md")
    let filter = WatchFilter(
      includesDirectory: { $0.name != "out" }, includesFile: { $0.name.hasSuffix(".md") })
    #expect(try scan(filter: filter) == ["in/a.md regular", "in/sub/d.md regular"])
  }

  @Test func `a scan keeps names that are not UTF-8`() throws {
    try folder.shell(
      "printf x > \"$(printf 'a\\377b')\"; printf x > \"$(printf 'new\\nline')\"; printf x > '50%'")
    #expect(try scan() == ["50%25 regular", "a%FFb regular", "new%0Aline regular"])
    let path = try #require(RelativePath(printed: "a%FFb"))
    #expect(path.withCString { openat(AT_FDCWD, $0, O_RDONLY) } < 0)
    #expect(RootPath(folder.path).status(path)?.stamp.size == 1)
  }

  /// A path cannot be long enough for 1,500 levels. The levels beyond the limit are reported, and
  /// the rest is listed.
  @Test func `a scan ends in a folder of any depth`() throws {
    try folder.shell("echo > top")
    var level = try Descriptor.root(RootPath(folder.path)).release()
    for _ in 0..<1500 {
      #expect(mkdirat(level, "deep", 0o755) == 0)
      let next = openat(level, "deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      close(level)
      level = next
    }
    close(level)
    let listing = try DirectoryScan.scan(
      root: folder.path, filter: WatchFilter(includesFile: { $0.name == "top" }))
    #expect(listing.entries.count == 1)
    #expect(listing.unreadable.map(\.error.code) == [.pathTooLong])
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a scan reports folders that it may not read`() throws {
    try folder.shell("mkdir -p d/e; echo > d/a; echo > b; chmod 000 d")
    let listing = try DirectoryScan.scan(root: folder.path)
    #expect(listing.entries.map(\.path.description).sorted() == ["b", "d"])
    #expect(listing.unreadable.map { "\($0.directory) \($0.error.code)" } == ["d permissionDenied"])
  }

  @Test func `the error says why a root cannot be read`() throws {
    try folder.shell("echo > file; ln -s circle circle")
    let cases: [(String, WatchError.Code)] = [
      ("none", .notFound), ("file", .notADirectory), ("file/x", .notADirectory), ("circle", .notADirectory),
    ]
    for (name, code) in cases {
      let error = #expect(throws: WatchError.self) { try DirectoryScan.scan(root: "\(folder.path)/\(name)") }
      #expect(error?.code == code)
      #expect(error?.description.contains("\(folder.path)/\(name)") == true)
      #expect(error?.description.hasSuffix(".") == true)
    }
  }

  @Test func `a known listing is used only for a folder with its stamp`() throws {
    try folder.shell("mkdir d; echo > a; echo > d/b")
    let known = FakeListings()
    func scan() throws -> [String] {
      var names: [String] = []
      let unreadable = try DirectoryScan.scan(
        root: folder.path, named: folder.path, filter: WatchFilter(),
        known: { known.listing(of: $0, stamp: $1) }
      ) { found in
        names += found.entries.map { "\(found.path(of: $0))" }
        known.folders.withLock { $0[found.path] = found }
      }
      #expect(unreadable.isEmpty)
      return names.sorted()
    }
    #expect(try scan() == ["a", "d", "d/b"])
    // What is known is returned, without a look at the folder.
    known.folders.withLock { $0["d"]?.append(Array("x".utf8)) }
    #expect(try scan() == ["a", "d", "d/b", "d/x"])
    try folder.shell("echo > d/c")
    #expect(try scan() == ["a", "d", "d/b", "d/c"])
  }

  private final class FakeListings: Sendable {
    let folders = Mutex<[RelativePath: FolderListing]>([:])

    func listing(of folder: RelativePath, stamp: FileStamp) -> FolderListing? {
      folders.withLock { $0[folder] }.flatMap { $0.stamp == stamp ? $0 : nil }
    }
  }

  @Test func `replacing a closure of a filter removes what it says about names`() {
    var filter = WatchFilter()
    filter.byName = { _ in (false, false) }
    filter.includesFile = { _ in true }
    #expect(filter.byName == nil)
  }
}

extension FolderListing {
  fileprivate mutating func append(_ name: [UInt8]) {
    name.withUnsafeBytes { append($0, .regular, isIncluded: true, isEntered: false) }
  }
}
