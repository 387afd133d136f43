import Dispatch
import DirectoryWatch
import Glibc
import PlainText
import Synchronization

/// Reads many files with a few threads.
package struct ParallelReader: Sendable {
  typealias Findings = [(path: RelativePath, finding: FileFinding)]

  /// So many files make a task worth handing out; fewer are read where they are asked for.
  private static let chunk = 64

  package let limits: ReadLimits
  package let threads: Int

  package init(limits: ReadLimits, threads: Int) {
    self.limits = limits
    self.threads = max(1, threads)
  }

  /// What a plan asks for, in the order of its requests. Where the root itself is gone, every path is missing; where it cannot be opened, nothing is known but that.
  func findings(of plan: StoreContents.Plan, root: String, named name: String? = nil) -> Findings {
    if plan.requests.isEmpty { return plan.findings }
    let chunks = read(plan.requests, root: root, named: name, into: [Int: Findings]()) { $0[$1] = $2 }
    return plan.findings + chunks.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// Hands what is found to `take`, in chunks that are numbered by their place and come in any order. One thread at a time is in `take` while the others read
  /// on, so little waits to be taken, and no thread ever waits for another.
  func read<Result: Sendable>(
    _ requests: [ReadRequest], root: String, named name: String? = nil, into result: consuming Result,
    _ take: @escaping @Sendable (inout Result, Int, Findings) -> Void
  ) -> Result {
    guard let folder = OpenFolder(root) else {
      take(&result, 0, ParallelReader.withoutRoot(requests, name ?? root, errno))
      return result
    }
    let reading = Reading(requests, folder, into: result, take)
    let group = DispatchGroup()
    // Queues of their own, for the same reason as `QueueExecutor`.
    for _ in 1..<max(1, min(threads, reading.chunks)) {
      DispatchQueue(label: "reader").async(group: group) { reading.work(with: FileReader(limits: limits)) }
    }
    reading.work(with: FileReader(limits: limits))
    group.wait()
    return reading.result
  }

  private static func withoutRoot(_ requests: [ReadRequest], _ root: String, _ code: CInt) -> Findings {
    if code == ENOENT || code == ENOTDIR { return requests.map { ($0.path, .missing) } }
    return [(.root, .problem(Problem(openingRoot: root, errno: code)))]
  }

  /// What several threads read of one list of requests.
  private final class Reading<Result: Sendable>: Sendable {
    private let requests: [ReadRequest]
    private let folder: OpenFolder
    private let take: @Sendable (inout Result, Int, Findings) -> Void
    private let next = Atomic(0)
    private let found = Mutex<[(chunk: Int, findings: Findings)]>([])
    private let taken: Mutex<Result>

    init(
      _ requests: [ReadRequest], _ folder: OpenFolder, into result: consuming Result,
      _ take: @escaping @Sendable (inout Result, Int, Findings) -> Void
    ) {
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
        let findings = part.map { ($0.path, reader.read($0, below: folder)) }
        found.withLock { $0.append((chunk, findings)) }
        _ = taken.withLockIfAvailable { takeAll(into: &$0) }
      }
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
