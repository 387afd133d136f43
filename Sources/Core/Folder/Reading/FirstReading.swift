import CLinux
import Dispatch
import Files
import Glibc
import Query
import Synchronization
import SystemPackage
package import Values
import Watch

/// The first reading of a tree: a few threads read the files of the folders that one thread lists.
package final class FirstReading: Sendable {
  private static let partSize = 256

  package struct Part {
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
    var waiting: [Part] = []
    var count = 0
    var isStarted = false
    /// The files that the threads have read. Each thread adds its own when it is done.
    var found: [(items: [Item], findings: Findings, parts: [Part])] = []
  }

  /// Lock: guards the files that no thread has read yet, and what the threads have read.
  private let state = Mutex(State())
  /// Counts the parts that wait; at the end, one more for each thread.
  private let available = DispatchSemaphore(value: 0)
  private let group = DispatchGroup()
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
    if startsThreads { group.start(threads - 1) { self.work() } }
  }

  /// Reads what is left, waits for the other threads, returns everything. Call it once after the last `add`.
  func finish() -> [(items: [Item], findings: Findings, parts: [Part])] {
    for _ in 0..<threads { available.signal() }
    work()
    group.wait()
    let found = state.withLock { exchange(&$0.found, with: []) }
    return found.map { ($0.items, budget.completed($0.findings), $0.parts) }
  }

  private func work() {
    var reader = FolderReader(below: folder, limits: limits, idFields: idFields, cache: cache, budget: budget)
    while let part = next() {
      reader.read(part)
      let count = part.fileCount
      if count > 0 { onProgress(filesRead.wrappingAdd(count, ordering: .relaxed).newValue) }
    }
    state.withLock { $0.found.append((reader.items, reader.findings, reader.parts)) }
  }

  private func next() -> Part? {
    available.wait()
    return state.withLock { $0.waiting.popLast() }
  }
}

/// Reads the files of listed folders to items. Each thread of the first reading has its own.
///
/// A file costs four system calls, relative to the folder that is opened once; one if the cache
/// knows its value. Everything unusual is left to `FileReader`, which reads by the path.
struct FolderReader {
  private let root: OpenFolder
  private let idFields: [FieldPath]
  private let cache: (any ReadCache)?
  private let budget: SharedBudget
  private var reader: FileReader
  /// The items that count nothing in the budget for aliases.
  private(set) var items: [Item] = []
  private(set) var findings: Findings = []
  /// The files by folder, to be recorded in the cache; empty without a cache.
  private(set) var parts: [FirstReading.Part] = []

  /// The memory to reserve for the items of a part.
  private static let heapSize = 512 << 10

  package init(
    below root: OpenFolder, limits: ReadLimits, idFields: [FieldPath], cache: (any ReadCache)?,
    budget: SharedBudget
  ) {
    self.root = root
    self.idFields = idFields
    self.cache = cache
    self.budget = budget
    reader = FileReader(limits: limits)
  }

  mutating func read(_ part: FirstReading.Part) {
    var part = part
    let listing = part.listing
    let values = cache?.values(of: listing.path)
    // Without the folder each file is read by its path, which gives each its own problem.
    let folder = part.range.isEmpty ? nil : open(listing.path)
    clinux_reserve_heap(FolderReader.heapSize)
    withExtendedLifetime(folder) {
      for index in part.range {
        let entry = listing.entries[index]
        let item = entry.isIncluded ? read(entry, index, of: listing, in: folder?.descriptor, values) : nil
        if cache != nil { part.items.append(item) }
      }
    }
    if cache != nil { parts.append(part) }
  }

  private func open(_ path: RelativePath) -> OpenFolder? {
    do throws(Errno) { return OpenFolder(try Descriptor.folder(beneath: root.descriptor, path)) } catch {
      return nil
    }
  }

  /// Reads one file and records it. Returns its item if the file is an ordinary one.
  private mutating func read(
    _ entry: FolderListing.Entry, _ index: Int, of listing: FolderListing, in folder: CInt?,
    _ values: (any CachedValues)?
  ) -> Item? {
    listing.withName(of: entry) { name in
      guard let format = TextFormat(fileName: name) else { return nil }
      let path = listing.path(of: entry)
      var finding: FileFinding?
      if let folder, entry.kind == .regular {
        finding = readFile(name, index, at: path, format, in: folder, values)
      }
      return record(finding ?? readSlowly(path, format, entry.kind), at: path)
    }
  }

  /// Reads one file: `statx`, the cache, `openat`, `statx`, `read`, `close`, the parser. Nil if there is
  /// anything unusual.
  private mutating func readFile(
    _ name: UnsafeRawBufferPointer, _ index: Int, at path: RelativePath, _ format: TextFormat,
    in folder: CInt,
    _ values: (any CachedValues)?
  ) -> FileFinding? {
    // In a listing a NUL follows each name.
    guard let start = name.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
    if let values, let status = try? FileStatus(in: folder, start), status.isRegularFile,
      let fields = values.value(of: index, named: name, stamp: status.stamp)
    {
      return .item(status.stamp, fields)
    }
    if budget.isRefusing { return nil }
    return reader.readSmallFile(start, in: folder, at: path, format)
  }

  private mutating func readSlowly(_ path: RelativePath, _ format: TextFormat, _ kind: EntryKind)
    -> FileFinding
  {
    let request = ReadRequest(path: path, format: format, isRegular: kind == .regular)
    return reader.read(request, below: root, mayExpand: !budget.refuses(path))
  }

  private mutating func record(_ finding: FileFinding, at path: RelativePath) -> Item? {
    switch budget.admit(finding, at: path) {
    case .missing, .unchanged: return nil
    case .item(let stamp, let fields):
      do throws(Problem) {
        let item = Item(
          id: try Item.ID(of: fields, at: path, by: idFields), path: path, stamp: stamp, fields: fields)
        items.append(item)
        return item
      } catch {
        findings.append((path, .problem(error)))
        return nil
      }
    case let finding:
      findings.append((path, finding))
      return nil
    }
  }
}
