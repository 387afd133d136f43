import Foundation
import Glibc
import TestSupport
import Testing

/// `notes-watch serve` as a person and programs use it.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Machine.has("curl"), "needs curl"))
struct ServeCommandTests {
  @Test func `The address has no token where no terminal shows it`() async throws {
    let server = try await RunningWebServer()
    let state = try await server.program.wait(until: "a hint") {
      $0.errorText.contains("Programs use the token in ")
    }
    #expect(state.outputText == "\(server.origin)/\n")
    #expect(!server.program.state.errorText.contains(try server.token()))
  }

  @Test(.enabled(if: Machine.has("script"), "needs script(1)"))
  func `The address on a terminal begins a session`() async throws {
    let folder = try TemporaryFolder(["notes/ada.yaml": "name: Ada\n"])
    let command = "'\(BuiltProgram.path)' serve notes --listen 127.0.0.1:0"
    let program = try Program(
      "/usr/bin/script", ["-qec", command, "/dev/null"],
      environment: ["XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin"],
      folder: folder.path)
    let state = try await program.wait(until: "an address") {
      $0.outputText.firstMatch(of: /token=[0-9a-f]{32}/) != nil
    }
    let url = try #require(state.outputText.firstMatch(of: /http:[^ \r\n]*token=[0-9a-f]{32}/)?.output)
    #expect(try await folder.shell("curl -sS -o /dev/null -w '%{http_code}' '\(url)'") == "303")
    #expect(try await folder.shell("curl -sS -o /dev/null -w '%{http_code}' '\(url)'") == "401")
  }

  @Test func `A session begins with a new address, and a program uses the token`() async throws {
    let server = try await RunningWebServer()
    #expect(try server.status("ORIGIN/items") == 401)
    #expect(try server.status("-H 'Authorization: Bearer TOKEN' ORIGIN/items") == 200)
    let end = try await server.newURL()
    #expect(end.status == .exited(0))
    let url = end.outputText.trimmingCharacters(in: .newlines)
    #expect(try server.status("-c jar '\(url)'") == 303)
    #expect(try server.status("-b jar ORIGIN/items") == 200)
    #expect(try server.status("-b jar -c jar -L ORIGIN/session?token=0") == 401)
  }

