import Files
import Query
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Folder

/// The first reading gives what reading each file by its path gives.
struct FirstReadingTests {
  private static func read(
    _ folder: TemporaryFolder, _ settings: Settings, threads: Int = 2, limits: ReadLimits = ReadLimits(),
    cache: (any ReadCache)? = nil
  ) throws -> (model: StoreModel, folders: [ReadFolder]) {
    var contents = StoreContents(settings: settings, options: ReadOptions(limits: limits, readers: threads))
    let filter = contents.rules.watchFilter
    let known = cache.map { cache -> KnownListing in { cache.listing(of: $0, stamp: $1) } }
    let record = try contents.load(from: folder.path, cache: cache) {
      found throws(WatchError) in
      try DirectoryScan.scan(
        root: folder.path, named: folder.path, filter: filter, known: known, found: found)
    }
    return (contents.model, record.folders)
  }

  /// Reads each file by its path.
  private static func readSimply(
    _ folder: TemporaryFolder, _ settings: Settings, limits: ReadLimits = ReadLimits()
  ) throws -> StoreModel {
    var contents = StoreContents(settings: settings, options: ReadOptions(limits: limits, readers: 1))
    let listing = try DirectoryScan.scan(root: folder.path, filter: contents.rules.watchFilter)
    _ = contents.apply(contents.findings(of: contents.plan(listing), root: folder.path))
    return contents.model
  }

  private static func summary(_ model: StoreModel) -> [String] {
    model.items.map {
      "\($0.key) \($0.value.path) \($0.value.stamp.size) \($0.value.stamp.identity.inode) \($0.value.fields.value.text)"
    }
    .sorted()
      + model.problems.map { "\($0.value)" }.sorted()
  }

