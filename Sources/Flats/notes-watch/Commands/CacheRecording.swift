import Dispatch
import PlainStore

/// Writes what a store read to its cache, beside the output of the first list.
final class CacheRecording: Sendable {
  private let group = DispatchGroup()

  init(of store: ItemStore) {
    // A queue of its own, for the same reason as `QueueExecutor`.
    DispatchQueue(label: "cache").async(group: group) { store.recordFirstReading() }
  }

  /// Waits until everything is written. Call it before the program ends.
  func finish() { group.wait() }
}
