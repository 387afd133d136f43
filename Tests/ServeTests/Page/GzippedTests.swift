import Testing

@testable import Serve

struct GzippedTests {
  @Test func `Equal bytes give equal results`() {
    let bytes = Array(repeating: UInt8(ascii: "a"), count: 10_000)
    #expect(bytes.gzipped == bytes.gzipped)
    #expect(bytes.gzipped.map { $0.count < 100 } == true)
  }

  @Test(arguments: [[], [0x61], [0x61, 0x62, 0x63]]) func `Few bytes are not compressed`(bytes: [UInt8]) {
    #expect(bytes.gzipped == nil)
  }
}
