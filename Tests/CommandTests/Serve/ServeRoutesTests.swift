import Foundation
import Glibc
import PlainText
import TestSupport
import Testing

/// Each route of the built program, asked by curl.
@Suite(.enabled(if: ["curl", "git"].allSatisfy(Machine.has), "needs curl and git"))
struct ServeRoutesTests {
  /// One request and the status of its answer.
  private struct Step {
    let method: String
    let target: String
    var fields: [String] = []
    var body: String?
    let status: Int

    init(_ method: String, _ target: String, _ fields: [String] = [], _ body: String? = nil, _ status: Int = 200) {
      (self.method, self.target, self.fields, self.body, self.status) = (method, target, fields, body, status)
    }

    /// The operation of the description.
    var operation: String { "\(method) \(target.prefix { $0 != "?" })" }
  }

  private static let json = "Content-Type: application/json"
  private static let merge = "Content-Type: application/merge-patch+json"
  private static let anyVersion = "If-Match: *"

  private static let steps = [
    Step("GET", "/health"), Step("GET", "/items?sort=name&limit=1"), Step("GET", "/items", ["Accept: text/csv"]),
    Step("GET", "/items", ["Accept: image/png"], nil, 406), Step("GET", "/fields"), Step("GET", "/problems"), Step("GET", "/metrics"),
    Step("GET", "/openapi.json"), Step("GET", "/item?id=ada"), Step("GET", "/item?id=..%2f..%2fetc%2fpasswd", [], nil, 404),
    Step("GET", "/item?id=%00", [], nil, 400), Step("GET", "/item/source?id=ada"), Step("GET", "/diff"),
    Step("GET", "/diff?from=--output=x", [], nil, 400), Step("GET", "/item/log?id=ada"),
    Step("PATCH", "/item?id=ada", [merge], "{\"rating\":2}", 428),
    Step("PATCH", "/item?id=ada", [merge, anyVersion], "{\"rating\":2}"),
    Step("PATCH", "/item?id=ada", [merge, "If-Match: \"old\""], "{\"rating\":3}", 412),
    Step("PATCH", "/item?id=ada", ["Content-Type: text/plain", anyVersion], "{\"rating\":3}", 415),
    Step("PUT", "/item?id=bob", [json, "If-None-Match: *"], "{\"name\":\"Bob\"}", 201),
    Step("PUT", "/item?id=bob", [json, anyVersion], "{\"name\":\"Bobby\"}"),
    Step("PUT", "/item/source?id=bob", [json, anyVersion], "{\"source\":\"name: Rob\\n\"}"),
    Step("POST", "/items", [json], "{\"id\":\"eve\",\"value\":{\"name\":\"Eve\"}}", 201),
    Step("POST", "/items", [json], "{\"id\":\"eve\"}", 409), Step("POST", "/items", [json], "{\"id\":\"../eve\"}", 422),
    Step("DELETE", "/item?id=eve", [anyVersion]), Step("DELETE", "/item?id=eve", [anyVersion], nil, 404),
    Step("POST", "/undo", [json], "{\"undo\":\"none\"}", 404),
    Step("POST", "/stream/views", [json], "{\"stream\":\"none\",\"views\":{}}", 404), Step("POST", "/session/url", [json], "{}"),
    Step("GET", "/session?token=none", [], nil, 401), Step("GET", "/none", [], nil, 404), Step("POST", "/item", [json], "{}", 405),
  ]

