import Store
import Synchronization

/// The texts of items that clients were given lately, by their versions. If a client's change comes too
/// late, they are the base of the comparison.
///
/// One lock guards the texts.
final class RevisionTable: Sendable {
  /// The number of texts that are kept.
  private static let maxCount = 1_024
  /// The size of all texts in bytes.
  private static let maxSize = 32 << 20
  /// A larger text is not kept.
  private static let maxTextSize = 1 << 20

  fileprivate struct Contents {
    var texts: [String: (id: Item.ID, bytes: [UInt8])] = [:]
    /// The versions, the oldest one first. The first `forgotten` ones are no longer kept.
    var order: [String] = []
    var forgotten = 0
    var size = 0
  }

  /// Lock: guards the texts of items that HTTP clients were given lately.
  private let contents = Mutex(Contents())

  /// Remembers the text of an item.
  func remember(_ current: CurrentItem) {
    let (version, bytes) = (current.version, current.text.bytes)
    guard bytes.count <= RevisionTable.maxTextSize else { return }
    contents.withLock { contents in
      guard contents.texts.updateValue((current.item.id, bytes), forKey: version) == nil else { return }
      contents.order.append(version)
      contents.size += bytes.count
      contents.forgetOldest(RevisionTable.maxCount, RevisionTable.maxSize)
    }
  }

  /// Returns the text of an item that one of some tags names; nil if it is not kept.
  func text(of id: Item.ID, _ condition: TagCondition) -> [UInt8]? {
    guard case .tags(let tags) = condition else { return nil }
    return contents.withLock { contents in
      for tag in tags where !tag.isWeak {
        if let text = contents.texts[String(tag.version)], text.id == id { return text.bytes }
      }
      return nil
    }
  }
}

extension RevisionTable.Contents {
  fileprivate mutating func forgetOldest(_ maxCount: Int, _ maxSize: Int) {
    while forgotten < order.count, order.count - forgotten > maxCount || size > maxSize {
      size -= texts.removeValue(forKey: order[forgotten])?.bytes.count ?? 0
      forgotten += 1
    }
    guard forgotten > maxCount else { return }
    order.removeFirst(forgotten)
    forgotten = 0
  }
}