  @Test(arguments: Randomness.seeds(20))
  func `the first reading finds what reading each path finds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    for _ in 0..<random.below(60) { try FirstReadingTests.addEntry(to: folder, &random) }
    let settings = Settings(ignore: random.oneIn(2) ? [] : ["skip", "*.md"])
    var limits = ReadLimits()
    if random.oneIn(3) { limits.totalExpandedSize = 20_000 }
    let model = try FirstReadingTests.read(folder, settings, threads: 1 + random.below(3), limits: limits)
      .model
    let simple = try FirstReadingTests.readSimply(folder, settings, limits: limits)
    #expect(FirstReadingTests.summary(model) == FirstReadingTests.summary(simple), "\(seedNote(seed))")
    #expect(model.knownPaths == simple.knownPaths, "\(seedNote(seed))")
  }

  private static func addEntry(to folder: TemporaryFolder, _ random: inout SeededGenerator) throws {
    let place = random.one(of: ["", "d/", "d/e/", "skip/", "f %/", ".hidden/"])
    let name = random.one(of: ["a", "b", "c.d", "50% off", "\u{1}", "é", "n\(random.below(30))"])
    let ending = random.one(of: [".yaml", ".json", ".md", ".MD", ".txt", "", "."])
    let path = "\(place)\(name)\(ending)"
    // Something else has a name of its own: writing to a FIFO would block.
    let other = "\(place)other\(random.below(1_000))\(ending)"
    switch random.below(10) {
    case 0: _ = try? folder.shell("mkdir -p \'./\(other)\'")
    case 1: _ = try? folder.shell("mkdir -p \'./\(place)\'; ln -s a.yaml \'\(other)\'")
    case 2: _ = try? folder.shell("mkdir -p \'./\(place)\'; mkfifo \'\(other)\'")
    case 3: try? folder.write(String(repeating: "text ", count: 20_000), to: path)
    case 4: try? folder.write("", to: path)
    case 5:
      try? folder.write(
        "a: &a [\(String(repeating: "x, ", count: 300))]\nb: [*a\(String(repeating: ", *a", count: 40))]\n",
        to: path)
    case 6: try? folder.write("[", to: path)
    default: try? folder.write("{\"v\": \(random.below(5))}", to: path)
    }
  }

  @Test func `all files of many folders are read, by any number of threads`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<700 { try folder.write("{\"n\": \(number)}", to: "\(number % 3)/\(number).json") }
    for threads in [1, 2, 5] {
      #expect(try FirstReadingTests.read(folder, Settings(), threads: threads).model.items.count == 700)
    }
  }

  @Test func `a folder that is gone has no items and is a problem`() throws {
    var contents = StoreContents(settings: Settings(), options: ReadOptions())
    let record = try contents.load(from: "/nowhere") { _ in [] }
    #expect(record.folders.isEmpty)
    #expect(contents.model.items.isEmpty)
    #expect(contents.model.problems.first?.value.message == "There is no folder `/nowhere`.")
  }

  @Test func `the cache gets every folder with its items, and then supplies them`() throws {
    let folder = try TemporaryFolder([
      "a.yaml": "x: 1", "bad.yaml": "[", "d/b.json": "{}", "d/e/f/c.md": "text", "no.txt": "",
    ])
    let cache = KeepingCache()
    let first = try FirstReadingTests.read(folder, Settings(), cache: cache)
    #expect(Set(first.folders.map(\.listing.path)) == [.root, "d", "d/e", "d/e/f"])
    #expect(first.folders.flatMap(\.items).compactMap { $0 }.count == 3)
    #expect(cache.counts.withLock { $0 } == KeepingCache.Counts(listings: 0, values: 0))
    cache.record(first.folders)
    let second = try FirstReadingTests.read(folder, Settings(), cache: cache)
    #expect(FirstReadingTests.summary(second.model) == FirstReadingTests.summary(first.model))
    #expect(cache.counts.withLock { $0 } == KeepingCache.Counts(listings: 4, values: 3))
    try folder.write("x: 12", to: "a.yaml")
    try folder.write("{", to: "d/b.json")
    let third = try FirstReadingTests.read(folder, Settings(), cache: cache)
    #expect(
      try FirstReadingTests.summary(third.model)
        == FirstReadingTests.summary(FirstReadingTests.readSimply(folder, Settings())))
    #expect(third.model.items["a"]?.fields.value["x"] == 12)
  }

  @Test(arguments: [false, true]) func `a reading begins before the first folder is listed`(watching: Bool)
    throws
  {
    let folder = try TemporaryFolder(["a.yaml": "x: 1", "d/b.json": "{}"])
    let cache = ListingClock()
    var options = StoreOptions()
    options.openCache = { _ in cache }
    let store = try ItemStore(at: folder.path, watching: watching, options: options)
    store.recordFirstReading()
    let first = try #require(cache.firstListing.withLock { $0 })
    let began = cache.began.withLock { $0 }
    #expect(began.count == 2)
    #expect(began.allSatisfy { $0.total <= first.total })
  }
}

/// A cache that knows nothing, and remembers when it was asked for the first listing.
private final class ListingClock: ReadCache {
  let firstListing = Mutex<FileTime?>(nil)
  let began = Mutex<[FileTime]>([])
  let isEmpty = true
  let hits = 0

  func listing(of folder: RelativePath, stamp: FileStamp) -> FolderListing? {
    firstListing.withLock { $0 = $0 ?? .now }
    return nil
  }

  func values(of folder: RelativePath) -> (any CachedValues)? { nil }

  func isCurrent(entryCount: Int) -> Bool { false }

  func record(_ folders: [ReadFolder]) { began.withLock { $0 = folders.map(\.began) } }
}

/// A cache that keeps what was recorded.
private final class KeepingCache: ReadCache {
  struct Counts: Equatable {
    var listings = 0
    var values = 0
  }

  let counts = Mutex(Counts())
  private let folders = Mutex<[RelativePath: ReadFolder]>([:])

  var isEmpty: Bool { folders.withLock(\.isEmpty) }

  var hits: Int { counts.withLock(\.values) }

  func listing(of folder: RelativePath, stamp: FileStamp) -> FolderListing? {
    guard let known = folders.withLock({ $0[folder] }), known.listing.stamp == stamp else { return nil }
    counts.withLock { $0.listings += 1 }
    return known.listing
  }

  func values(of folder: RelativePath) -> (any CachedValues)? {
    folders.withLock { $0[folder] }.map { Values(folder: $0, cache: self) }
  }

  func isCurrent(entryCount: Int) -> Bool { false }

  func record(_ folders: [ReadFolder]) {
    self.folders.withLock { known in for folder in folders { known[folder.listing.path] = folder } }
  }

  private struct Values: CachedValues {
    let folder: ReadFolder
    let cache: KeepingCache

    func value(of index: Int, named name: UnsafeRawBufferPointer, stamp: FileStamp) -> PackedValue? {
      guard let item = folder.items[index], item.stamp == stamp,
        folder.listing.withName(of: folder.listing.entries[index], { $0.elementsEqual(name) })
      else { return nil }
      cache.counts.withLock { $0.values += 1 }
      return item.fields
    }
  }
}