  @Test func `Each route answers curl`() throws {
    let server = try CurledServer(["ada.yaml": "name: Ada\nrating: 1\n"])
    for step in ServeRoutesTests.steps {
      let answer = try server.request(step.method, step.target, step.fields, step.body)
      #expect(answer.status == step.status, "\(step.method) \(step.target): \(answer.body)")
      if step.status >= 400 { #expect(answer.head.contains("application/problem+json"), "\(step.method) \(step.target)") }
      #expect(answer.head.contains("x-content-type-options: nosniff"))
    }
    #expect(try server.folder.bytes(of: "data/ada.yaml") == Array("name: Ada\nrating: 2\n".utf8))
    #expect(try server.folder.bytes(of: "data/bob.yaml") == Array("name: Rob\n".utf8))
    #expect(try Shell.run("ls data", in: server.folder.path) == "ada.yaml\nbob.yaml\n")
  }

  @Test func `Metrics count connections and bytes`() throws {
    let server = try CurledServer(["ada.yaml": "name: Ada\n"])
    for _ in 0..<3 { _ = try server.request("GET", "/items") }
    let text = try server.request("GET", "/metrics").body
    #expect(text.contains("\nnotes_watch_connections 1\n"))
    let accepted = text.firstMatch(of: #/\nnotes_watch_connections_total ([0-9]+)\n/#).flatMap { Int($0.1) } ?? 0
    #expect(accepted >= 4)
    let sent = text.firstMatch(of: #/\nnotes_watch_sent_bytes_total ([0-9]+)\n/#).flatMap { Int($0.1) } ?? 0
    #expect(sent > 500)
    #expect(text.contains(#"notes_watch_requests_total{route="/items",method="GET",status="200"} 3"#))
  }

  @Test func `Each operation of the description is asked`() throws {
    let server = try CurledServer([:])
    let text = try server.request("GET", "/openapi.json").body
    let document = try PackedValue(reading: text, as: .json).value
    var operations: Set<String> = []
    for (path, item) in document["paths"]?.fields ?? [:] {
      for (method, _) in item.fields ?? [:] { operations.insert("\(method.uppercased()) \(path)") }
    }
    #expect(operations.count > 20)
    // Streams and pages have tests of their own.
    let others: Set = ["GET /stream", "GET /plain", "GET /", "GET /assets/{name}"]
    #expect(operations.subtracting(ServeRoutesTests.steps.map(\.operation)).subtracting(others) == [])
  }

  @Test func `An endless or huge body changes nothing`() throws {
    let server = try CurledServer(["ada.yaml": "name: Ada\n"])
    try server.folder.shell("head -c 17000000 /dev/zero | tr '\\0' x > huge")
    let head = ["-X", "PATCH", "-H", ServeRoutesTests.merge, "-H", ServeRoutesTests.anyVersion]
    #expect(try server.curl("/item?id=ada", head + ["--data-binary", "@huge"]).status == 413)
    #expect(try server.curl("/item?id=ada", head + ["-H", "Transfer-Encoding: chunked", "--data-binary", "@huge"]).status == 413)
    #expect(try server.folder.bytes(of: "data/ada.yaml") == Array("name: Ada\n".utf8))
  }
}

/// A running `notes-watch serve` that curl asks. It is killed with the last reference.
private final class CurledServer {
  /// The folder with the served folder `data`, the token and the address.
  let folder: TemporaryFolder
  private let process: pid_t
  private let address: String

  struct Answer {
    let status: Int
    /// The head in lower case.
    let head: String
    let body: String
  }

  init(_ files: [String: String]) throws {
    folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files.map { ("data/\($0)", $1) }))
    try folder.shell("mkdir -p data; cd data; git init -q -b main; git add -A; git commit -q --allow-empty -m first")
    try folder.shell("mkdir -m 700 run")
    let words = ["serve", "data", "--listen", "127.0.0.1:0", "--token-file", "token"]
    let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": "\(folder.path)/run"]
    let spawned = try Spawned(
      "/bin/sh", ["-c", "exec \"$@\" >url 2>log", "sh", BuiltProgram.path] + words, environment: environment, folder: folder.path,
      hasInput: false)
    close(spawned.output)
    close(spawned.error)
    process = spawned.process
    let limit = 800 * Patience.factor
    try folder.shell("i=0; until [ -s url ]; do i=$((i + 1)); [ $i -lt \(limit) ] || { cat log; exit 1; }; sleep 0.05; done")
    address = try Shell.run("sed -n 's|^\\(http://[^/]*\\)/.*|\\1|p' url", in: folder.path).trimmingCharacters(in: .newlines)
    try folder.shell("(umask 077; printf 'Authorization: Bearer %s\\n' \"$(cat token)\" > auth)")
  }

  deinit {
    kill(-process, SIGKILL)
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Sends a request.
  func request(_ method: String, _ target: String, _ fields: [String] = [], _ body: String? = nil) throws -> Answer {
    try curl(target, ["-X", method] + fields.flatMap { ["-H", $0] } + (body.map { ["--data-binary", $0] } ?? []))
  }

  /// Runs curl with further arguments.
  func curl(_ target: String, _ arguments: [String]) throws -> Answer {
    let words = (arguments + [address + target]).map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    let status = try Shell.run("curl -s -m 30 --path-as-is -H @auth -D head -o body -w '%{http_code}' \(words)", in: folder.path)
    let head = try Shell.run("tr 'A-Z' 'a-z' < head", in: folder.path)
    return Answer(status: Int(status) ?? 0, head: head, body: try Shell.run("cat body", in: folder.path))
  }
}
