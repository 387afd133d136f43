import Dispatch
package import Files
import Glibc
import Query
import Synchronization
import SystemPackage
package import Values

/// Reads many files with a few threads.
///
/// Each read has two locks, which are never held together: one guards the findings waiting to be
/// merged, the other the merged result.
package struct ParallelReader: Sendable {
  package typealias Findings = [(path: RelativePath, finding: FileFinding)]

  /// The number of files that a thread reads as one piece of work. The caller reads up to this many
  /// files alone.
  private static let chunkSize = 64
  /// The number of bytes added by aliases after which findings are merged early.
  private static let maxExpandedSize = 32 << 20

  package let limits: ReadLimits
  package let threads: Int

  package init(limits: ReadLimits, threads: Int) {
    self.limits = limits
    self.threads = max(1, threads)
  }

  /// Reads the files of a plan and returns all of its findings, in the order of its requests.
  ///
  /// If the root is missing or cannot be opened, that is the only finding. It is checked after the
  /// reading, too: a file is missing only if the folder that it was in is there.
  package func findings(of plan: StoreContents.Plan, root: String, named name: String? = nil) -> Findings {
    var findings = plan.findings
    if !plan.requests.isEmpty {
      let collected = read(
        plan.requests, root: root, named: name, into: Collected(limit: limits.totalExpandedSize)
      ) { $0.add($2, to: $1) }
      findings += collected.findings
    }
    guard findings.contains(where: { if case .missing = $0.finding { true } else { false } }) else {
      return findings
    }
    do throws(Errno) {
      _ = try OpenFolder(root)
      return findings
    } catch {
      return [(.root, .problem(Problem(openingRoot: name ?? root, error)))]
    }
  }

  /// Reads files and merges the findings into `result`, in numbered chunks that come in any order.
  ///
  /// One thread at a time runs `merge` while the others continue to read. So few findings wait to
  /// be merged, and no thread waits for another.
  func read<Result: Sendable>(
    _ requests: [ReadRequest], root: String, named name: String? = nil, into result: consuming Result,
    _ merge: @escaping @Sendable (inout Result, Int, Findings) -> Void
  ) -> Result {
    let folder: OpenFolder
    do throws(Errno) {
      folder = try OpenFolder(root)
    } catch {
      merge(&result, 0, [(.root, .problem(Problem(openingRoot: name ?? root, error)))])
      return result
    }
    let reading = Reading(requests, folder, limits, into: result, merge)
    let group = DispatchGroup()
    // Separate queues, for the same reason as `QueueExecutor`.
    for _ in 1..<max(1, min(threads, reading.chunks)) {
      // Queue: reads and parses files of a large scan. Blocks in `read`.
      DispatchQueue(label: "reader").async(group: group) { reading.work(with: FileReader(limits: limits)) }
    }
    reading.work(with: FileReader(limits: limits))
    group.wait()
    return reading.result
  }

  /// The findings by chunk, without the values that the budget refuses.
  private struct Collected {
    private var chunks: [Int: Findings] = [:]
    private var budget: ExpansionBudget

    init(limit: Int) {
      budget = ExpansionBudget(limit: limit)
    }

    mutating func add(_ findings: Findings, to chunk: Int) {
      chunks[chunk, default: []] += findings
      for case (let path, .item(let stamp, let fields)) in findings {
        budget.admit(ExpansionBudget.size(of: fields, fileSize: stamp.size), at: path)
      }
      guard budget.isOverfull else { return }
      let refused = Set(budget.evict())
      chunks = chunks.mapValues {
        $0.map { ($0.path, refused.contains($0.path) ? .tooExpanded : $0.finding) }
      }
    }

    var findings: Findings { chunks.sorted { $0.key < $1.key }.flatMap(\.value) }
  }

  /// One list of requests that several threads read.
  private final class Reading<Result: Sendable>: Sendable {
    private let requests: [ReadRequest]
    private let folder: OpenFolder
    private let merge: @Sendable (inout Result, Int, Findings) -> Void
    private let next = Atomic(0)
    private let budget: SharedBudget
    /// Lock: guards what the threads of one scan have read.
    private let found = Mutex<[(chunk: Int, findings: Findings)]>([])
    /// Lock: guards the result of one scan. `found` is locked under it.
    private let merged: Mutex<Result>

    init(
      _ requests: [ReadRequest], _ folder: OpenFolder, _ limits: ReadLimits, into result: consuming Result,
      _ merge: @escaping @Sendable (inout Result, Int, Findings) -> Void
    ) {
      budget = SharedBudget(limit: limits.totalExpandedSize)
      self.requests = requests
      self.folder = folder
      self.merge = merge
      merged = Mutex(result)
    }

    var chunks: Int { (requests.count + ParallelReader.chunkSize - 1) / ParallelReader.chunkSize }

    func work(with reader: FileReader) {
      var reader = reader
      while case let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue, chunk < chunks {
        let part = requests[
          chunk * ParallelReader.chunkSize..<min(requests.count, (chunk + 1) * ParallelReader.chunkSize)]
        var findings: Findings = []
        var expanded = 0
        for request in part {
          let finding = read(request, &reader, &expanded)
          findings.append((request.path, finding))
          // Large values are handed over soon, so that refused ones are released soon.
          if expanded > ParallelReader.maxExpandedSize {
            hand(over: exchange(&findings, with: []), of: chunk)
            expanded = 0
          }
        }
        hand(over: findings, of: chunk)
      }
    }

    private func hand(over findings: Findings, of chunk: Int) {
      found.withLock { $0.append((chunk, findings)) }
      _ = merged.withLockIfAvailable { mergeAll(into: &$0) }
    }

    private func read(_ request: ReadRequest, _ reader: inout FileReader, _ expanded: inout Int)
      -> FileFinding
    {
      let path = request.path
      let finding = reader.read(request, below: folder, mayExpand: !budget.refuses(path))
      guard case .item(let stamp, let fields) = finding else { return finding }
      let size = ExpansionBudget.size(of: fields, fileSize: stamp.size)
      if size == 0 { return finding }
      guard budget.admits(fields, fileSize: stamp.size, at: path) else { return .tooExpanded }
      expanded += size
      return finding
    }

    private func mergeAll(into result: inout Result) {
      while case let waiting = found.withLock({ exchange(&$0, with: []) }), !waiting.isEmpty {
        for (chunk, findings) in waiting { merge(&result, chunk, findings) }
      }
    }

    /// The result; complete once all threads are done.
    var result: Result {
      merged.withLock { result in
        mergeAll(into: &result)
        return result
      }
    }
  }
}
