package import Store

/// A digest of the rows of a list, which does not depend on their order: the sum of the digests of
/// its rows. A change only costs the rows that it concerns.
///
/// The digest of a row covers its section, its id, its path and its value. Values that count as
/// equal have equal digests: the order of a map's keys does not matter. Titles and the order of
/// rows and sections are not covered. It is the same in every run and on every machine.
package struct ListDigest: Hashable {
  private var sum = ContentDigest(low: 0, high: 0)

  package init() {}

  package init(of list: ListSnapshot<Item>) {
    list.forEachRow { add($0) }
  }

  package mutating func add(_ row: ListRow) { sum += row.digest }

  package mutating func remove(_ row: ListRow) { sum -= row.digest }

  /// Replaces the rows that an update changed; its old list must be that of the digest. O(c log n).
  package mutating func apply(_ update: ListUpdate<Item>) {
    let sums = ParallelWork.map(update.diff.changes.count, by: ListDigest.changesAtOnce) { range in
      var digest = ListDigest()
      for change in update.diff.changes[range] {
        if let place = change.from, let row = update.old.row(change.item, at: place) { digest.remove(row) }
        if let place = change.to, let row = update.new.row(change.item, at: place) { digest.add(row) }
      }
      return digest.sum
    }
    for part in sums { sum += part }
  }

  private static let changesAtOnce = 512

  package var text: String { sum.text }
}

extension ListRow {
  fileprivate var digest: ContentDigest {
    var hash = SipHash(key: SipHash.storedKey)
    hash.append(sized: section.description)
    hash.append(sized: id.stored)
    hash.append(sized: path.description)
    value.bytes.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes)
      hash.append(&reader)
    }
    return hash.finish()
  }
}

extension SipHash {
  fileprivate mutating func append(sized text: String) {
    var text = text
    text.withUTF8 { append(sized: UnsafeRawBufferPointer($0)) }
  }

  private mutating func append(sized bytes: UnsafeRawBufferPointer) {
    append(UInt64(bytes.count))
    append(bytes)
  }

  /// Appends the next value of a reader, so that equal values have equal digests. For a map, it
  /// appends the sum of the digests of its pairs, because their order does not matter.
  fileprivate mutating func append(_ reader: inout PackedReader) {
    switch reader.part() {
    case .scalar(let bytes):
      append(ValueMark.scalar.rawValue)
      // `.nan` equals itself, whatever its bits are.
      if SipHash.isNaN(bytes) { append(ValueMark.nan.rawValue) } else { append(sized: bytes) }
    case .list(var elements):
      append(ValueMark.list.rawValue)
      while !elements.isAtEnd { append(&elements) }
      append(ValueMark.end.rawValue)
    case .map(var pairs):
      var sum = ContentDigest(low: 0, high: 0)
      var count: UInt64 = 0
      while !pairs.isAtEnd {
        var pair = SipHash(key: SipHash.storedKey)
        pair.append(sized: pairs.textBytes())
        pair.append(&pairs)
        sum += pair.finish()
        count += 1
      }
      append(ValueMark.map.rawValue)
      append(count)
      append(sum.low)
      append(sum.high)
    }
  }

  private static func isNaN(_ scalar: UnsafeRawBufferPointer) -> Bool {
    guard scalar.first == PackedValue.Tag.double.rawValue else { return false }
    var reader = PackedReader(scalar)
    return reader.value() == .number(.double(.nan))
  }
}

/// The kind of a value or the end of a list, as hashed. Digests are stored: never change the numbers.
private enum ValueMark: UInt64 {
  case scalar = 0
  case list = 1
  case end = 2
  case map = 3
  /// Replaces the size and the bytes of a scalar. No scalar has this many bytes.
  case nan = 0xFFFF_FFFF_FFFF_FFFF
}
