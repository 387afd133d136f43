import Store
import Synchronization
import Values

/// The saves that clients can undo, by random tokens.
///
/// One lock guards the saves.
final class UndoTable: Sendable {
  /// A save that can be undone.
  struct Entry: Sendable {
    /// The save in words, such as `change of ada`.
    let title: String
    /// Its outcomes.
    let outcomes: [SaveOutcome]

    /// The number of bytes that the entry keeps in memory.
    var size: Int { outcomes.reduce(0) { $0 + $1.undoSize } }
  }

  /// The number of saves that are kept. The oldest ones are forgotten.
  private let maxCount: Int
  /// The size of all texts in bytes.
  static let maxSize = 64 << 20

  private struct Contents {
    var entries: [String: Entry] = [:]
    /// The tokens, the oldest one first; also those that were used.
    var order: [String] = []
    var size = 0
  }

  /// Lock: guards the saves that HTTP clients can undo.
  private let contents = Mutex(Contents())

  init(maxCount: Int) { self.maxCount = maxCount }

  /// Keeps a save. Returns its token; nil if it changed nothing.
  func add(_ title: String, _ outcomes: [SaveOutcome]) -> String? {
    let changes = outcomes.filter(\.inverse.hasChanges)
    if changes.isEmpty { return nil }
    let token =
      String(UInt64.random(in: .min ... .max), radix: 36)
      + String(UInt64.random(in: .min ... .max), radix: 36)
    put(Entry(title: title, outcomes: changes), token)
    return token
  }

  /// Removes a save and returns it; nil if the token is unknown.
  func remove(_ token: String) -> Entry? {
    contents.withLock { contents in
      let entry = contents.entries.removeValue(forKey: token)
      contents.size -= entry?.size ?? 0
      return entry
    }
  }

  /// Returns true if the texts of a save are large.
  func isLarge(_ token: String) -> Bool {
    contents.withLock { $0.entries[token]?.size ?? 0 } > Value.quickSize
  }

  /// Keeps a save under a token: a new one, or one that could not be undone.
  func put(_ entry: Entry, _ token: String) {
    contents.withLock { contents in
      contents.entries[token] = entry
      if !contents.order.contains(token) { contents.order.append(token) }
      contents.size += entry.size
      // Used tokens are still in the order, so it can be longer than the table.
      while contents.order.count > maxCount || contents.size > UndoTable.maxSize, !contents.order.isEmpty {
        let oldest = contents.order.removeFirst()
        contents.size -= contents.entries.removeValue(forKey: oldest)?.size ?? 0
      }
    }
  }
}
