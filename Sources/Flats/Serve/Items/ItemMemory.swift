import Store
import Synchronization

/// What a server remembers for the clients of its items: the texts that they were given lately, which
/// are the base of a comparison if a change comes too late, and the saves that they can undo.
final class ItemMemory: Sendable {
  struct Undo {
    /// The save in words, such as `change of ada`.
    let title: String
    let outcomes: [SaveOutcome]

    var size: Int { outcomes.reduce(0) { $0 + $1.undoSize } }
  }

  private struct State {
    var texts = RecentTable<(id: Item.ID, bytes: [UInt8])>(maxCount: 1_024, maxSize: 32 << 20)
    var undos: RecentTable<Undo>
  }

  /// Lock: guards the texts that HTTP clients were given lately, and the saves that they can undo.
  /// Nothing else is locked under it.
  private let state: Mutex<State>

  /// The size of all saves that can be undone, in bytes.
  static let maxUndoSize = 64 << 20
  /// A larger text is not kept.
  private static let maxTextSize = 1 << 20

  init(maxUndos: Int) {
    state = Mutex(State(undos: RecentTable(maxCount: maxUndos, maxSize: ItemMemory.maxUndoSize)))
  }

  func remember(_ current: CurrentItem) {
    let version = current.version
    let bytes = current.text.bytes
    guard bytes.count <= ItemMemory.maxTextSize else { return }
    state.withLock { state in
      if state.texts[version] == nil {
        state.texts.keep((current.item.id, bytes), for: version, size: bytes.count)
      }
    }
  }

  /// Returns the text of an item that one of some tags names; nil if it is not kept.
  func text(of id: Item.ID, _ condition: TagCondition) -> [UInt8]? {
    guard case .tags(let tags) = condition else { return nil }
    return state.withLock { state in
      for tag in tags where !tag.isWeak {
        if let text = state.texts[String(tag.version)], text.id == id { return text.bytes }
      }
      return nil
    }
  }

  /// Keeps a save. Returns its token; nil if it changed nothing.
  func addUndo(_ title: String, _ outcome: SaveOutcome) -> String? {
    guard outcome.inverse.hasChanges else { return nil }
    let token =
      String(UInt64.random(in: .min ... .max), radix: 36)
      + String(UInt64.random(in: .min ... .max), radix: 36)
    putUndo(Undo(title: title, outcomes: [outcome]), token)
    return token
  }

  /// Keeps a save under a token: a new one, or one that could not be undone.
  func putUndo(_ undo: Undo, _ token: String) {
    state.withLock { $0.undos.keep(undo, for: token, size: undo.size) }
  }

  func removeUndo(_ token: String) -> Undo? { state.withLock { $0.undos.remove(token) } }

  func isLargeUndo(_ token: String) -> Bool {
    state.withLock { $0.undos[token]?.size ?? 0 } > Value.quickSize
  }
}

/// Values by their keys, up to a number and a size. The oldest ones are forgotten.
private struct RecentTable<Element> {
  let maxCount: Int
  /// The largest size of all values in bytes.
  let maxSize: Int
  private var elements: [String: (value: Element, size: Int)] = [:]
  /// The keys, the oldest one first; also those that were removed, which count until they are old.
  private var order: [String] = []
  private var size = 0

  init(maxCount: Int, maxSize: Int) {
    self.maxCount = maxCount
    self.maxSize = maxSize
  }

  subscript(key: String) -> Element? { elements[key]?.value }

  mutating func keep(_ value: Element, for key: String, size: Int) {
    elements[key] = (value, size)
    if !order.contains(key) { order.append(key) }
    self.size += size
    while order.count > maxCount || self.size > maxSize, !order.isEmpty {
      let oldest = order.removeFirst()
      _ = remove(oldest)
    }
  }

  mutating func remove(_ key: String) -> Element? {
    let removed = elements.removeValue(forKey: key)
    size -= removed?.size ?? 0
    return removed?.value
  }
}
