import Dispatch
import DirectoryWatch
import Glibc
import PlainText
import Synchronization

/// Reads many files with a few threads. The findings come in the order of the requests.
package struct ParallelReader: Sendable {
  /// So many files make a task worth handing out; fewer are read where they are asked for.
  private static let chunk = 64
  /// So many are in memory twice at once, as findings and as items.
  private static let part = 4_096

  package let limits: ReadLimits
  package let threads: Int

  package init(limits: ReadLimits, threads: Int) {
    self.limits = limits
    self.threads = max(1, threads)
  }

  /// What a plan asks for. Where the root itself is gone, every path is missing; where it cannot be opened, nothing is known but that.
  func findings(of plan: StoreContents.Plan, root: String) -> [(path: RelativePath, finding: FileFinding)] {
    plan.requests.isEmpty ? plan.findings : plan.findings + read(plan.requests, root)
  }

  /// Calls `body` with the findings of one part of the requests after the other. Not while the next is read: a thread that waits takes one of the readers' places.
  func forEachPart(of requests: [ReadRequest], root: String, _ body: ([(path: RelativePath, finding: FileFinding)]) -> Void) {
    for start in stride(from: 0, to: requests.count, by: ParallelReader.part) {
      body(read(Array(requests[start..<min(start + ParallelReader.part, requests.count)]), root))
    }
  }

  private func read(_ requests: [ReadRequest], _ root: String) -> [(path: RelativePath, finding: FileFinding)] {
    guard let folder = OpenFolder(root) else {
      let code = errno
      if code == ENOENT || code == ENOTDIR { return requests.map { ($0.path, .missing) } }
      return [(.root, .problem(Problem(path: .root, message: "The folder \(root) cannot be opened: \(FileKind.reason(code)).")))]
    }
    if threads == 1 || requests.count <= ParallelReader.chunk {
      var reader = FileReader(limits: limits)
      return requests.map { ($0.path, reader.read($0, below: folder)) }
    }
    return readInParallel(requests, folder)
  }

  private func readInParallel(
    _ requests: [ReadRequest], _ folder: OpenFolder
  ) -> [(path: RelativePath, finding: FileFinding)] {
    let next = Atomic(0)
    let chunks = (requests.count + ParallelReader.chunk - 1) / ParallelReader.chunk
    let found = Mutex<[Int: [FileFinding]]>([:])
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      var reader = FileReader(limits: limits)
      while true {
        let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue
        if chunk >= chunks { return }
        let range = chunk * ParallelReader.chunk..<min(requests.count, (chunk + 1) * ParallelReader.chunk)
        let findings = requests[range].map { reader.read($0, below: folder) }
        found.withLock { $0[chunk] = findings }
      }
    }
    let findings = found.withLock { found in (0..<chunks).flatMap { found[$0] ?? [] } }
    return zip(requests, findings).map { ($0.path, $1) }
  }
}
