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

  /// Appends bytes.
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

  /// Appends a number as 8 bytes, little-endian.
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

  /// Appends a string as `append(padded:)` appends bytes.
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

  /// Returns the digest of the appended bytes.
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
