import Dispatch
import Files
import Query
import Synchronization
package import Values
import Watch

/// The first reading of a tree: a few threads read the files of the folders that one thread lists.
package final class FirstReading: Sendable {
  /// The number of files that a thread reads as one piece of work.
  private static let partSize = 256

  /// Some files of one folder.
  package struct Part: Sendable {
    let listing: FolderListing
    let range: Range<Int>
    /// The item of each entry in the range, once it was read; empty without a cache.
    var items: [Item?] = []

    /// The number of files that may be items: not the settings.
    var fileCount: Int {
      listing.entries[range].count { entry in
        entry.isIncluded && listing.withName(of: entry) { $0.first != UInt8(ascii: ".") }
      }
    }
  }

  private let folder: OpenFolder
  private let limits: ReadLimits
  private let idFields: [FieldPath]
  private let cache: (any ReadCache)?
  /// The number of threads, with the one that lists.
  private let threads: Int
  private let budget: SharedBudget
  private struct State {
    /// The parts that no thread has begun to read.
    var waiting: [Part] = []
    /// The number of entries of all parts.
    var count = 0
    var isStarted = false
    /// The files that the threads have read. Each adds its own when it is done.
    var found: [FoundFiles] = []
  }

  /// Lock: guards the files that no thread has read yet, and what the threads have read.
  private let state = Mutex(State())
  /// Counts the parts that wait; at the end, one more for each thread.
  private let available = DispatchSemaphore(value: 0)
  private let group = DispatchGroup()
  /// The number of files that were read.
  private let filesRead = Atomic(0)
  private let onProgress: @Sendable (Int) -> Void

  package init(
    below folder: OpenFolder, limits: ReadLimits, idFields: [FieldPath], cache: (any ReadCache)?,
    threads: Int,
    onProgress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.folder = folder
    self.onProgress = onProgress
    self.limits = limits
    self.idFields = idFields
    self.cache = cache
    // Where values are known, a file is one system call, and these scale further than parsing.
    self.threads = max(1, threads, cache?.isEmpty == false ? ParallelWork.threads : 1)
    budget = SharedBudget(limit: limits.totalExpandedSize)
  }

  /// Adds a folder whose files are to be read. The first larger number of files starts the threads.
  func add(_ listing: FolderListing) {
    var parts: [Part] = []
    var start = 0
    // A folder without files is recorded for the cache, too.
    repeat {
      let end = min(listing.entries.count, start + FirstReading.partSize)
      if start < end || cache != nil { parts.append(Part(listing: listing, range: start..<end)) }
      start = end
    } while start < listing.entries.count
    let startsThreads = state.withLock { state in
      state.waiting += parts
      state.count += listing.entries.count
      defer { if state.count > FirstReading.partSize { state.isStarted = true } }
      return state.count > FirstReading.partSize && !state.isStarted
    }
    for _ in parts { available.signal() }
    if startsThreads { group.startReaders(threads - 1) { self.work() } }
  }

  /// Reads what is left, waits for the other threads and returns everything. Call it once, after
  /// the last folder was added.
  func finish() -> [FoundFiles] {
    for _ in 0..<threads { available.signal() }
    work()
    group.wait()
    return state.withLock { exchange(&$0.found, with: []) }
  }

  private func work() {
    var reader = FolderReader(below: folder, limits: limits, idFields: idFields, cache: cache, budget: budget)
    while let part = next() {
      reader.read(part)
      let count = part.fileCount
      if count > 0 { onProgress(filesRead.wrappingAdd(count, ordering: .relaxed).newValue) }
    }
    state.withLock { $0.found.append(reader.found) }
  }

  /// Waits for a part; nil after the last one.
  private func next() -> Part? {
    available.wait()
    return state.withLock { $0.waiting.popLast() }
  }
}

/// The files that one thread found in the first reading.
struct FoundFiles: Sendable {
  /// The items that count nothing in the budget for aliases.
  var items: [Item] = []
  /// Everything else.
  var findings: [(path: RelativePath, finding: FileFinding)] = []
  /// The files by folder, to be recorded in the cache; empty without a cache.
  var parts: [FirstReading.Part] = []
}
