package import Store
import Synchronization

/// The last positions of the clients of one server, so that a client that lost its connection
/// continues where it was.
///
/// Kept are the last few positions of each client that is connected, and of the clients that ended
/// last while their lists are small enough. A list shares its structure with its successors, so a
/// position costs what changed since.
package final class RecentPositions: Sendable {
  private struct Entry {
    let position: StreamPosition
    let list: ListSnapshot<Item>
  }

  private struct Stream {
    let folder: String
    let view: String
    var entries: [Entry] = []

    var rowCount: Int { entries.last?.list.count ?? 0 }
  }

  private struct State {
    var live: [UInt64: Stream] = [:]
    /// The streams that ended, the last one at the end.
    var ended: [Stream] = []
  }

  /// Lock: guards the last lists that clients were sent.
  private let state = Mutex(State())
  private let maxEnded: Int

  /// The number of positions that are kept per stream. The last lines may not have reached a client
  /// that is cut off.
  static let maxEntries = 8
  package static let maxEnded = 32
  /// The number of rows that the lists of ended streams have together.
  static let maxRows = 1_000_000

  package init(maxEnded: Int = RecentPositions.maxEnded) { self.maxEnded = maxEnded }

  package func begin(_ client: UInt64, in folder: String, view: String) {
    state.withLock { $0.live[client] = Stream(folder: folder, view: view) }
  }

  package func record(_ client: UInt64, _ list: ListSnapshot<Item>, at position: StreamPosition) {
    let released = state.withLock { state in
      if state.live[client]?.entries.last?.position == position { return [Entry]() }
      guard var stream = state.live.removeValue(forKey: client) else { return [Entry]() }
      // Lists in different orders share nothing, so only the one before a change of view is kept.
      let isSameView = stream.entries.last?.list.request == list.request
      let count = stream.entries.count - (isSameView ? RecentPositions.maxEntries - 1 : 1)
      let released = Array(stream.entries.prefix(max(0, count)))
      stream.entries.removeFirst(released.count)
      stream.entries.append(Entry(position: position, list: list))
      state.live[client] = stream
      return released
    }
    // Releasing a list may take a while, so it is done outside of the lock.
    withExtendedLifetime(released) {}
  }

  /// Keeps the positions of a client that is gone, in place of those of clients that went earlier.
  package func end(_ client: UInt64) {
    let released = state.withLock { state in
      guard let stream = state.live.removeValue(forKey: client), !stream.entries.isEmpty else {
        return [Stream]()
      }
      state.ended.append(stream)
      var rows = state.ended.reduce(0) { $0 + $1.rowCount }
      var count = 0
      while count < state.ended.count, rows > RecentPositions.maxRows || state.ended.count - count > maxEnded
      {
        rows -= state.ended[count].rowCount
        count += 1
      }
      let released = Array(state.ended.prefix(count))
      state.ended.removeFirst(count)
      return released
    }
    withExtendedLifetime(released) {}
  }

  /// Returns the list of a token, if it was sent for the same view of the same folder.
  package func find(_ token: String, in folder: String, view: String) -> (
    list: ListSnapshot<Item>, position: StreamPosition
  )? {
    state.withLock { state in
      func entry(_ stream: Stream) -> Entry? {
        guard stream.folder == folder, stream.view == view else { return nil }
        return stream.entries.last { $0.position.token == token }
      }
      let found =
        state.ended.lazy.reversed().compactMap(entry).first ?? state.live.values.lazy.compactMap(entry).first
      return found.map { ($0.list, $0.position) }
    }
  }
}
