import TestSupport
import Testing

@testable import StateStore

@Suite struct CacheChecksumTests {
  private static func checksum(_ text: String, seed: UInt64 = 0) -> UInt64 {
    Array(text.utf8).withUnsafeBytes { CacheChecksum.of($0, seed: seed) }
  }

  @Test func `the checksum is XXH64`() {
    #expect(Self.checksum("") == 0xEF46_DB37_51D8_E999)
    #expect(Self.checksum("a") == 0xD24E_C4F1_A98C_6E5B)
    #expect(Self.checksum("abc") == 0x44BC_2CF5_AD77_0999)
    #expect(Self.checksum("Nobody inspects the spammish repetition") == 0xFBCE_A83C_8A37_8BF1)
  }

  @Test func `another seed gives another checksum`() {
    #expect(Self.checksum("abc", seed: 1) != Self.checksum("abc"))
  }

  @Test(arguments: Randomness.seeds(20)) func `each changed bit changes the checksum`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bytes = (0..<generator.below(100) + 1).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    let checksum = bytes.withUnsafeBytes { CacheChecksum.of($0, seed: seed) }
    for bit in 0..<bytes.count * 8 {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(
        bytes.withUnsafeBytes { CacheChecksum.of($0, seed: seed) } != checksum,
        "bit \(bit); \(seedNote(seed))")
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }
}
