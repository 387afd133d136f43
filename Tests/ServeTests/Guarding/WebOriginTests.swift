import Serve
import Testing

@Suite struct WebOriginTests {
  @Test(arguments: [
    ("https://notes.example", "https://notes.example"), ("HTTP://Notes.Example:80/", "http://notes.example"),
    ("https://notes.example:8443", "https://notes.example:8443"), ("https://a:443", "https://a"),
    ("http://[::1]:8080", "http://[::1]:8080"),
    ("http://[::1]", "http://[::1]"),
  ])
  func `An origin is read as browsers write it`(text: String, origin: String) {
    #expect(WebOrigin(parsing: text)?.description == origin)
  }

  @Test(arguments: [
    "", "notes.example", "ftp://a", "https://", "https:///", "https://a/b", "https://a?b", "https://a#b",
    "https://u@a", "https://a:b",
    "https://a:0", "https://a:65536", "https://a:", "https://a.:1", "https://a b", "https://[::1",
    "https://[]", "https://*", "null",
  ])
  func `Anything else is not an origin`(text: String) { #expect(WebOrigin(parsing: text) == nil) }

  @Test func `Addresses of this machine are recognized`() {
    #expect(
      ["http://127.0.0.1:1", "http://localhost", "http://[::1]:2"].allSatisfy {
        WebOrigin(parsing: $0)?.isLoopback == true
      })
    #expect(
      ["http://127.0.0.1.evil.example", "http://notes.example", "http://10.0.0.1"].allSatisfy {
        WebOrigin(parsing: $0)?.isLoopback == false
      })
  }
}
