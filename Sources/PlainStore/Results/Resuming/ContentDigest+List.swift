import DiffableSnapshot
import DirectoryWatch
import Dispatch
import PlainText
import Synchronization

extension ContentDigest {
  /// The number of rows that one thread digests as one piece of work.
  private static let pieceSize = 4_096

  /// Computes the digest of everything that a consumer has of a list: the sections in order with
  /// their titles, and the rows in order with their ids, paths and values. Linear, with two threads.
  ///
  /// - Parameter key: A secret key, so that nobody can make items that have the digest of others.
  package init(of list: ResultsSnapshot, key: (UInt64, UInt64)) {
    var sections = SipHash(key: key)
    var rows: [Item.ID] = []
    rows.reserveCapacity(list.count)
    for (section, title) in list.sectionTitles {
      sections.append(padded: section.description)
      sections.append(title == nil ? 0 : 1)
      sections.append(padded: title ?? "")
      sections.append(UInt64(list.list.numberOfItems(inSection: section)))
      for id in list.list.items(inSection: section) { rows.append(id) }
    }
    for piece in ContentDigest.pieces(of: rows, in: list, key) {
      sections.append(piece.low)
      sections.append(piece.high)
    }
    self = sections.finish()
  }

  private static func pieces(of rows: [Item.ID], in list: ResultsSnapshot, _ key: (UInt64, UInt64)) -> [ContentDigest] {
    let count = (rows.count + pieceSize - 1) / pieceSize
    let next = Atomic(0)
    let digests = Mutex<[ContentDigest]>(Array(repeating: ContentDigest(low: 0, high: 0), count: count))
    let work = { @Sendable in
      while case let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue, piece < count {
        var hash = SipHash(key: key)
        for id in rows[piece * pieceSize..<min(rows.count, (piece + 1) * pieceSize)] {
          guard let content = list.content(of: id) else { continue }
          hash.append(padded: id.stored)
          hash.append(padded: content.item.path.description)
          content.value.bytes.withUnsafeBytes { hash.append(padded: $0) }
        }
        let digest = hash.finish()
        digests.withLock { $0[piece] = digest }
      }
    }
    let group = DispatchGroup()
    // A queue of its own, for the same reason as `QueueExecutor`.
    if count > 1 { DispatchQueue(label: "digest").async(group: group, execute: DispatchWorkItem(block: work)) }
    work()
    group.wait()
    return digests.withLock { $0 }
  }
}
