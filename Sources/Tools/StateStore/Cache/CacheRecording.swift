import Dispatch
package import Store

/// Writes what a store read to its cache, while the first list is printed.
package final class CacheRecording: Sendable {
  private let group = DispatchGroup()

  package init(of store: ItemStore) {
    // It has its own queue, for the same reason as `QueueExecutor`.
    // Queue: writes what was read to the cache, beside the output of the first list. Blocks in
    // `write`.
    DispatchQueue(label: "cache").async(group: group) { store.recordFirstReading() }
  }

  /// Waits until everything is written. Call it before the program ends.
  package func finish() { group.wait() }
}
