import PlainText

/// A digest of the rows of a list, which does not depend on their order: the sum of the digests of
/// its rows. So a change costs the rows that it concerns.
///
/// The digest of a row covers its section, its id, its path and its value. Values that count as
/// equal have equal digests: the order of a map's keys does not matter. Titles and the order of
/// rows and sections are not covered. It is the same in every run and on every machine.
package struct ListDigest: Sendable, Hashable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Creates the digest of an empty list.
  package init() {}

  /// Computes the digest of a list. O(n).
  package init(of list: ResultsSnapshot) {
    list.forEachRow { add($0) }
  }

  /// Adds a row.
  package mutating func add(_ row: ListRow) {
    let digest = row.digest
    let (sum, isOver) = low.addingReportingOverflow(digest.low)
    low = sum
    high &+= digest.high &+ (isOver ? 1 : 0)
  }

  /// Removes a row that is part of the list.
  package mutating func remove(_ row: ListRow) {
    let digest = row.digest
    let (difference, isUnder) = low.subtractingReportingOverflow(digest.low)
    low = difference
    high = high &- digest.high &- (isUnder ? 1 : 0)
  }

  /// Replaces the rows that an update changed. The digest must be that of the update's old list.
  /// O(c log n) for c changes.
  package mutating func apply(_ update: ResultsUpdate) {
    for change in update.diff.changes {
      if change.from != nil, let row = update.old.row(change.item) { remove(row) }
      if change.to != nil, let row = update.new.row(change.item) { add(row) }
    }
  }

  /// The digest as 32 hexadecimal digits.
  package var text: String { ContentDigest(low: low, high: high).text }

  /// Reads a digest from its text. Nil if `text` is something else.
  package init?(_ text: String) {
    guard let digest = ContentDigest(text) else { return nil }
    (low, high) = (digest.low, digest.high)
  }
}

extension ListRow {
  fileprivate var digest: ContentDigest {
    var hash = SipHash(key: SipHash.storedKey)
    hash.append(sized: Array(section.description.utf8))
    hash.append(sized: Array(id.item.description.utf8))
    hash.append(sized: Array(path.description.utf8))
    hash.append(sized: value.bytes)
    return hash.finish()
  }
}

extension SipHash {
  /// Appends the number of bytes, and the bytes.
  fileprivate mutating func append(sized bytes: [UInt8]) {
    append(UInt64(bytes.count))
    bytes.withUnsafeBytes { append($0) }
  }
}
