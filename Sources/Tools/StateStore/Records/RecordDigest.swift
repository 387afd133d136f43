import Store
import Streams

/// A digest of the records of a list: the sum of their digests. It covers everything that is
/// stored, including the order, the sections and the titles. A change only costs the records that
/// it concerns.
struct RecordDigest: Hashable {
  private(set) var sum = ContentDigest(low: 0, high: 0)
  /// Holds the bytes of one record while its digest is computed.
  private var buffer: [UInt8] = []

  init() {}

  init(_ sum: ContentDigest) { self.sum = sum }

  /// Reads a digest from its 16 bytes; nil if there are more or fewer.
  init?(_ bytes: [UInt8]) {
    guard let sum = ContentDigest(bytes: bytes) else { return nil }
    self.sum = sum
  }

  var bytes: [UInt8] { sum.bytes }

  mutating func add(_ record: Record) { record.withBytes { add($0) } }

  mutating func add(_ record: RecordBytes) {
    let digest = digest(of: record)
    sum += digest
  }

  mutating func remove(_ record: Record) {
    let digest: ContentDigest = record.withBytes { self.digest(of: $0) }
    sum -= digest
  }

  static func == (a: RecordDigest, b: RecordDigest) -> Bool { a.sum == b.sum }

  func hash(into hasher: inout Hasher) { hasher.combine(sum) }

  private mutating func digest(of record: RecordBytes) -> ContentDigest {
    buffer.removeAll(keepingCapacity: true)
    buffer.append(word: UInt64(record.key.count))
    buffer.append(word: UInt64(record.section.count))
    buffer.append(word: UInt64(bitPattern: record.rank))
    buffer.append(word: record.path.map { UInt64($0.count) } ?? .max)
    buffer.append(word: record.value.map { UInt64($0.count) } ?? .max)
    buffer.append(contentsOf: record.key)
    buffer.append(contentsOf: record.section)
    if let path = record.path { buffer.append(contentsOf: path) }
    if let value = record.value { buffer.append(contentsOf: value) }
    return buffer.withUnsafeBytes { ContentDigest(of: $0) }
  }
}
