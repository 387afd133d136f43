import Files
import Glibc
import Watch

/// The examples in the documentation comments of `Watch`, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct WatchExamples {
  // Watch/DirectoryWatcher.swift
  func watcher(_ read: (RelativePath) -> Void, _ readAll: (RelativePath) -> Void) async throws {
    func readAll(below folder: RelativePath) {}
    let watcher = try DirectoryWatcher(
      root: "notes", filter: WatchFilter(includesFile: { $0.name.hasSuffix(".md") }))
    for entry in watcher.consumeInitialListing().entries { read(entry.path) }
    for await case .dirty(let batch) in watcher.events {
      for path in batch.files { read(path) }  // changed, new or deleted
      for folder in batch.subtrees { readAll(below: folder) }
    }
  }

  // Watch/DirectoryWatcher.swift
  func overtakingBatch(_ watcher: DirectoryWatcher, _ first: DirtyPaths) async {
    var batch = first
    while let more = await watcher.batch(overtaking: batch) {
      batch.formUnion(more)  // and read all of it again
    }
  }

  // Watch/Scanning/DirectoryScan.swift
  func directoryScan() throws {
    let listing = try DirectoryScan.scan(
      root: "notes", filter: WatchFilter(includesFile: { $0.name.hasSuffix(".md") }))
    for entry in listing.entries where entry.kind == .regular { print(entry.path) }
  }

  // Watch/Scanning/WatchFilter.swift
  func watchFilter() {
    let notes = WatchFilter(includesFile: { $0.name.hasSuffix(".md") && !$0.isHidden })
    _ = notes
  }
}
