import Files
import Query
import Synchronization
package import Values

/// Limits how much aliases and merge keys may add to all files of a store together. Each file has
/// its own limit, but many small files could still fill the memory.
///
/// A file counts with the bytes by which its packed value exceeds the maximum size of its text alone. Files
/// are admitted in the order of their paths while the sum is within the limit. The file that exceeds it,
/// and each later one that counts, is refused. So the outcome depends on the files alone.
package struct ExpansionBudget {
  let limit: Int
  private var admitted: [RelativePath: Int] = [:]
  private(set) var refused: Set<RelativePath> = []
  private(set) var total = 0
  /// The first path that was ever refused.
  private var first: RelativePath?

  package init(limit: Int) {
    self.limit = limit
  }

  /// Packing makes text at most five times longer, so no file without aliases exceeds this factor.
  private static let ordinaryFactor = 8

  /// Returns the bytes that a file counts with; 0 for a file without large aliases.
  package static func size(of fields: PackedValue, fileSize: UInt64) -> Int {
    max(0, fields.bytes.count - ordinaryFactor * Int(clamping: fileSize))
  }

  /// Returns how many bytes aliases may add to a file that is refused if it counts at all.
  static func ordinarySize(fileSize: UInt64) -> Int {
    (64 << 10) + 2 * ordinaryFactor * Int(clamping: fileSize)
  }

  /// True if a file at the path is refused as soon as it counts. Valid until a path is forgotten.
  func refuses(_ path: RelativePath) -> Bool { first.map { path >= $0 } ?? false }

  /// True if a path counts with fewer bytes than in `old` and is not refused: others may have room.
  func isReleased(_ path: RelativePath, since old: ExpansionBudget) -> Bool {
    if refused.contains(path) { return false }
    return old.refused.contains(path) || (admitted[path] ?? 0) < (old.admitted[path] ?? 0)
  }

  /// True if much more is admitted than may stay.
  var isOverfull: Bool { total > limit + limit / 4 }

  /// Admits a file that counts with `size` bytes, until `evict` decides.
  mutating func admit(_ size: Int, at path: RelativePath) {
    forget(path)
    guard size > 0 else { return }
    admitted[path] = size
    total += size
  }

  mutating func refuse(_ path: RelativePath) {
    forget(path)
    refused.insert(path)
    first = first.map { min($0, path) } ?? path
  }

  mutating func forget(_ path: RelativePath) {
    if let size = admitted.removeValue(forKey: path) { total -= size }
    refused.remove(path)
  }

  /// Refuses the files beyond the limit, and returns their paths.
  mutating func evict() -> [RelativePath] {
    guard total > limit || !refused.isEmpty else { return [] }
    let lowest = refused.min()
    var sum = 0
    var evicted: [RelativePath] = []
    for (path, size) in admitted.sorted(by: { $0.key < $1.key }) {
      sum += size
      if sum > limit || lowest.map({ path > $0 }) == true { evicted.append(path) }
    }
    for path in evicted { refuse(path) }
    return evicted
  }

  func problem(at path: RelativePath) -> Problem {
    Problem(
      path: path,
      message:
        "Aliases and merge keys add more than \(limit) bytes to this folder's files, "
        + "counted in the order of their paths up to this one.",
      advice: "Use fewer of them.")
  }
}

/// The budget for aliases of files that several threads read, and the files that count in it. A value
/// that is refused is released at once: many small files could fill the memory.
final class SharedBudget: Sendable {
  private struct State {
    var budget: ExpansionBudget
    var admitted: [RelativePath: FileFinding] = [:]
  }

  /// Lock: guards the budget of aliases of one scan, and the files that count in it.
  private let state: Mutex<State>
  /// True if files were refused, so that each file must ask `refuses`.
  private let hasRefused = Atomic(false)

  init(limit: Int) {
    state = Mutex(State(budget: ExpansionBudget(limit: limit)))
  }

  var isRefusing: Bool { hasRefused.load(ordering: .relaxed) }

  func refuses(_ path: RelativePath) -> Bool { isRefusing && state.withLock { $0.budget.refuses(path) } }

  /// Keeps the finding of a file that counts. Returns `tooExpanded` for it until `completed`, and any
  /// other finding as it is.
  func admit(_ finding: FileFinding, at path: RelativePath) -> FileFinding {
    guard case .item(let stamp, let fields) = finding,
      case let size = ExpansionBudget.size(of: fields, fileSize: stamp.size), size > 0
    else {
      return finding
    }
    state.withLock { state in
      state.budget.admit(size, at: path)
      state.admitted[path] = finding
      let evicted = state.budget.evict()
      for path in evicted { state.admitted[path] = nil }
      if !evicted.isEmpty { hasRefused.store(true, ordering: .relaxed) }
    }
    return .tooExpanded
  }

  /// Returns findings with those of the admitted files that were not refused later. Call it at the end.
  func completed(_ findings: Findings) -> Findings {
    let admitted = state.withLock(\.admitted)
    if admitted.isEmpty { return findings }
    return findings.map { ($0.path, admitted[$0.path] ?? $0.finding) }
  }
}
