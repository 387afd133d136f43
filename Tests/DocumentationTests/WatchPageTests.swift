import Files
import Synchronization
import TestSupport
import Testing
import Watch

/// Compiles the examples of `Watch.docc/Watch.md` as a user of the library does,
/// and checks their results.
@Suite(.timeLimit(.minutes(1)))
struct WatchPageTests {
  @Test func `the page has only examples that are compiled here`() throws {
    let page = try DocumentationPage("Sources/Core/Watch/Watch.docc/Watch.md", below: #filePath)
    #expect(page.lines.count > 10)
    let missing = try page.firstLineMissing(in: #filePath)
    #expect(missing == nil)
  }

  @Test func `the examples do what the page says`() async throws {
    let temporary = try TemporaryFolder(["a.md": "a", "b.md": "b", "c.txt": "c"])
    let folder = temporary.path
    var seen: Set<String> = []
    func read(_ path: RelativePath) { seen.insert(path.description) }
    func readAll(_ directory: RelativePath) { seen.insert("\(directory)/") }
    func isEnough(_ batch: DirtyPaths) -> Bool { batch.origin == .files && seen.contains("new.md") }

    let filter = WatchFilter(includesFile: { $0.name.hasSuffix(".md") && !$0.isHidden })
    let watcher = try DirectoryWatcher(root: folder, filter: filter)
    for entry in watcher.consumeInitialListing().entries { read(entry.path) }
    #expect(seen == ["a.md", "b.md"])
    try temporary.shell("echo new > new.md")
    for await case .dirty(let batch) in watcher.events {
      for path in batch.files { read(path) }
      for directory in batch.subtrees { readAll(directory) }
      if isEnough(batch) { break }
    }
    watcher.stop()
    try await list(folder, filter)
  }

  private func list(_ folder: String, _ filter: WatchFilter) async throws {
    let printed = Mutex<[String]>([])
    @Sendable func print(_ what: any CustomStringConvertible) {
      printed.withLock { $0.append(what.description) }
    }
    let listing = try DirectoryScan.scan(root: folder, filter: filter)
    let notes = Set(listing.entries.filter { $0.kind == .regular }.map(\.path))
    for failure in listing.unreadable { print(failure.error) }
    let drafts = WatchFilter(
      includesDirectory: { !$0.isHidden && $0.name != "archive" },
      includesFile: { $0.name.hasSuffix(".md") })
    let watcher = try DirectoryWatcher(root: folder, filter: filter)
    watcher.setFilter(drafts)
    #expect(await watcher.next() == .dirty(DirtyPaths(subtrees: [.root])))
    try await follow(folder, filter, notes, print)
    #expect(printed.withLock { $0.last }?.hasPrefix("1 watches, ") == true)
  }

  private func follow(
    _ folder: String, _ filter: WatchFilter, _ notes: Set<RelativePath>,
    _ print: @escaping @Sendable (any CustomStringConvertible) -> Void
  )
    async throws
  {
    var seen: [DirtyPaths] = []
    func readAll(_ batch: DirtyPaths) { seen.append(batch) }

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
    #expect(seen.contains { $0.subtrees == [.root] })
    // A reader that is slow gets one batch of both, and the root includes the files.
    #expect(seen.allSatisfy { $0.subtrees == [.root] || notes.isSubset(of: $0.files) })

    let counters = patient.counters
    print("\(counters.watches) watches, \(counters.events) events, \(counters.overflows) overflows")
  }
}
