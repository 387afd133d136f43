import Synchronization

/// Counts what a cache saved. Threads add to it when they are done with a folder.
final class CacheCounts: Sendable {
  private let hitCount = Atomic(0)
  private let listingCount = Atomic(0)

  /// The number of files that were not opened.
  var hits: Int { hitCount.load(ordering: .relaxed) }
  /// The number of folders that were not listed.
  var listings: Int { listingCount.load(ordering: .relaxed) }

  func add(hits: Int) { hitCount.wrappingAdd(hits, ordering: .relaxed) }

  func addListing() { listingCount.wrappingAdd(1, ordering: .relaxed) }
}
