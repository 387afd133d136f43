import DiffableSnapshot
import Files
import Query
import Values

extension ContentDigest {
  /// The number of rows that one thread digests as one piece of work.
  private static let pieceSize = 4_096

  /// Computes the digest of everything that a consumer has of a list: the sections in order with
  /// their titles, and the rows in order with their ids, paths and values. Linear, on several
  /// threads.
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
    let pieces = ParallelWork.map(rows.count, by: ContentDigest.pieceSize) { [rows] piece in
      var hash = SipHash(key: key)
      for id in rows[piece] {
        guard let content = list.content(of: id) else { continue }
        hash.append(padded: id.stored)
        hash.append(padded: content.item.path.description)
        content.value.bytes.withUnsafeBytes { hash.append(padded: $0) }
      }
      return hash.finish()
    }
    for piece in pieces {
      sections.append(piece.low)
      sections.append(piece.high)
    }
    self = sections.finish()
  }
}
