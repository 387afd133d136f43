import Files
import Synchronization
import Values

/// The budget for aliases of files that several threads read. One lock guards it.
final class SharedBudget: Sendable {
  /// Lock: guards the budget of aliases of one scan.
  private let budget: Mutex<ExpansionBudget>
  /// True if files were refused, so that each file must ask `refuses`.
  private let hasRefused = Atomic(false)

  package init(limit: Int) {
    budget = Mutex(ExpansionBudget(limit: limit))
  }

  /// True if some file was refused.
  var isRefusing: Bool { hasRefused.load(ordering: .relaxed) }

  /// The paths that are refused.
  var refused: Set<RelativePath> { isRefusing ? budget.withLock(\.refused) : [] }

  /// Returns true if a file at the path is refused as soon as it counts.
  func refuses(_ path: RelativePath) -> Bool { isRefusing && budget.withLock { $0.refuses(path) } }

  /// Admits a file that counts, and returns true if it may stay for now.
  func admits(_ fields: PackedValue, fileSize: UInt64, at path: RelativePath) -> Bool {
    budget.withLock { budget in
      budget.admit(ExpansionBudget.size(of: fields, fileSize: fileSize), at: path)
      if !budget.evict().isEmpty { hasRefused.store(true, ordering: .relaxed) }
      return !budget.refused.contains(path)
    }
  }
}
