import Foundation
import TestSupport
import Testing
import Values

/// Each operation of the description, asked by curl, with each of its statuses.
@Suite(.timeLimit(.minutes(3)), .enabled(if: ["curl", "git"].allSatisfy(Machine.has), "needs curl and git"))
struct ServeOperationsTests {
  private static let json = "Content-Type: application/json"
  private static let merge = "Content-Type: application/merge-patch+json"
  private static let anyVersion = "If-Match: *"
  private static let stale = "If-Match: \"stale\""

  /// The statuses that each operation can have. They are tested for all of them together.
  private static let common: Set = [400, 401, 403, 421]
  /// The statuses that need a slow client, a busy server or a full disk, which other tests make.
  private static let rare: Set = [408, 429, 503, 507]

  /// Asks a server, and keeps which statuses its operations had.
  private struct Asked {
    let server: CurledServer
    /// Operations with a status: `GET /items 200`.
    var statuses: Set<String> = []

    init() throws {
      server = try CurledServer(["ada.yaml": "name: Ada\nrating: 1\n", "broken.yaml": "name: Bo\n"])
      try server.folder.shell("head -c 17000000 /dev/zero | tr '\\0' x > huge")
    }

    @discardableResult
    mutating func ask(
      _ status: Int, _ method: String, _ target: String, _ fields: [String] = [], _ body: String? = nil
    ) throws -> CurledServer.Answer {
      let answer = try server.request(method, target, fields, body)
      #expect(answer.status == status, "\(method) \(target): \(answer.body.prefix(2_000))")
      #expect(answer.head.contains("x-content-type-options: nosniff"), "\(method) \(target)")
      let isPage = ["/plain", "/assets", "/"].contains {
        target.hasPrefix($0) && answer.head.contains("text/html")
      }
      if status >= 400, !isPage {
        #expect(answer.head.contains("application/problem+json"), "\(method) \(target)")
      }
      record(method, target, status)
      return answer
    }

    mutating func record(_ method: String, _ target: String, _ status: Int) {
      let path = String(target.prefix { $0 != "?" })
      statuses.insert("\(method) \(path.hasPrefix("/assets/") ? "/assets/{name}" : path) \(status)")
    }

    /// Returns the current tag of an item.
    func tag(_ id: String) throws -> String { try server.request("GET", "/item?id=\(id)").tag }
  }

  /// Returns the operations of the description with their documented statuses.
  private static func documented(_ server: CurledServer) throws -> [String: Set<Int>] {
    let document = try PackedValue(reading: try server.request("GET", "/openapi.json").body, as: .json).value
    var operations: [String: Set<Int>] = [:]
    for (path, item) in document["paths"]?.fields ?? [:] {
      for (method, operation) in item.fields ?? [:] {
        let statuses = (operation["responses"]?.fields ?? [:]).compactMap { Int($0.key) }
        operations["\(method.uppercased()) \(path)"] = Set(statuses)
      }
    }
    return operations
  }

  @Test func `Each operation has each of its documented statuses, and no other one`() throws {
    var asked = try Asked()
    try read(&asked)
    try readPages(&asked)
    try change(&asked)
    try add(&asked)
    try saveView(&asked)
    try refuse(&asked)
    try follow(&asked)
    try readHistory(&asked)
    let operations = try Self.documented(asked.server)
    #expect(operations.count > 20)
    let left = Self.common.union(Self.rare)
    let wanted = operations.flatMap { operation, statuses in
      statuses.subtracting(left).map { "\(operation) \($0)" }
    }
    #expect(Set(wanted).subtracting(asked.statuses).sorted() == [])
    let all = operations.flatMap { operation, statuses in statuses.map { "\(operation) \($0)" } }
    #expect(asked.statuses.subtracting(all).sorted() == [])
    #expect(try asked.server.folder.bytes(of: "data/ada.yaml") == Array("name: Ada\nrating: 2\n".utf8))
    #expect(try Shell.run("ls data", in: asked.server.folder.path) == "ada.yaml\nbob.yaml\nbroken.yaml\n")
  }

