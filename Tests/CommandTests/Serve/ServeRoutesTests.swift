import TestSupport
import Testing

/// The metrics and limits of the built program, asked by curl.
@Suite(.enabled(if: ["curl", "git"].allSatisfy(Machine.has), "needs curl and git"))
struct ServeRoutesTests {
  @Test func `Metrics count connections and bytes`() throws {
    let server = try CurledServer(["ada.yaml": "name: Ada\n"])
    for _ in 0..<3 { _ = try server.request("GET", "/items") }
    let text = try server.request("GET", "/metrics").body
    #expect(text.contains("\nnotes_watch_connections 1\n"))
    let accepted =
      text.firstMatch(of: #/\nnotes_watch_connections_total ([0-9]+)\n/#).flatMap { Int($0.1) } ?? 0
    #expect(accepted >= 4)
    let sent = text.firstMatch(of: #/\nnotes_watch_sent_bytes_total ([0-9]+)\n/#).flatMap { Int($0.1) } ?? 0
    #expect(sent > 500)
    #expect(text.contains(#"notes_watch_requests_total{route="/items",method="GET",status="200"} 3"#))
  }

  @Test func `An endless or huge body changes nothing`() throws {
    let server = try CurledServer(["ada.yaml": "name: Ada\n"])
    try server.folder.shell("head -c 17000000 /dev/zero | tr '\\0' x > huge")
    let head = ["-X", "PATCH", "-H", "Content-Type: application/merge-patch+json", "-H", "If-Match: *"]
    #expect(try server.curl("/item?id=ada", head + ["--data-binary", "@huge"]).status == 413)
    #expect(
      try server.curl("/item?id=ada", head + ["-H", "Transfer-Encoding: chunked", "--data-binary", "@huge"])
        .status == 413)
    #expect(try server.folder.bytes(of: "data/ada.yaml") == Array("name: Ada\n".utf8))
  }
}
