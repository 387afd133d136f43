@testable import Streams
import Testing

struct ContentDigestTests {
  /// Test vectors of the authors of SipHash: the digest of the bytes 0, 1, 2, … up to a count, with
  /// the key 0, 1, …, 15.
  @Test(arguments: [
    (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
    (2, "8177228da4a45dc7fca38bdef60affe4"),
    (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
    (9, "264499060ad9baabc47f8b02bb6d71ed"),
    (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (16, "6ee2a4ca67b054bbfd3315bf85230577"),
    (17, "473d06e8738db89854c066c47ae47740"),
    (31, "2939b0183223fafc1723de4f52c43d35"), (32, "7c3956ca5eeafc3e363e9d556546eb68"),
    (63, "5150d1772f50834a503e069a973fbd7c"),
  ])
  func `the digest is SipHash-2-4 with 128 bits`(count: Int, digest: String) {
    #expect(ContentDigest(of: (0..<count).map { UInt8($0) }).text == digest)
  }

  @Test(arguments: 0..<40) func `parts of any size give the digest of the complete bytes`(count: Int) {
    let bytes = (0..<40).map { UInt8(truncatingIfNeeded: $0 * 37) }
    var hash = SipHash(key: SipHash.storedKey)
    bytes[..<count].withUnsafeBytes { hash.append($0) }
    bytes[count...].withUnsafeBytes { hash.append($0) }
    #expect(hash.finish() == ContentDigest(of: bytes))
  }

  @Test func `a digest is read from its bytes and from nothing else`() {
    let digest = ContentDigest(of: [1, 2, 3])
    #expect(ContentDigest(bytes: digest.bytes) == digest)
    #expect(ContentDigest(bytes: Array(digest.bytes.dropLast())) == nil)
    #expect(ContentDigest(bytes: digest.bytes + [0]) == nil)
  }
}
