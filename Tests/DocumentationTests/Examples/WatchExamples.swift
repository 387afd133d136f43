import Files
import Glibc
import Watch

/// The examples in the documentation comments of `Watch`, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct DirectoryWatchExamples {
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

  // Files/Paths/RelativePath.swift
  func relativePath(_ root: Int32) {
    let path = RelativePath(bytes: Array("friends/50%.yaml".utf8))
    print(path)  // friends/50%25.yaml
    print(path.name, path.parent ?? .root)  // 50%25.yaml friends
    _ = path.withCString { unlinkat(root, $0, 0) }  // the file's true name
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
