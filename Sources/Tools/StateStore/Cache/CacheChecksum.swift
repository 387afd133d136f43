/// The checksum of a part of a cache file: XXH64, after the specification of its author.
///
/// It finds damage, and reads several gigabytes per second. It does not find what somebody wrote
/// on purpose.
enum CacheChecksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var index = 0
    var hash: UInt64
    if bytes.count >= 32 {
      // Four sums that do not depend on one another keep the processor busy.
      var a = seed &+ prime1 &+ prime2
      var b = seed &+ prime2
      var c = seed
      var d = seed &- prime1
      while bytes.count - index >= 32 {
        a = round(a, word(bytes, index))
        b = round(b, word(bytes, index + 8))
        c = round(c, word(bytes, index + 16))
        d = round(d, word(bytes, index + 24))
        index += 32
      }
      hash = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
      for sum in [a, b, c, d] { hash = (hash ^ round(0, sum)) &* prime1 &+ prime4 }
    } else {
      hash = seed &+ prime5
    }
    return finished(hash &+ UInt64(bytes.count), bytes, index)
  }

  private static func finished(_ hash: UInt64, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
    var hash = hash
    var index = start
    while bytes.count - index >= 8 {
      hash = rotated(hash ^ round(0, word(bytes, index)), 27) &* prime1 &+ prime4
      index += 8
    }
    if bytes.count - index >= 4 {
      let half = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)))
      hash = rotated(hash ^ (half &* prime1), 23) &* prime2 &+ prime3
      index += 4
    }
    while index < bytes.count {
      hash = rotated(hash ^ (UInt64(bytes[index]) &* prime5), 11) &* prime1
      index += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  private static func round(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    rotated(sum &+ word &* prime2, 31) &* prime1
  }

  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }
}
