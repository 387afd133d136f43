import HTTPTypes
import Serve
import TestSupport
import Testing
import Values

/// Which requests reach the routes.
@Suite struct AccessGuardTests {
  private static let bearer: (HTTPField.Name, String) = (.authorization, "Bearer \(GuardedServer.bearer)")
  private static let json: (HTTPField.Name, String) = (.contentType, "application/json")
  private static let site = HTTPField.Name("Sec-Fetch-Site")!
  private static let mode = HTTPField.Name("Sec-Fetch-Mode")!

  @Test(arguments: [
    "127.0.0.1:7747", "localhost:7747", "LOCALHOST:7747", "notes.example", "notes.example:443",
    "notes.example:8080",
  ])
  func `A request to one of the server's names is answered`(host: String) async throws {
    let server = GuardedServer(
      origins: ["https://notes.example/", "http://notes.example:8080"].compactMap(WebOrigin.init(parsing:)))
    #expect(try await server.send(.get, "/items", host: host, [Self.bearer]).status == 200)
  }

  @Test(arguments: [
    nil, "", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:7748", "localhost.:7747", "localhost:7747.",
    "127.0.0.1:07747", "127.1:7747",
    "2130706433:7747", "0x7f.1:7747", "[::1]:7747", "0.0.0.0:7747", "evil.example:7747", "evil.example",
    "a@127.0.0.1:7747",
    "127.0.0.1:7747@evil.example", "127.0.0.1:7747, evil.example", "127.0.0.1:7747/", "127.0.0.1:7747#",
    "ⓛocalhost:7747",
  ])
  func `A request to another name is refused, whatever it knows`(host: String?) async throws {
    let server = GuardedServer()
    try await server.begin()
    for target in ["/items", "/health", "/", "/session?token=\(server.tokens.makeOneTimeToken())"] {
      #expect(try await server.send(.get, target, host: host, [Self.bearer, server.cookie]).status == 421)
    }
    #expect(server.answered == 0)
  }

  @Test(arguments: [
    "notes.example:80", "notes.example:8443", "notes.example:443:443", "notes.example:0443",
    "other.example:443",
  ])
  func `Only the usual port of an origin may be written out`(host: String) async throws {
    let server = GuardedServer(
      origins: ["https://notes.example", "http://other.example:8080"].compactMap(WebOrigin.init(parsing:)))
    #expect(try await server.send(.get, "/items", host: host, [Self.bearer]).status == 421)
    #expect(try await server.send(.get, "/items", host: "other.example:8080:80", [Self.bearer]).status == 421)
  }

