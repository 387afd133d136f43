import Foundation
import Glibc
import TestSupport
import Testing

/// Clients that break the rules, stop or vanish. Others notice nothing.
@Suite(.serialized, .timeLimit(.minutes(3))) struct HostileClientsTests {
  private let folder: TemporaryFolder
  private let daemon: RunningDaemon

  init() async throws {
    folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    daemon = try await RunningDaemon(folders: [folder.path])
  }

  private var request: String { "{\"v\":1,\"folder\":\"\(folder.path)\"}" }

  /// Connects a client that gets the stream.
  private func client() throws -> (connection: DaemonStream, reader: StreamReader) {
    let connection = try daemon.connect()
    var reader = StreamReader()
    connection.send(line: request)
    try connection.read(into: &reader) { $0.hasSnapshot }
    return (connection, reader)
  }

  /// Checks that a client still gets an edit.
  private func expectService(_ client: (connection: DaemonStream, reader: StreamReader)) async throws {
    var (connection, reader) = client
    let value = Int.random(in: 10 ... .max / 2)
    try await folder.replace("a.yaml", with: "k: \(value)")
    try connection.read(into: &reader) { $0.values["a"]?["k"] as? Int == value }
    #expect(reader.values["a"]?["k"] as? Int == value)
  }

  @Test(arguments: [
    ("x", 501), ("[]", 501), ("\u{0}\u{1B}[31m", 501),
    ("GET /folder HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r", 400), ("GET / HTTP/1.1\r\n\r", 400),
    ("GET relative HTTP/1.1\r\nHost: x\r\n\r", 400),
  ])
  func `rubbish is refused`(line: String, status: Int) async throws {
    let other = try client()
    let hostile = try WebClient(path: daemon.socket)
    hostile.send("\(line)\n\r\n\r\n")
    #expect(try hostile.answer().status == status)
    #expect(try hostile.isAtEnd())
    try await expectService(other)
  }

  @Test(arguments: [
    ("/folder", 400, ""), ("/folder?path=relative", 400, "bad-request"),
    ("/folder?path=/nowhere", 404, "unknown-folder"), ("/status?folder=relative", 400, "bad-request"),
    ("/status?folder=/nowhere", 404, "unknown-folder"), ("/status?x=1", 400, ""), ("/nowhere/items", 404, ""),
  ])
  func `a request for something else is refused`(target: String, status: Int, code: String) async throws {
    let other = try client()
    let hostile = try WebClient(path: daemon.socket)
    hostile.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
    let answer = try hostile.answer()
    #expect(answer.status == status)
    let problem = try JSON(Data(answer.body))
    #expect(problem.detail.string?.isEmpty == false)
    #expect(problem.type == (code.isEmpty ? "about:blank" : .string("urn:notes-watch:problem:\(code)")))
    try await expectService(other)
  }

  @Test func `a program of an earlier version is told to restart the daemon`() async throws {
    let other = try client()
    let old = try SocketClient(daemon.socket)
    old.send(line: "{\"v\":1,\"request\":\"status\"}")
    let answer = try old.nextJSON()
    #expect(answer.type == "error")
    #expect(answer.message.string?.contains("Restart the daemon") == true)
    #expect(try old.nextLine() == nil)
    try await expectService(other)
  }

  @Test func `a head without an end is refused`() async throws {
    let other = try client()
    let hostile = try WebClient(path: daemon.socket)
    hostile.send("GET /\(String(repeating: "x", count: 3 << 20))")
    #expect(try hostile.answer().status >= 400)
    try await expectService(other)
  }

  @Test func `a control line without an end disturbs only its own stream`() async throws {
    let other = try client()
    let hostile = try client()
    hostile.connection.send([UInt8](repeating: UInt8(ascii: "x"), count: 5 << 20))
    try await expectService(other)
    hostile.connection.send(line: "")
    while case let line = try hostile.connection.nextJSON(), line.type != "error" {
      #expect(line.type == "update")
    }
    hostile.connection.send(line: "{\"search\":\"nothing like this\"}")
    var answer = try hostile.connection.nextJSON()
    while answer.origin == "files" { answer = try hostile.connection.nextJSON() }
    #expect(answer.origin == "view")
    #expect(answer.count == 0)
  }

  @Test func `random bytes end no daemon`() async throws {
    let other = try client()
    for seed in Randomness.seeds(30) {
      var random = SeededGenerator(seed: seed)
      let hostile = try SocketClient(daemon.socket)
      if random.oneIn(2) { hostile.send("GET /status HTTP/1.1\r\nHost: x\r\n\r\n".utf8) }
      hostile.send(
        (0..<random.below(3_000)).map { _ in random.oneIn(20) ? 10 : UInt8(truncatingIfNeeded: random.next())
        })
      if random.oneIn(2) { hostile.closeWriting() }
      if random.oneIn(2) { _ = try? hostile.nextLine() }
    }
    try await expectService(other)
    try await daemon.waitUntilStatus("all others are gone") { $0.clients == 2 }
  }

  @Test func `a client that says nothing does not keep the daemon from ending`() async throws {
    let silent = try SocketClient(daemon.socket)
    let half = try SocketClient(daemon.socket)
    half.send("GET /status HTTP/1.1\r\n".utf8)
    try await expectService(try client())
    #expect(try await daemon.stop() == 143)
    _ = try? silent.nextLine()
    _ = try? half.nextLine()
  }

  @Test func `a client whose sending side has ended still gets the stream`() async throws {
    let client = try client()
    client.connection.closeWriting()
    try await expectService(client)
  }

  @Test func `a client that is killed is forgotten`() async throws {
    let program = try BuiltProgram.start(
      [folder.path, "--connect", "-o", "jsonl"], environment: daemon.environment)
    try await program.wait(until: "the snapshot") { $0.lineCount == 2 }
    #expect(try daemon.status().folders[0].clients == 1)
    program.signal(SIGKILL)
    try await daemon.waitUntilStatus("the client is gone") { $0.folders[0].clients == 0 }
    try await expectService(try client())
  }

  @Test func `a client that is stopped gets the newest list when it continues`() async throws {
    let program = try BuiltProgram.start(
      [folder.path, "--connect", "-o", "jsonl"], environment: daemon.environment)
    try await program.wait(until: "the snapshot") { $0.lineCount == 2 }
    program.signal(SIGSTOP)
    let text = String(repeating: "x", count: 200_000)
    for number in 0..<10 {
      try folder.write("{\"k\":\(number),\"t\":\"\(text)\"}", to: "big\(number % 2).json")
      try await expectService(try client())
    }
    let rows = try await ListRows(printedFor: ClientView(), in: folder.path)
    program.signal(SIGCONT)
    let end = try await program.wait(until: "the newest list") { try ListRows(of: $0.stream()) == rows }
    #expect(end.lineCount < 20, "a stalled client gets the difference to the newest list")
  }
}
