import HTTPTypes
import Testing

@testable import Serve

struct AcceptFieldsTests {
  @Test(arguments: [
    ("gzip", true), ("GZIP", true), ("x-gzip", true), ("br, deflate , gzip ; q=0.5", true), ("*", true),
    ("*;q=0.1", true),
    ("gzip;q=0", false), ("gzip;q=0.000, *", false), ("gzip;q=x", false), ("*;q=0", false),
    ("identity", false), ("", false),
    (";;,=,gzip", true), ("br", false), ("gzipped", false),
  ])
  func `A client says whether it accepts gzip`(text: String, acceptsGzip: Bool) {
    #expect(HTTPFields([HTTPField(name: .acceptEncoding, value: text)]).acceptsGzip == acceptsGzip)
  }

  @Test func `A client that says nothing gets uncompressed bytes`() {
    #expect(!HTTPFields().acceptsGzip)
  }
}
