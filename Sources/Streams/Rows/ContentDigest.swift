package import Store

/// A digest of bytes: SipHash-2-4 with 128 bits and a fixed key.
///
/// It is the same in every run and on every machine, so it can be stored. It is not secure: an
/// attacker can construct two contents with the same digest.
package struct ContentDigest: Hashable {
  /// The first 8 bytes of the digest, as a little-endian number.
  package private(set) var low: UInt64
  /// The last 8 bytes of the digest, as a little-endian number.
  package private(set) var high: UInt64

  package init(of bytes: [UInt8]) { self = bytes.withUnsafeBytes { ContentDigest(of: $0) } }

  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = SipHash(key: SipHash.storedKey)
    hash.append(bytes)
    self = hash.finish()
  }

  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  package var bytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? low : high) >> UInt64($0 % 8 * 8)) }
  }

  /// The digest as 32 hexadecimal digits in lower case.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Reads a digest from its 16 bytes; nil if there are more or fewer.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    low = bytes[..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    high = bytes[8...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Adds a digest to a sum of digests, modulo 2^128.
  package static func += (sum: inout ContentDigest, other: ContentDigest) {
    let (low, isOver) = sum.low.addingReportingOverflow(other.low)
    sum.low = low
    sum.high = sum.high &+ other.high &+ (isOver ? 1 : 0)
  }

  package static func -= (sum: inout ContentDigest, other: ContentDigest) {
    let (low, isUnder) = sum.low.subtractingReportingOverflow(other.low)
    sum.low = low
    sum.high = sum.high &- other.high &- (isUnder ? 1 : 0)
  }
}

extension ContentDigest {
  private static let pieceSize = 4_096

  /// Computes the digest of everything that a consumer has of a list: the sections in order with their
  /// titles, and the rows in order with their ids, paths and values. Linear, on several threads.
  ///
  /// - Parameter key: A secret key, so that nobody can make items that have the digest of others.
  package init(of list: ListSnapshot<Item>, key: (UInt64, UInt64)) {
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

/// SipHash-2-4 with a result of 128 bits, after the reference implementation of its authors.
struct SipHash {
  /// The key of stored digests. It must never change.
  static let storedKey: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)

  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  /// The bytes that do not fill a word yet, and the number of bytes so far.
  private var tail: UInt64 = 0
  private var count = 0

  init(key: (UInt64, UInt64)) {
    v0 = key.0 ^ 0x736f_6d65_7073_6575
    v1 = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
    v2 = key.0 ^ 0x6c79_6765_6e65_7261
    v3 = key.1 ^ 0x7465_6462_7974_6573
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count, count % 8 != 0 { append(byte: bytes[index], &index) }
    while bytes.count - index >= 8 {
      compress(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
      count += 8
    }
    while index < bytes.count { append(byte: bytes[index], &index) }
  }

  mutating func append(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { append($0) }
  }

  /// Appends the number of bytes, and the bytes with zeros up to a complete word. Faster than bytes
  /// that begin within a word. Only words may be appended before.
  mutating func append(padded bytes: UnsafeRawBufferPointer) {
    compress(UInt64(bytes.count))
    var index = 0
    while bytes.count - index >= 8 {
      compress(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
    }
    var last: UInt64 = 0
    for byte in bytes[index...].reversed() { last = last << 8 | UInt64(byte) }
    if index < bytes.count { compress(last) }
    count += 8 + (bytes.count + 7) / 8 * 8
  }

  mutating func append(padded text: String) {
    var text = text
    text.withUTF8 { append(padded: UnsafeRawBufferPointer($0)) }
  }

  private mutating func append(byte: UInt8, _ index: inout Int) {
    tail |= UInt64(byte) << UInt64(count % 8 * 8)
    index += 1
    count += 1
    if count % 8 == 0 {
      compress(tail)
      tail = 0
    }
  }

  consuming func finish() -> ContentDigest {
    compress(tail | UInt64(truncatingIfNeeded: count) << 56)
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let low = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return ContentDigest(low: low, high: v0 ^ v1 ^ v2 ^ v3)
  }

  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 &+= v1
    v1 = v1 << 13 | v1 >> 51
    v1 ^= v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = v3 << 16 | v3 >> 48
    v3 ^= v2
    v0 &+= v3
    v3 = v3 << 21 | v3 >> 43
    v3 ^= v0
    v2 &+= v1
    v1 = v1 << 17 | v1 >> 47
    v1 ^= v2
    v2 = v2 << 32 | v2 >> 32
  }
}