  @Test func `Odd requests read and write nothing`() async throws {
    let server = try await RunningWebServer()
    _ = try server.curl("-c jar '\(try await server.newURL().outputText.trimmingCharacters(in: .newlines))'")
    let bearer = "-H 'Authorization: Bearer TOKEN'"
    let cases: [(String, Int)] = [
      ("\(bearer) -H 'Host: evil.example' ORIGIN/items", 421),
      ("\(bearer) -H 'Host: localhost.:\(server.port)' ORIGIN/items", 421),
      ("\(bearer) -H 'Host: 127.0.0.1' ORIGIN/items", 421),
      ("\(bearer) -H 'Host: a@127.0.0.1:\(server.port)' ORIGIN/items", 421),
      ("\(bearer) --request-target http://evil.example/items ORIGIN/", 400),
      ("\(bearer) --request-target //evil.example/items ORIGIN/", 404),
      ("-b jar -H 'Origin: null' ORIGIN/items", 403),
      ("-b jar -H 'Origin: http://evil.example' ORIGIN/items", 403),
      (
        "-b jar -H 'Origin: http://127.0.0.1:1' -H 'Content-Type: application/json' -d '{\"id\":\"b\"}' ORIGIN/items",
        403
      ),
      ("-b jar -H 'Content-Type: application/json' -d '{\"id\":\"b\",\"value\":{}}' ORIGIN/items", 403),
      (
        "-b jar -H 'Origin: ORIGIN' -H 'Content-Type: text/plain' -d '{\"id\":\"b\",\"value\":{}}' ORIGIN/items",
        415
      ),
      ("-b jar -H 'Origin: ORIGIN' -d 'id=b' ORIGIN/items", 415),
      ("-b jar -H 'Origin: ORIGIN' -F id=b ORIGIN/items", 415),
      ("-b jar -H 'Sec-Fetch-Site: cross-site' ORIGIN/items", 403),
      ("-b jar -H 'Sec-Fetch-Site: same-site' ORIGIN/stream", 403),
      ("-b notes-watch-1=TOKEN ORIGIN/items", 401), ("\(bearer) -X TRACE ORIGIN/items", 405),
      ("\(bearer) -H 'Content-Type: application/json' -X OPTIONS ORIGIN/items", 405),
      ("\(bearer) --request-target evil.example:80 -X CONNECT ORIGIN/", 400),
      ("\(bearer) -H 'Content-Length: 1' -H 'Transfer-Encoding: chunked' -d x ORIGIN/items", 400),
    ]
    for (arguments, status) in cases { #expect(try server.status(arguments) == status, "\(arguments)") }
    let head = try server.curl("-b jar -D - -o /dev/null -H 'Origin: null' ORIGIN/items")
    #expect(!head.lowercased().contains("access-control"))
    #expect(head.contains("Content-Security-Policy: default-src 'none'"))
    #expect(try await server.folder.shell("ls notes") == "ada.yaml\n")
  }

  @Test func `A server that only reads changes no files`() async throws {
    let server = try await RunningWebServer(["--read-only"])
    let body =
      "-H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d '{\"id\":\"b\",\"value\":{}}'"
    #expect(try server.status("\(body) ORIGIN/items") == 403)
    #expect(try await server.folder.shell("ls notes") == "ada.yaml\n")
  }

  @Test(arguments: [SIGTERM, SIGINT]) func `A signal ends the server and removes its token`(signal: CInt)
    async throws
  {
    let server = try await RunningWebServer()
    #expect(try await server.folder.shell("ls notes-watch | wc -l") == "1\n")
    server.program.signal(signal)
    #expect(try await server.program.end().status == .signaled(signal))
    #expect(try await server.folder.shell("ls notes-watch | wc -l") == "0\n")
  }

  @Test func `The browser gets a page that no list of processes shows the token of`() async throws {
    let folder = try TemporaryFolder(["notes/ada.yaml": "name: Ada\n"])
    try folder.write(
      """
      #!/bin/sh
      echo "$@" > arguments
      cp "${1#file://}" page; stat -c %a "${1#file://}" > mode
      trap '' PIPE; trap > ignored
      curl -sS -o answer "$(grep -o 'http://[^"]*token=[0-9a-f]*' page | head -n 1)"; ls notes-watch > left; touch done
      """, to: "browser")
    try await folder.shell("chmod +x browser")
    let program = try BuiltProgram.start(
      ["serve", "notes", "--listen", "127.0.0.1:0", "--open"],
      environment: ["XDG_RUNTIME_DIR": folder.path, "BROWSER": "./browser", "PATH": "/usr/bin:/bin"],
      in: folder.path)
    let isDone = try await folder.shell(
      "for i in $(seq 400); do test -e done && break; sleep 0.05; done; test -e done && echo yes")
    #expect(isDone == "yes\n")
    #expect(try await folder.shell("cat arguments").hasPrefix("file:///"))
    #expect(try await !folder.shell("cat arguments").contains("token"))
    #expect(try await folder.shell("cat mode") == "600\n")
    #expect(try await !folder.shell("cat left").contains(".html"))
    program.signal(SIGTERM)
    _ = try await program.end()
  }

  @Test(
    .enabled(if: Machine.canRun("grep -q ^0*1 /proc/net/if_inet6"), "needs the address ::1"),
    arguments: ["[::1]:0", "[0:0::1]:0"])
  func `The server listens on IPv6`(listen: String) async throws {
    let folder = try TemporaryFolder(["notes/ada.yaml": "name: Ada\n"])
    let program = try BuiltProgram.start(
      ["serve", "notes", "--listen", listen], environment: ["XDG_RUNTIME_DIR": folder.path], in: folder.path)
    let state = try await program.wait(until: "an address") { $0.outputText.contains("\n") }
    let address = state.outputText.trimmingCharacters(in: .newlines)
    #expect(address.hasPrefix("http://[::1]:"))
    #expect(try await folder.shell("curl -sS '\(address)health'") == "{\"status\":\"ok\"}\n")
    program.signal(SIGTERM)
    _ = try await program.end()
  }

  @Test(arguments: [(64, "There are already 32 connections"), (20, "The server has too many open files.")])
  func `A server with few descriptors refuses clients, and recovers when they leave`(
    descriptors: Int, reason: String
  ) async throws {
    let folder = try TemporaryFolder(["notes/ada.yaml": "name: Ada\n"])
    let command = "ulimit -n \(descriptors); exec '\(BuiltProgram.path)' serve notes --listen 127.0.0.1:0"
    let program = try Program(
      "/bin/sh", ["-c", command], environment: ["XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin"],
      folder: folder.path)
    let state = try await program.wait(until: "an address") { $0.outputText.contains("\n") }
    let port = try #require(
      state.outputText.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) })
    var clients = try (0..<200).map { _ in try WebClient(port: port) }
    _ = try await program.wait(until: "a refusal") {
      $0.errorText.contains("Further connections are refused: \(reason)")
    }
    // The first ones have places, and are answered while others wait.
    let request = "GET /health HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    clients[0].send(request)
    #expect(try clients[0].answer().status == 200)
    clients = []
    let health =
      "curl -sSf --max-time 30 --retry 20 --retry-all-errors --retry-delay 1 http://127.0.0.1:\(port)/health"
    #expect(try await folder.shell(health) == "{\"status\":\"ok\"}\n")
    program.signal(SIGTERM)
    let end = try await program.end()
    #expect(end.status == .signaled(SIGTERM))
    #expect(end.errorText.components(separatedBy: "are refused").count == 2)
  }

  @Test func `A server with few descriptors answers each request, and no item is gone for lack of one`()
    async throws
  {
    let folder = try TemporaryFolder(["notes/ada.yaml": "name: Ada\n"])
    let command =
      "ulimit -n 30; exec '\(BuiltProgram.path)' serve notes --listen 127.0.0.1:0 --token-file token"
    let program = try Program(
      "/bin/sh", ["-c", command], environment: ["XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin"],
      folder: folder.path)
    let state = try await program.wait(until: "an address") { $0.outputText.contains("\n") }
    let port = try #require(
      state.outputText.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) })
    let token = try String(decoding: folder.bytes(of: "token"), as: UTF8.self).trimmingCharacters(
      in: .newlines)
    let request =
      "GET /item?id=ada HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n\r\n"
    // They stay connected.
    let clients = try (0..<40).map { _ in try WebClient(port: port) }
    for client in clients { client.send(request) }
    let statuses = try clients.map { try $0.answer().status }
    #expect(Set(statuses).isSubset(of: [200, 503]), "\(statuses)")
    #expect(statuses.contains(503))
    program.signal(SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
  }

  @Test func `A session survives a restart, and the page of a browser without one names the command`()
    async throws
  {
    let folder = try TemporaryFolder(["notes/ada.yaml": "name: Ada\n", "it's/a": ""])
    let environment = [
      "XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path + "/state", "PATH": "/usr/bin:/bin",
    ]
    func start(_ listen: String) async throws -> (Program, Int) {
      let program = try BuiltProgram.start(
        ["serve", "notes", "--listen", listen, "--token-file", "it's/token"], environment: environment,
        in: folder.path)
      let state = try await program.wait(until: "an address") { $0.outputText.contains("\n") }
      return (
        program,
        try #require(state.outputText.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) })
      )
    }
    let (first, port) = try await start("127.0.0.1:0")
    let page = try await folder.shell("curl -sS -H 'Accept: text/html' http://127.0.0.1:\(port)/")
    #expect(page.contains("<style nonce="))
    let command = try #require(
      try await folder.shell("curl -sS http://127.0.0.1:\(port)/items | jq -r .command").split(
        separator: "\n"
      ).first)
    #expect(command.contains("--token-file"))
    let pasted = command.replacing("notes-watch ", with: "'\(BuiltProgram.path)' ", maxReplacements: 1)
    let shell = environment.map { "export \($0.key)='\($0.value)'; " }.joined()
    let url = try await folder.shell("\(shell) cd /; \(pasted)").trimmingCharacters(in: .newlines)
    #expect(try await folder.shell("curl -sS -c jar -o /dev/null -w '%{http_code}' '\(url)'") == "303")
    let items = "curl -sS -b jar -o /dev/null -w '%{http_code}' http://127.0.0.1:\(port)/items"
    first.signal(SIGTERM)
    _ = try await first.end()
    let (second, _) = try await start("127.0.0.1:\(port)")
    #expect(try await folder.shell(items) == "200")
    second.signal(SIGTERM)
    _ = try await second.end()
    try await folder.shell("rm \"it's/token\"")
    let (third, _) = try await start("127.0.0.1:\(port)")
    #expect(try await folder.shell(items) == "401")
    third.signal(SIGTERM)
    _ = try await third.end()
  }

  @Test func `The help names the usual address`() async throws {
    #expect(try await BuiltProgram.run("serve", "--help").outputText.contains("127.0.0.1:7747)"))
  }

  @Test func `Mistakes have a sentence and an exit code`() async throws {
    let server = try await RunningWebServer()
    let cases: [([String], CInt, String)] = [
      (
        ["serve", "notes", "--listen", "127.0.0.1:\(server.port)"], 69,
        "Another program listens on 127.0.0.1:\(server.port)."
      ),
      (
        ["serve", "notes", "--listen", "203.0.113.1:0", "--origin", "https://a", "--token-file", "t"], 69,
        "does not have the address"
      ),
      (["serve", "notes", "--listen", "0.0.0.0:0"], 64, "Give --origin URL and --token-file FILE, too."),
      (["serve", "notes", "--listen", "nowhere"], 64, "`nowhere` is not an IP address with a port."),
      (["serve", "notes", "--listen", "notes.example:80"], 64, "is not an IP address"),
      (["serve", "notes", "--listen", "127.0.0.1:65536"], 64, "is not an IP address with a port"),
      (["serve", "notes", "--listen", "[::1"], 64, "--listen"),
      (["serve", "notes", "--listen", "::1:80"], 64, "[::1]:7747"),
      (["serve", "notes", "--listen", "127.1:80"], 64, "--listen"),
      (["serve", "notes", "--listen", ":80"], 64, "--listen"),
      (["serve", "missing", "--listen", "127.0.0.1:\(server.port)"], 69, "Another program listens on"),
      (["serve", "notes", "--origin", "https://a/b"], 64, "is not the address of a site"),
      (["serve"], 64, "DIR"),
      (["serve", "--url", "notes"], 64, "Leave out DIR"),
      (["serve", "missing", "--listen", "127.0.0.1:0"], 66, "missing"),
      (["serve", "--url", "--listen", "127.0.0.1:1"], 69, "No server listens on port 1."),
      (["serve", "notes", "--listen", "127.0.0.1:0", "--token-file", "notes/ada.yaml"], 77, "token"),
    ]
    for (arguments, code, message) in cases {
      let end = try await BuiltProgram.start(
        arguments, environment: ["XDG_RUNTIME_DIR": server.folder.path], in: server.folder.path
      ).end()
      #expect(end.status == .exited(code), "\(arguments)")
      #expect(end.errorText.contains(message), "\(end.errorText)")
      #expect(end.output.isEmpty)
    }
  }
}
