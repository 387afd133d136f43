import Dispatch
import Files
package import Store

/// Writes what a store read to its cache, while the first list is printed.
package final class CacheRecording: Sendable {
  private let group = DispatchGroup()

  package init(of store: ItemStore) { group.start(1) { store.recordFirstReading() } }

  /// Waits until everything is written. Call it before the program ends.
  package func finish() { group.wait() }
}