  private func read(_ asked: inout Asked) throws {
    let list = try asked.ask(200, "GET", "/items?sort=name&limit=1")
    #expect(list.body.contains("\"count\":1,\"matching\":2,\"total\":2"))
    #expect(try asked.ask(200, "GET", "/items", ["Accept: text/csv"]).body.hasPrefix("id,path,name,rating"))
    #expect(
      try asked.ask(200, "GET", "/items", ["Accept: application/jsonl"]).body.contains(
        "\"type\":\"snapshot\""))
    try asked.ask(304, "GET", "/items?sort=name&limit=1", ["If-None-Match: \(list.tag)"])
    try asked.ask(406, "GET", "/items", ["Accept: image/png"])
    try asked.ask(404, "GET", "/items?view=none")
    #expect(try asked.ask(400, "GET", "/items?where=rating+%3E").body.contains("\"column\":9"))
    for target in ["/item?id=ada", "/item/source?id=ada"] {
      try asked.ask(200, "GET", target)
      try asked.ask(304, "GET", target, ["If-None-Match: \(try asked.tag("ada"))"])
      try asked.ask(404, "GET", target.replacing("=ada", with: "=..%2f..%2fetc%2fpasswd"))
      try asked.ask(400, "GET", target.replacing("=ada", with: "=%00"))
    }
    for target in ["/health", "/fields", "/problems", "/metrics", "/openapi.json"] {
      try asked.ask(200, "GET", target)
    }
  }

  private func readPages(_ asked: inout Asked) throws {
    #expect(try asked.ask(200, "GET", "/plain?sort=name").body.contains("Ada"))
    try asked.ask(400, "GET", "/plain?page=x")
    try asked.ask(404, "GET", "/plain?id=none")
    let page = try asked.ask(200, "GET", "/")
    let asset = page.body.firstMatch(of: /(?:href|src)="(assets\/[^"]*)"/).map { "/\($0.1)" } ?? ""
    try asked.ask(304, "GET", "/", ["If-None-Match: \(page.tag)"])
    try asked.ask(304, "GET", asset, ["If-None-Match: \(try asked.ask(200, "GET", asset).tag)"])
    try asked.ask(404, "GET", "/assets/none")
    let url = try PackedValue(
      reading: try asked.ask(200, "POST", "/session/url", [Self.json], "{}").body, as: .json
    ).value["url"]?.text
    let target = url?.firstMatch(of: /\/session\?.*/).map { String($0.output) } ?? ""
    #expect(try asked.ask(303, "GET", target).head.contains("set-cookie: notes-watch-"))
    try asked.ask(401, "GET", target)
    let other = try PackedValue(
      reading: try asked.server.request("POST", "/session/url", [Self.json], "{}").body, as: .json
    ).value
    let second = other["url"]?.text.firstMatch(of: /\/session\?.*/).map { String($0.output) } ?? ""
    try asked.ask(200, "GET", second, ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"])
    try asked.ask(415, "POST", "/session/url", ["Content-Type: text/plain"], "{}")
  }

  private func change(_ asked: inout Asked) throws {
    let patch = "/item?id=ada"
    let first = try asked.ask(
      200, "PATCH", patch, [Self.merge, "If-Match: \(try asked.tag("ada"))"], "{\"rating\":2}")
    try asked.ask(428, "PATCH", patch, [Self.merge], "{\"rating\":3}")
    try asked.ask(412, "PATCH", patch, [Self.merge, Self.stale], "{\"rating\":3}")
    #expect(
      try asked.ask(415, "PATCH", patch, ["Content-Type: text/plain", Self.anyVersion], "{\"rating\":3}").head
        .contains("accept-patch:"))
    try asked.ask(422, "PATCH", patch, [Self.merge, Self.anyVersion], "[]")
    try asked.ask(404, "PATCH", "/item?id=none", [Self.merge, Self.anyVersion], "{\"rating\":3}")
    // The undo of a change that was made again later is refused, with the difference.
    let token = try PackedValue(reading: first.body, as: .json).value["undo"]?.text ?? ""
    let undone = try asked.ask(200, "POST", "/undo", [Self.json], "{\"undo\":\"\(token)\"}")
    let redo = try PackedValue(reading: undone.body, as: .json).value["undo"]?.text ?? ""
    #expect(try asked.server.folder.bytes(of: "data/ada.yaml") == Array("name: Ada\nrating: 1\n".utf8))
    try asked.ask(200, "PATCH", patch, [Self.merge, Self.anyVersion], "{\"rating\":2}")
    #expect(
      try asked.ask(409, "POST", "/undo", [Self.json], "{\"undo\":\"\(redo)\"}").body.contains("difference"))
    try asked.ask(404, "POST", "/undo", [Self.json], "{\"undo\":\"none\"}")
    try asked.ask(415, "POST", "/undo", ["Content-Type: text/plain"], "{\"undo\":\"none\"}")
  }

  private func add(_ asked: inout Asked) throws {
    try asked.ask(201, "PUT", "/item?id=bob", [Self.json, "If-None-Match: *"], "{\"name\":\"Bob\"}")
    try asked.ask(412, "PUT", "/item?id=bob", [Self.json, "If-None-Match: *"], "{\"name\":\"Bobby\"}")
    try asked.ask(200, "PUT", "/item?id=bob", [Self.json, Self.anyVersion], "{\"name\":\"Bobby\"}")
    try asked.ask(428, "PUT", "/item?id=bob", [Self.json], "{\"name\":\"B\"}")
    try asked.ask(
      415, "PUT", "/item?id=bob", ["Content-Type: text/plain", Self.anyVersion], "{\"name\":\"B\"}")
    try asked.ask(422, "PUT", "/item?id=..%2Fbob", [Self.json, "If-None-Match: *"], "{}")
    let source = "/item/source?id=bob"
    try asked.ask(200, "PUT", source, [Self.json, Self.anyVersion], "{\"source\":\"name: Rob\\n\"}")
    try asked.ask(412, "PUT", source, [Self.json, Self.stale], "{\"source\":\"name: R\\n\"}")
    try asked.ask(
      415, "PUT", source, ["Content-Type: text/plain", Self.anyVersion], "{\"source\":\"name: R\\n\"}")
    try asked.ask(422, "PUT", source, [Self.json, Self.anyVersion], "{\"source\":\"a: [\\n\"}")
    try asked.ask(428, "PUT", source, [Self.json], "{\"source\":\"name: R\\n\"}")
    try asked.ask(
      404, "PUT", "/item/source?id=none", [Self.json, Self.anyVersion], "{\"source\":\"name: R\\n\"}")
    try asked.ask(201, "POST", "/items", [Self.json], "{\"id\":\"eve\",\"value\":{\"name\":\"Eve\"}}")
    try asked.ask(409, "POST", "/items", [Self.json], "{\"id\":\"eve\"}")
    try asked.ask(422, "POST", "/items", [Self.json], "{\"id\":\"../eve\"}")
    try asked.ask(415, "POST", "/items", ["Content-Type: text/plain"], "{\"id\":\"eva\"}")
    try asked.ask(428, "DELETE", "/item?id=eve")
    try asked.ask(412, "DELETE", "/item?id=eve", [Self.stale])
    try asked.ask(200, "DELETE", "/item?id=eve", [Self.anyVersion])
    try asked.ask(404, "DELETE", "/item?id=eve", [Self.anyVersion])
  }

  private func saveView(_ asked: inout Asked) throws {
    let target = "/view?name=best"
    let saved = try asked.ask(200, "PUT", target, [Self.json, Self.anyVersion], "{\"sort\":\"-rating\"}")
    try asked.ask(412, "PUT", target, [Self.json, Self.stale], "{}")
    try asked.ask(428, "PUT", target, [Self.json], "{}")
    try asked.ask(415, "PUT", target, ["Content-Type: text/plain", Self.anyVersion], "{}")
    try asked.ask(404, "PUT", target, [Self.json, Self.anyVersion], "{\"view\":\"none\"}")
    try asked.ask(422, "PUT", "/view?name=", [Self.json, Self.anyVersion], "{}")
    let token = try PackedValue(reading: saved.body, as: .json).value["undo"]?.text ?? ""
    try asked.ask(200, "POST", "/undo", [Self.json], "{\"undo\":\"\(token)\"}")
    #expect((try? asked.server.folder.bytes(of: "data/.notes-watch.yaml")) == nil)
  }

  /// Asks for what a broken file, two files with one id, and a body that is too large do not allow.
  private func refuse(_ asked: inout Asked) throws {
    try asked.server.folder.write("name: [\n", to: "data/broken.yaml")
    try asked.ask(409, "PATCH", "/item?id=broken", [Self.merge, Self.anyVersion], "{\"rating\":3}")
    try asked.ask(200, "GET", "/problem?path=broken.yaml")
    try asked.ask(404, "GET", "/problem?path=ada.yaml")
    try asked.ask(409, "PUT", "/item?id=broken", [Self.json, Self.anyVersion], "{\"name\":\"B\"}")
    try asked.server.folder.shell("echo 'name: T' | tee data/twin.yaml > data/twin.md")
    try asked.ask(
      409, "PUT", "/item/source?id=twin", [Self.json, Self.anyVersion], "{\"source\":\"name: R\\n\"}")
    try asked.ask(409, "DELETE", "/item?id=twin", [Self.anyVersion])
    try asked.server.folder.shell("rm data/twin.*")
    let huge = [
      "POST /items", "PATCH /item?id=ada", "PUT /item?id=ada", "PUT /item/source?id=ada", "POST /undo",
      "POST /stream/views", "PUT /view?name=best",
    ]
    for operation in huge {
      let words = operation.split(separator: " ").map(String.init)
      let arguments = [
        "-X", words[0], "-H", words[0] == "PATCH" ? Self.merge : Self.json, "-H", Self.anyVersion,
        "--data-binary", "@huge",
      ]
      let answer = try asked.server.curl(words[1], arguments)
      #expect(answer.status == 413, "\(operation): \(answer.body)")
      asked.record(words[0], words[1], answer.status)
    }
  }

  private func follow(_ asked: inout Asked) throws {
    try asked.ask(404, "GET", "/stream?view=none")
    let stream = try asked.server.stream("/stream?views=%7B%22a%22%3A%7B%7D%7D", until: "snapshot")
    asked.record("GET", "/stream", stream.text.isEmpty ? 0 : 200)
    let id = stream.text.firstMatch(of: /"stream":"([^"]*)"/).map { String($0.1) } ?? ""
    try asked.ask(
      204, "POST", "/stream/views", [Self.json], "{\"stream\":\"\(id)\",\"views\":{\"b\":{\"limit\":1}}}")
    #expect(try stream.wait(for: ";b=").contains("event: b\n"))
    try asked.ask(404, "POST", "/stream/views", [Self.json], "{\"stream\":\"none\",\"views\":{}}")
    try asked.ask(415, "POST", "/stream/views", ["Content-Type: text/plain"], "{}")
  }

  private func readHistory(_ asked: inout Asked) throws {
    for target in ["/diff", "/item/log?id=ada"] {
      try asked.ask(200, "GET", target)
      try asked.ask(406, "GET", target, ["Accept: image/png"])
    }
    try asked.ask(400, "GET", "/diff?from=--output=x")
    try asked.ask(404, "GET", "/diff?from=none")
    try asked.ask(404, "GET", "/item/log?id=never")
    // A repository that has its commits, and nothing else.
    try asked.server.folder.shell(
      """
      cd data; list=$(git cat-file --batch-all-objects --batch-check='%(objecttype) %(objectname)')
      echo "$list" | sed -n '/^commit/!s|.* \\(..\\)|.git/objects/\\1/|p' | xargs rm -f
      """)
    try asked.ask(409, "GET", "/diff")
    try asked.ask(409, "GET", "/item/log?id=ada")
  }

  @Test func `Each operation refuses clients without a token, other sites, other names and bad escapes`()
    throws
  {
    let server = try CurledServer(["ada.yaml": "name: Ada\n"])
    let operations = try Self.documented(server)
    #expect(operations.count > 20)
    for operation in operations.keys.sorted() {
      let words = operation.split(separator: " ").map(String.init)
      let target = words[1].replacing("{name}", with: "page.css")
      let arguments = ["-X", words[0], "-H", Self.json] + (words[0] == "GET" ? [] : ["--data-binary", "{}"])
      func status(_ more: [String], _ query: String = "?id=ada") throws -> Int {
        try server.curl(target + query, arguments + more).status
      }
      #expect(try status(["-H", "Host: evil.example"]) == 421, "\(operation)")
      #expect(try status(["-H", "Sec-Fetch-Site: cross-site"]) == 403, "\(operation)")
      #expect(try status(["-H", "Origin: https://evil.example"]) == 403, "\(operation)")
      #expect(try status([], "?id=%zz") == 400, "\(operation)")
      if words[1] == "/health" { continue }
      #expect(
        try server.curl(target, arguments, token: "Authorization: Bearer wrong").status == 401, "\(operation)"
      )
    }
    #expect(try server.folder.bytes(of: "data/ada.yaml") == Array("name: Ada\n".utf8))
    #expect(try server.request("GET", "/none").status == 404)
    #expect(try server.request("POST", "/item", [Self.json], "{}").status == 405)
  }
}