  @Test(arguments: [
    "null", "", "http://evil.example", "http://127.0.0.1:7748", "https://127.0.0.1:7747", "http://127.0.0.1",
    "http://127.0.0.1:7747/",
    "http://127.0.0.1:7747.evil.example", "http://localhost.:7747",
    "http://127.0.0.1:7747 http://evil.example", "file://",
    "chrome-extension://abc",
  ])
  func `A page of another origin is refused`(origin: String) async throws {
    let server = GuardedServer()
    try await server.begin()
    for method in [HTTPRequest.Method.get, .post, .patch, .delete, .options] {
      #expect(
        try await server.send(method, "/items", [(.origin, origin), server.cookie, Self.json]).status == 403)
    }
    #expect(server.answered == 0)
  }

  @Test(arguments: ["cross-site", "same-site", "", "other"]) func `A request of another site is refused`(
    site: String
  ) async throws {
    let server = GuardedServer()
    try await server.begin()
    for target in ["/items", "/stream", "/assets/page.js", "/health"] {
      #expect(
        try await server.send(.get, target, [(Self.site, site), server.cookie, Self.bearer]).status == 403)
    }
    #expect(server.answered == 0)
  }

  @Test func `A link cannot end its attribute by a mark that combines with a quotation mark`() async throws {
    let server = GuardedServer()
    let answer = try await server.send(
      .get, "/?a=\"\u{338}x=\"\u{338}", [(Self.site, "cross-site"), (Self.mode, "navigate")])
    #expect(answer.text.utf8.contains("&quot;".utf8))
    #expect(!answer.text.utf8.contains("\"\u{338}".utf8))
  }

  @Test func `A link of another site leads to a page with a link`() async throws {
    let server = GuardedServer()
    for target in ["/?where=a%20%3C%20%22b%22", "/plain?page=2"] {
      let answer = try await server.send(.get, target, [(Self.site, "cross-site"), (Self.mode, "navigate")])
      #expect(answer.status == 403)
      #expect(answer.type == "text/html; charset=utf-8")
      #expect(answer.text.contains("<a href=\"\(target)\">"))
    }
    for target in ["//evil.example/", "/items"] {
      #expect(
        try await server.send(.get, target, [(Self.site, "cross-site"), (Self.mode, "navigate")]).type
          == "application/problem+json")
    }
    #expect(server.answered == 0)
  }

  @Test func `Without a token or a session only the health is answered`() async throws {
    let server = GuardedServer()
    #expect(try await server.send(.get, "/health").status == 200)
    let wrong: [[(HTTPField.Name, String)]] = [
      [], [(.authorization, "Bearer ")], [(.authorization, "Bearer 0")],
      [(.authorization, "Basic \(GuardedServer.bearer)")],
      [(.authorization, GuardedServer.bearer)], [(.cookie, "notes-watch-7747=")],
      [(.cookie, "notes-watch-7747=\(GuardedServer.bearer)")],
      [(.authorization, "Bearer \(GuardedServer.bearer.dropLast())0")],
    ]
    for fields in wrong {
      let answer = try await server.send(.get, "/items", fields)
      #expect(answer.status == 401)
      #expect(answer.json["command"]?.text == "notes-watch serve --url")
      #expect(answer.fields[.wwwAuthenticate] == "Bearer")
    }
    #expect(server.answered == 1)
  }

  @Test func `A cookie of another port is not a session`() async throws {
    let server = GuardedServer()
    try await server.begin()
    let value = server.cookie.1.split(separator: "=").last ?? ""
    #expect(try await server.send(.get, "/items", [(.cookie, "notes-watch-7748=\(value)")]).status == 401)
    #expect(
      try await server.send(
        .get, "/items", [(.cookie, "notes-watch-7747=x"), (.cookie, "notes-watch-7747=\(value)")]
      ).status == 200)
  }

  @Test func `A browser without a session gets a page that says what to run`() async throws {
    let answer = try await GuardedServer().send(.get, "/", [(.accept, "text/html,*/*;q=0.8")])
    #expect(answer.status == 401)
    #expect(answer.text.contains("<code>notes-watch serve --url</code>"))
  }

  @Test func `A one-time token begins one session`() async throws {
    let server = GuardedServer()
    let target = "/session?token=\(server.tokens.makeOneTimeToken())"
    #expect(try await server.send(.head, target).status == 405)
    #expect(
      try await server.send(.get, target, [(Self.site, "cross-site"), (Self.mode, "no-cors")]).status == 403)
    let answer = try await server.send(.get, target)
    #expect(answer.status == 303)
    #expect(answer.fields[.location] == "/")
    let cookie = try #require(answer.fields[.setCookie])
    #expect(cookie.hasPrefix("notes-watch-7747="))
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    #expect(try await server.send(.get, target).status == 401)
  }

  @Test func `A token of a file leads on by a page, since the browser would leave out the cookie`()
    async throws
  {
    let server = GuardedServer()
    let token = server.tokens.makeOneTimeToken()
    let answer = try await server.send(
      .get, "/session?token=\(token)", [(Self.site, "cross-site"), (Self.mode, "navigate")])
    #expect(answer.status == 200)
    #expect(answer.text.contains("content=\"0; url=/\""))
    #expect(!answer.text.contains(token))
  }

  @Test func `A token is valid for a minute`() async throws {
    let server = GuardedServer()
    let tokens = (0..<2).map { _ in server.tokens.makeOneTimeToken() }
    server.clock.advance(by: .seconds(59))
    #expect(try await server.send(.get, "/session?token=\(tokens[0])").status == 303)
    server.clock.advance(by: .seconds(2))
    #expect(try await server.send(.get, "/session?token=\(tokens[1])").status == 401)
  }

  @Test func `Tokens are bounded in number`() async throws {
    let server = GuardedServer()
    let tokens = (0..<33).map { _ in server.tokens.makeOneTimeToken() }
    #expect(try await server.send(.get, "/session?token=\(tokens[0])").status == 401)
    #expect(try await server.send(.get, "/session?token=\(tokens[1])").status == 303)
  }

  @Test(arguments: [
    "//evil.example", "https://evil.example", "/%5Cevil.example", "evil", "", "/a%0d%0ab",
    "%09//evil.example", "/%09/evil.example",
  ])
  func `A session leads to no other site`(target: String) async throws {
    let server = GuardedServer()
    let answer = try await server.send(
      .get, "/session?token=\(server.tokens.makeOneTimeToken())&to=\(target)")
    #expect(answer.status == 400)
    #expect(answer.fields[.location] == nil)
  }

  @Test func `A session leads to a page of the server`() async throws {
    let server = GuardedServer()
    let answer = try await server.send(
      .get, "/session?token=\(server.tokens.makeOneTimeToken())&to=%2Fplain%3Fsort%3D-a")
    #expect(answer.fields[.location] == "/plain?sort=-a")
  }

  @Test func `The cookie of a page with https is secure`() async throws {
    let server = GuardedServer(origins: [try #require(WebOrigin(parsing: "https://notes.example"))])
    let answer = try await server.send(
      .get, "/session?token=\(server.tokens.makeOneTimeToken())", host: "notes.example")
    #expect(answer.fields[.setCookie]?.hasSuffix("; Secure") == true)
  }

  @Test func `A new URL needs a session or a token`() async throws {
    let server = GuardedServer()
    #expect(try await server.send(.post, "/session/url", [Self.json]).status == 401)
    let answer = try await server.send(.post, "/session/url", [Self.json, Self.bearer])
    let url = try #require(answer.json["url"]?.text)
    #expect(url.hasPrefix("http://127.0.0.1:7747/session?token="))
    #expect(try await server.send(.get, String(url.dropFirst("http://127.0.0.1:7747".count))).status == 303)
    #expect(try await server.send(.get, "/session/url", [Self.bearer]).status == 405)
  }

  @Test(arguments: [
    nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a",
    "application/json5", "text/json",
  ])
  func `A change without JSON is refused`(type: String?) async throws {
    let server = GuardedServer()
    try await server.begin()
    let fields =
      [(.origin, "http://127.0.0.1:7747"), server.cookie]
      + (type.map { [(HTTPField.Name.contentType, $0)] } ?? [])
    for method in [HTTPRequest.Method.post, .put, .patch] {
      let answer = try await server.send(method, "/item", fields)
      #expect(answer.status == 415)
      #expect(
        answer.fields[HTTPField.Name("Accept-Patch")!]
          == (method == .patch ? "application/merge-patch+json" : nil))
    }
    #expect(server.answered == 0)
  }

  @Test func `A change with a cookie says which page sent it`() async throws {
    let server = GuardedServer()
    try await server.begin()
    #expect(try await server.send(.post, "/items", [server.cookie, Self.json]).status == 403)
    #expect(try await server.send(.delete, "/item", [server.cookie]).status == 403)
    let own: (HTTPField.Name, String) = (.origin, "http://localhost:7747")
    #expect(try await server.send(.post, "/items", [server.cookie, Self.json, own]).status == 200)
    #expect(try await server.send(.delete, "/item", [server.cookie, own]).status == 200)
    #expect(
      try await server.send(
        .post, "/items", [Self.bearer, (.contentType, "Application/JSON; charset=utf-8")]
      ).status == 200)
  }

  @Test func `A server that only reads refuses changes of files`() async throws {
    let server = GuardedServer(isReadOnly: true)
    for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
      let answer = try await server.send(method, "/item?id=a", [Self.bearer, Self.json])
      #expect(answer.status == 403)
      #expect(answer.problem == "read-only")
    }
    #expect(server.answered == 0)
    #expect(try await server.send(.post, "/stream/views", [Self.bearer, Self.json]).status == 200)
    #expect(try await server.send(.get, "/items", [Self.bearer]).status == 200)
  }
}
