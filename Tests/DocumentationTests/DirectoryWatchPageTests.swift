import DirectoryWatch
import Synchronization
import TestSupport
import Testing

/// The examples of `DirectoryWatch.docc/DirectoryWatch.md` compile as a user of the library has them, and do what they say.
@Suite(.timeLimit(.minutes(1)))
struct DirectoryWatchPageTests {
  @Test func `The page says nothing else`() throws {
    let page = try DocumentationPage("Sources/DirectoryWatch/DirectoryWatch.docc/DirectoryWatch.md", below: #filePath)
    #expect(page.lines.count > 10)
    let missing = try page.firstLineMissing(in: #filePath)
    #expect(missing == nil)
  }

  @Test func `DirectoryWatch: the examples hold`() async throws {
    let temporary = try TemporaryFolder(["a.md": "a", "b.md": "b", "c.txt": "c"])
    let folder = temporary.path
    var looked: Set<String> = []
    func read(_ path: RelativePath) { looked.insert(path.description) }
    func readAll(_ directory: RelativePath) { looked.insert("\(directory)/") }
    func isEnough(_ batch: DirtyPaths) -> Bool { batch.origin == .files && looked.contains("new.md") }

    let filter = WatchFilter(includesFile: { $0.name.hasSuffix(".md") && !$0.isHidden })
    let watch = try DirectoryWatcher(root: folder, filter: filter)
    for entry in watch.consumeInitialListing().entries { read(entry.path) }
    #expect(looked == ["a.md", "b.md"])
    try temporary.shell("echo new > new.md")
    for await case .dirty(let batch) in watch.events {
      for path in batch.files { read(path) }
      for directory in batch.subtrees { readAll(directory) }
      if isEnough(batch) { break }
    }
    watch.stop()
    try await list(folder, filter)
  }

  private func list(_ folder: String, _ filter: WatchFilter) async throws {
    let printed = Mutex<[String]>([])
    @Sendable func print(_ what: any CustomStringConvertible) { printed.withLock { $0.append(what.description) } }
    let listing = try DirectoryScan.scan(root: folder, filter: filter)
    let notes = Set(listing.entries.filter { $0.kind == .regular }.map(\.path))
    for failure in listing.unreadable { print(failure.error) }
    let drafts = WatchFilter(
      includesDirectory: { !$0.isHidden && $0.name != "archive" },
      includesFile: { $0.name.hasSuffix(".md") })
    let watch = try DirectoryWatcher(root: folder, filter: filter)
    watch.setFilter(drafts)
    #expect(await watch.next() == .dirty(DirtyPaths(subtrees: [.root])))
    try await follow(folder, filter, notes, print)
    #expect(printed.withLock { $0.last }?.hasPrefix("1 watches, ") == true)
  }

  private func follow(
    _ folder: String, _ filter: WatchFilter, _ notes: Set<RelativePath>, _ print: @escaping @Sendable (any CustomStringConvertible) -> Void
  )
    async throws
  {
    var looked: [DirtyPaths] = []
    func readAll(_ batch: DirtyPaths) { looked.append(batch) }

    var options = WatchOptions(settle: .milliseconds(20), maxWait: .seconds(2), polling: .automatic)
    options.onNotice = { notice in print(notice) }
    let patient = try DirectoryWatcher(root: folder, filter: filter, options: options)

    patient.rescan()
    patient.recheck(DirtyPaths(files: notes), after: .milliseconds(1))
    patient.scheduleTick(after: .milliseconds(1))

    while case .dirty(var batch)? = await patient.next() {
      readAll(batch)
      while let more = await patient.batch(overtaking: batch) {
        batch.formUnion(more)
        readAll(batch)
      }
    }
    #expect(looked.contains { $0.subtrees == [.root] } && looked.contains { notes.isSubset(of: $0.files) })

    let counters = patient.counters
    print("\(counters.watches) watches, \(counters.events) events, \(counters.overflows) overflows")
  }
}
