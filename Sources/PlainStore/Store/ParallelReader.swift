import DirectoryWatch
import Dispatch
import Glibc
import LinuxFiles
package import PlainText
import Synchronization
import SystemPackage

/// Reads many files with a few threads.
package struct ParallelReader: Sendable {
  typealias Findings = [(path: RelativePath, finding: FileFinding)]

  /// So many files make a task worth handing out; fewer are read where they are asked for.
  private static let chunk = 64
  private static let mostExpanded = 32 << 20

  package let limits: ReadLimits
  package let threads: Int

  package init(limits: ReadLimits, threads: Int) {
    self.limits = limits
    self.threads = max(1, threads)
  }

  /// What a plan asks for, in the order of its requests. Where the root itself is gone, every path is missing; where it cannot be opened, nothing is known but that.
  func findings(of plan: StoreContents.Plan, root: String, named name: String? = nil) -> Findings {
    if plan.requests.isEmpty { return plan.findings }
    let collected = read(plan.requests, root: root, named: name, into: Collected(limit: limits.totalExpandedSize)) { $0.add($2, to: $1) }
    return plan.findings + collected.findings
  }

  /// Hands what is found to `take`, in chunks that are numbered by their place and come in any order. One thread at a time is in `take` while the others read
  /// on, so little waits to be taken, and no thread ever waits for another.
  func read<Result: Sendable>(
    _ requests: [ReadRequest], root: String, named name: String? = nil, into result: consuming Result,
    _ take: @escaping @Sendable (inout Result, Int, Findings) -> Void
  ) -> Result {
    let folder: OpenFolder
    do throws(Errno) {
      folder = try OpenFolder(root)
    } catch {
      take(&result, 0, ParallelReader.withoutRoot(requests, name ?? root, error))
      return result
    }
    let reading = Reading(requests, folder, limits, into: result, take)
    let group = DispatchGroup()
    // Queues of their own, for the same reason as `QueueExecutor`.
    for _ in 1..<max(1, min(threads, reading.chunks)) {
      DispatchQueue(label: "reader").async(group: group) { reading.work(with: FileReader(limits: limits)) }
    }
    reading.work(with: FileReader(limits: limits))
    group.wait()
    return reading.result
  }

  private static func withoutRoot(_ requests: [ReadRequest], _ root: String, _ error: Errno) -> Findings {
    if error == .noSuchFileOrDirectory || error == .notDirectory { return requests.map { ($0.path, .missing) } }
    return [(.root, .problem(Problem(openingRoot: root, error)))]
  }

  /// Findings by their chunk, without those that the budget refuses.
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
      chunks = chunks.mapValues { $0.map { ($0.path, refused.contains($0.path) ? .tooExpanded : $0.finding) } }
    }

    var findings: Findings { chunks.sorted { $0.key < $1.key }.flatMap(\.value) }
  }

  /// What several threads read of one list of requests.
  private final class Reading<Result: Sendable>: Sendable {
    private let requests: [ReadRequest]
    private let folder: OpenFolder
    private let take: @Sendable (inout Result, Int, Findings) -> Void
    private let next = Atomic(0)
    private let budget: Mutex<ExpansionBudget>
    private let isRefusing = Atomic(false)
    private let found = Mutex<[(chunk: Int, findings: Findings)]>([])
    private let taken: Mutex<Result>

    init(
      _ requests: [ReadRequest], _ folder: OpenFolder, _ limits: ReadLimits, into result: consuming Result,
      _ take: @escaping @Sendable (inout Result, Int, Findings) -> Void
    ) {
      budget = Mutex(ExpansionBudget(limit: limits.totalExpandedSize))
      self.requests = requests
      self.folder = folder
      self.take = take
      taken = Mutex(result)
    }

    var chunks: Int { (requests.count + ParallelReader.chunk - 1) / ParallelReader.chunk }

    func work(with reader: FileReader) {
      var reader = reader
      while case let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue, chunk < chunks {
        let part = requests[chunk * ParallelReader.chunk..<min(requests.count, (chunk + 1) * ParallelReader.chunk)]
        var findings: Findings = []
        var expanded = 0
        for request in part {
          let finding = read(request, &reader, &expanded)
          findings.append((request.path, finding))
          // What aliases made is handed over before there is much of it, so that what is refused goes soon.
          if expanded > ParallelReader.mostExpanded {
            hand(over: exchange(&findings, with: []), of: chunk)
            expanded = 0
          }
        }
        hand(over: findings, of: chunk)
      }
    }

    private func hand(over findings: Findings, of chunk: Int) {
      found.withLock { $0.append((chunk, findings)) }
      _ = taken.withLockIfAvailable { takeAll(into: &$0) }
    }

    private func read(_ request: ReadRequest, _ reader: inout FileReader, _ expanded: inout Int) -> FileFinding {
      let path = request.path
      let mayExpand = !isRefusing.load(ordering: .relaxed) || !budget.withLock { $0.refuses(path) }
      let finding = reader.read(request, below: folder, mayExpand: mayExpand)
      guard case .item(let stamp, let fields) = finding else { return finding }
      let size = ExpansionBudget.size(of: fields, fileSize: stamp.size)
      if size == 0 { return finding }
      let isRefused = budget.withLock { budget in
        budget.admit(size, at: path)
        if !budget.evict().isEmpty { isRefusing.store(true, ordering: .relaxed) }
        return budget.refused.contains(path)
      }
      if isRefused { return .tooExpanded }
      expanded += size
      return finding
    }

    private func takeAll(into result: inout Result) {
      while case let waiting = found.withLock({ exchange(&$0, with: []) }), !waiting.isEmpty {
        for (chunk, findings) in waiting { take(&result, chunk, findings) }
      }
    }

    /// Once all threads are done.
    var result: Result {
      taken.withLock { result in
        takeAll(into: &result)
        return result
      }
    }
  }
}
