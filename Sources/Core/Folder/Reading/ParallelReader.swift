import Dispatch
package import Files
import Glibc
import Query
import Synchronization
import SystemPackage
package import Values

/// Reads many files with a few threads.
package struct ParallelReader: Sendable {
  package typealias Findings = [(path: RelativePath, finding: FileFinding)]

  /// The files to read, and the findings that need no reading.
  package struct Plan {
    var requests: [ReadRequest] = []
    var findings: Findings = []
  }

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
  package func findings(of plan: Plan, root: String, named name: String? = nil) -> Findings {
    do throws(Errno) {
      var findings = plan.findings
      if !plan.requests.isEmpty { try findings += read(plan.requests, below: OpenFolder(root)) }
      if findings.contains(where: { if case .missing = $0.finding { true } else { false } }) {
        _ = try OpenFolder(root)
      }
      return findings
    } catch {
      return [(.root, .problem(Problem(openingRoot: name ?? root, error)))]
    }
  }

  private func read(_ requests: [ReadRequest], below folder: OpenFolder) -> Findings {
    let reading = Reading(requests, folder, limits)
    let group = DispatchGroup()
    group.startReaders(max(1, min(threads, reading.chunks)) - 1) { reading.work() }
    reading.work()
    group.wait()
    return reading.findings
  }
}

/// One list of requests that several threads read.
private final class Reading: Sendable {
  /// The number of files that a thread reads as one piece of work. The caller reads up to this many
  /// files alone.
  private static let chunkSize = 64
  /// The number of bytes added by aliases after which a thread releases refused values.
  private static let maxExpandedSize = 32 << 20

  private let requests: [ReadRequest]
  private let folder: OpenFolder
  private let limits: ReadLimits
  private let next = Atomic(0)
  private let budget: SharedBudget
  /// Lock: guards what the threads of one scan have read, by chunk. The budget is locked under it.
  private let found = Mutex<[Int: ParallelReader.Findings]>([:])

  init(_ requests: [ReadRequest], _ folder: OpenFolder, _ limits: ReadLimits) {
    self.requests = requests
    self.folder = folder
    self.limits = limits
    budget = SharedBudget(limit: limits.totalExpandedSize)
  }

  var chunks: Int { (requests.count + Reading.chunkSize - 1) / Reading.chunkSize }

  /// The findings in the order of the requests; complete once all threads are done.
  var findings: ParallelReader.Findings {
    found.withLock { $0.sorted { $0.key < $1.key }.flatMap(\.value) }
  }

  func work() {
    var reader = FileReader(limits: limits)
    var expanded = 0
    while case let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue, chunk < chunks {
      let start = chunk * Reading.chunkSize
      var findings: ParallelReader.Findings = []
      for request in requests[start..<min(requests.count, start + Reading.chunkSize)] {
        findings.append((request.path, read(request, &reader, &expanded)))
        if expanded > Reading.maxExpandedSize {
          keep(exchange(&findings, with: []), of: chunk)
          releaseRefused()
          expanded = 0
        }
      }
      keep(findings, of: chunk)
    }
  }

  private func read(_ request: ReadRequest, _ reader: inout FileReader, _ expanded: inout Int) -> FileFinding
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

  private func keep(_ findings: ParallelReader.Findings, of chunk: Int) {
    found.withLock { $0[chunk, default: []] += findings }
  }

  /// Releases values that were admitted and refused later.
  private func releaseRefused() {
    found.withLock { found in
      let refused = budget.refused
      if refused.isEmpty { return }
      found = found.mapValues {
        $0.map { ($0.path, refused.contains($0.path) ? .tooExpanded : $0.finding) }
      }
    }
  }
}

extension DispatchGroup {
  /// Runs `body` on some more threads.
  func startReaders(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    for _ in 0..<count {
      // Separate queues, for the same reason as `QueueExecutor`.
      // Queue: reads and parses files of a first reading or a large scan. Blocks in `read`.
      DispatchQueue(label: "reader").async(group: self, execute: body)
    }
  }
}
