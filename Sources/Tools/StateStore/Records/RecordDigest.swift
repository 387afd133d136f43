import Store

/// A digest of the records of a list: the sum of their digests. It covers everything that is
/// stored, including the order, the sections and the titles. A change only costs the records that
/// it concerns.
struct RecordDigest: Hashable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  /// Holds the bytes of one record while its digest is computed.
  private var buffer: [UInt8] = []

  init() {}

  /// Reads a digest from its 16 bytes; nil if there are more or fewer.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    low = bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    high = bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }

  init(_ words: (UInt64, UInt64)) {
    (low, high) = words
  }

  /// The two words of the digest.
  var words: (UInt64, UInt64) { (low, high) }

  /// The 16 bytes of the digest.
  var bytes: [UInt8] {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { Array($0) }
  }

  mutating func add(_ record: Record) { record.withBytes { add($0) } }

  mutating func add(_ record: RecordBytes) {
    let digest = digest(of: record)
    let (sum, isOver) = low.addingReportingOverflow(digest.low)
    low = sum
    high &+= digest.high &+ (isOver ? 1 : 0)
  }

  mutating func remove(_ record: Record) {
    let digest: ContentDigest = record.withBytes { self.digest(of: $0) }
    let (difference, isUnder) = low.subtractingReportingOverflow(digest.low)
    low = difference
    high = high &- digest.high &- (isUnder ? 1 : 0)
  }

  static func == (a: RecordDigest, b: RecordDigest) -> Bool { a.low == b.low && a.high == b.high }

  func hash(into hasher: inout Hasher) { hasher.combine(low) }

  private mutating func digest(of record: RecordBytes) -> ContentDigest {
    buffer.removeAll(keepingCapacity: true)
    append(Int64(record.key.count))
    append(Int64(record.section.count))
    append(record.rank)
    append(record.path.map { Int64($0.count) } ?? -1)
    append(record.value.map { Int64($0.count) } ?? -1)
    buffer.append(contentsOf: record.key)
    buffer.append(contentsOf: record.section)
    if let path = record.path { buffer.append(contentsOf: path) }
    if let value = record.value { buffer.append(contentsOf: value) }
    return buffer.withUnsafeBytes { ContentDigest(of: $0) }
  }

  private mutating func append(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { buffer.append(contentsOf: $0) }
  }
}
