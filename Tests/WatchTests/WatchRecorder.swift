import Files
import Synchronization
import TestSupport

@testable import Watch

/// A watcher that keeps every batch unmerged, and that can wait until everything so far was
/// reported.
final class WatchRecorder: Sendable {
  let folder: TemporaryFolder
  let root: String
  let watch: DirectoryWatcher
  private let log: Log

  private final class Log: Sendable {
    let batches = Mutex<[DirtyPaths]>([])
    let notices = Mutex<[WatchNotice]>([])
  }

  /// Watches `subfolder` of `folder`. Everything is included except hidden names and the temporary
  /// files of editors.
  init(_ folder: TemporaryFolder, subfolder: String = "", options: WatchOptions = WatchOptions()) throws {
    self.folder = folder
    root = subfolder.isEmpty ? folder.path : "\(folder.path)/\(subfolder)"
    let log = Log()
    self.log = log
    var options = options
    options.onNotice = { notice in log.notices.withLock { $0.append(notice) } }
    try folder.shell("mkdir -p '\(root)'; printf 0 > '\(root)/\(Self.sentinel)'")
    watch = try DirectoryWatcher(root: root, filter: Self.filter, options: options, knowing: nil) { event in
      guard case .dirty(let batch) = event else { return }
      log.batches.withLock { $0.append(batch) }
    }
  }

  static let filter = WatchFilter(includesFile: { path in
    let name = path.name
    return path.description == sentinel
      || ((name.hasSuffix(".yaml") || name.hasSuffix(".md")) && !name.hasPrefix("."))
  })

  private static let sentinel = ".sentinel"

  var notices: [WatchNotice] { log.notices.withLock { $0 } }

  /// Returns the batches since the last call, after everything that happened until now was
  /// reported.
  func batches() async throws -> [DirtyPaths] {
    try await settle()
    return log.batches.withLock { all in
      defer { all = [] }
      return all.map { batch in
        DirtyPaths(
          files: batch.files.filter { $0.description != Self.sentinel },
          subtrees: batch.subtrees.filter { $0 != Self.end },
          origin: batch.origin)
      }.filter { !$0.isEmpty }
    }
  }

  /// Returns the batches since the last call as text, as in `SettlerBench.due`.
  func updates() async throws -> [String] {
    try await batches().map(Self.text)
  }

  func updates(after script: String) async throws -> [String] {
    try folder.shell(script)
    return try await updates()
  }

  static func text(_ batch: DirtyPaths) -> String {
    let names = batch.files.sorted().map(\.description) + batch.subtrees.sorted().map { "\($0)/" }
    return (batch.origin == .git ? "git: " : "") + names.joined(separator: " ")
  }

  /// Waits until the batches meet a condition.
  func until(_ condition: @Sendable ([DirtyPaths]) -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while !log.batches.withLock({ condition($0) }) {
      if ContinuousClock.now > deadline { throw TimedOut(batches: log.batches.withLock { $0 }) }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  struct TimedOut: Error {
    let batches: [DirtyPaths]
  }

  private static let end = RelativePath(bytes: Array(".end".utf8))

  /// Waits for a file that is written in place, which is reported after everything before it; then
  /// until nothing is pending; then for a rescan, which comes last.
  private func settle() async throws {
    let before = log.batches.withLock { $0.count }
    if (try? folder.shell("[ -e '\(root)/\(Self.sentinel)' ] && printf 1 1<> '\(root)/\(Self.sentinel)'"))
      != nil
    {
      try await until {
        $0.dropFirst(before).contains { batch in
          batch.files.contains { $0.description == Self.sentinel } || batch.subtrees.contains(.root)
        }
      }
    }
    while watch.counters.waiting > 0 { try await Task.sleep(for: .milliseconds(2)) }
    watch.rescan(Self.end)
    try await until { $0.contains { $0.subtrees.contains(Self.end) } }
  }
}

extension DirectoryWatcher {
  /// Returns the next batch, and ignores ticks.
  func nextBatch() async -> DirtyPaths? {
    while let event = await next() {
      if case .dirty(let batch) = event { return batch }
    }
    return nil
  }
}
