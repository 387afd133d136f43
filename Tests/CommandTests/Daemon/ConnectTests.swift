import Foundation
import Glibc
import TestSupport
import Testing

/// The commands that ask the daemon: their output, messages and exit codes.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ConnectTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(["a.yaml": "k: 1\nuid: x\n", "b.yaml": "k: 2\nuid: y\n"])
  }

  private func run(_ arguments: String..., daemon: RunningDaemon) async throws -> Program.State {
    try await BuiltProgram.start(arguments, environment: daemon.environment, in: folder.path).end()
  }

  @Test(arguments: [
    ["list", ".", "--connect"], [".", "--connect"], ["status"], ["status", "."], ["retry", ".", "site"],
  ])
  func `without a daemon the program says how to start one`(arguments: [String]) async throws {
    let end = try await BuiltProgram.start(
      arguments, environment: ["NOTES_WATCH_SOCKET": "\(folder.path)/none"], in: folder.path
    ).end()
    #expect(end.status == .exited(69))
    #expect(end.outputText.isEmpty)
    #expect(end.errorText.contains("notes-watch daemon"))
    #expect(end.errorText.contains("systemctl --user enable --now notes-watch.socket"))
  }

  @Test func `a relative path of the socket is refused`() async throws {
    let end = try await BuiltProgram.run("status", environment: ["NOTES_WATCH_SOCKET": "here"])
    #expect(end.status == .exited(69))
    #expect(end.errorText.contains("NOTES_WATCH_SOCKET") || end.errorText.contains("absolute"))
  }

  @Test(arguments: [
    ["--settle", "1s"], ["--max-wait", "1s"], ["--poll"], ["--audit", "1m"], ["--no-audit"], ["--no-cache"],
    ["--state", "x"],
    ["--state", "x", "--once"], ["--once"], ["--", "true"], ["--since", "t"],
  ])
  func `an option that the daemon decides is refused`(options: [String]) async throws {
    let end = try await BuiltProgram.start([".", "--connect"] + options, in: folder.path).end()
    #expect(end.status == .exited(64))
    #expect(end.errorText.contains("--connect"), "\(end.errorText)")
    #expect(end.errorText.contains(options[0] == "--" ? "COMMAND" : options[0]), "\(end.errorText)")
  }

  @Test func `ids and limits must agree with the daemon`() async throws {
    let daemon = try RunningDaemon("folders:\n  - {path: \(folder.path), id-field: uid, max-size: 1M}\n")
    try await daemon.waitUntilOpen()
    for options in [
      [], ["--id-field", "uid"], ["--max-size", "1M"], ["--max-size", "1024K", "--id-field", "uid"],
    ] {
      let command = ["list", ".", "-o", "id", "--connect"] + options
      let end = try await BuiltProgram.start(command, environment: daemon.environment, in: folder.path).end()
      #expect(end.outputText == "x\ny\n", "\(options) \(end.errorText)")
    }
    for options in [["--id-field", "k"], ["--max-size", "2M"]] {
      for command in [["list", "."], ["."], [".", "-o", "jsonl"]] {
        let end = try await BuiltProgram.start(
          command + ["--connect"] + options, environment: daemon.environment, in: folder.path
        ).end()
        #expect(end.status == .exited(64))
        #expect(end.outputText.isEmpty)
        #expect(end.errorText.contains(options[0].dropFirst(2)), "\(end.errorText)")
      }
    }
  }

  @Test func `a predicate without its quotes is refused as by list`() async throws {
    let daemon = try await RunningDaemon(folders: [folder.path])
    let connected = try await run("list", ".", "--connect", "-o", "id", "--where", "uid = x", daemon: daemon)
    let list = try await run("list", ".", "-o", "id", "--where", "uid = x", daemon: daemon)
    #expect(connected.status == .exited(65))
    #expect(connected.output.isEmpty)
    #expect(connected.errorText == list.errorText)
  }

  @Test func `refusals have exit codes`() async throws {
    let daemon = try await RunningDaemon(folders: [folder.path])
    #expect(try await run("list", "/", "--connect", daemon: daemon).status == .exited(66))
    #expect(try await run("list", ".", "--connect", "--view", "none", daemon: daemon).status == .exited(78))
    #expect(
      try await run(".", "--connect", "-o", "jsonl", "--view", "none", daemon: daemon).status == .exited(78))
    #expect(try await run("status", "/", daemon: daemon).status == .exited(66))
    #expect(try await run("retry", ".", "none", daemon: daemon).status == .exited(66))
    #expect(try await run("list", ".", "--connect", "--no-cache", daemon: daemon).status == .exited(64))
  }

  @Test func `a folder that is missing at the start is waited for`() async throws {
    let later = "\(folder.path)/later"
    let daemon = try RunningDaemon("folders:\n  - path: \(folder.path)\n  - path: \(later)\n")
    try await daemon.waitUntilStatus("one folder waits") { $0.folders[1].state == "waiting" }
    let end = try await run("list", later, "--connect", daemon: daemon)
    #expect(end.status == .exited(75))
    #expect(end.errorText.contains(later), "\(end.errorText)")
    try await folder.shell("mkdir later; echo 'k: 3' > later/c.yaml")
    try await daemon.waitUntilOpen()
    #expect(try await run("list", later, "--connect", "-o", "id", daemon: daemon).outputText == "c\n")
  }

  @Test(arguments: ["mv data away", "mv data away; touch data", "mv data away; ln -s data data"])
  func `a folder that is gone is an error, and its lists stay until it is back`(removal: String) async throws
  {
    let folder = try TemporaryFolder(["data/a.yaml": "k: 1\n", "data/b.yaml": "k: 2\n"])
    let daemon = try await RunningDaemon(folders: ["\(folder.path)/data"])
    func list(_ words: [String] = []) async throws -> Program.State {
      try await BuiltProgram.start(
        ["list", "data", "--connect", "-o", "id"] + words, environment: daemon.environment, in: folder.path
      )
      .end()
    }
    let stream = try BuiltProgram.start(
      ["data", "--connect", "-o", "jsonl"], environment: daemon.environment, in: folder.path)
    try await stream.wait(until: "the snapshot") { $0.lineCount == 2 }
    try await folder.shell(removal)
    let end = try await list()
    #expect(end.status == .exited(66), "\(end.errorText)")
    #expect(end.outputText.isEmpty)
    #expect(end.errorText.contains("\(folder.path)/data"), "\(end.errorText)")
    try await daemon.waitUntilStatus("the folder is missing") {
      $0.folders[0].state == "missing" && $0.folders[0].items == 2
    }
    let missing = try await stream.wait(until: "the state of the folder") { $0.lineCount == 3 }
    #expect(try JSON(Data(missing.line(2))).missing == true)
    try await folder.shell("rm -f data; rm away/a.yaml; echo 'k: 3' > away/b.yaml; mv away data")
    #expect(try await list(["--fields", "k"]).outputText == "b\n")
    let back = try await stream.wait(until: "the difference") { $0.outputText.contains("cleared") }
    let update = try JSON(Data(back.line(3)))
    #expect(update.changes.list.map(\.op) == ["delete", "update"])
    #expect(update.changes[1].value.k == 3)
    try await daemon.waitUntilStatus("the folder is open") {
      $0.folders[0].state == "open" && $0.folders[0].items == 1
    }
  }

  @Test func `hints come in the order of list`() async throws {
    let daemon = try await RunningDaemon(folders: [folder.path])
    let words = [
      "--sort", "s1,-s2", "--section", "x", "--where", "q = 1 OR p = 1 OR ANY z.y = 2 OR o = 3 OR p = 4",
      "--fields", "f2,f1,k",
    ]
    func run(_ words: [String]) async throws -> Program.State {
      try await BuiltProgram.start(["list", "."] + words, environment: daemon.environment, in: folder.path)
        .end()
    }
    let (own, connected) = (try await run(words), try await run(words + ["--connect"]))
    #expect(own.errorText == connected.errorText)
    let fields = own.errorText.split(separator: "\n").compactMap {
      $0.split(separator: "`").dropFirst().first.map(String.init)
    }
    #expect(Array(fields.prefix(7)) == ["s1", "s2", "x", "q", "p", "z.y", "o"], "\(own.errorText)")
  }

  @Test func `a list contains everything that was written before`() async throws {
    let daemon = try await RunningDaemon(folders: [folder.path])
    for number in 0..<20 {
      try folder.write("k: \(number)\n", to: "a.yaml")
      let end = try await run("list", ".", "--connect", "-o", "csv", "--fields", "k", daemon: daemon)
      #expect(
        end.outputText.split(whereSeparator: \.isNewline).contains { $0.hasSuffix(",\(number)") },
        "\(end.outputText)")
    }
  }

  @Test(arguments: [SIGTERM, SIGKILL]) func `a stream ends complete with the daemon`(signal: CInt)
    async throws
  {
    let daemon = try await RunningDaemon(folders: [folder.path])
    let stream = try BuiltProgram.start(
      [".", "--connect", "-o", "jsonl"], environment: daemon.environment, in: folder.path)
    let text = try BuiltProgram.start([".", "--connect"], environment: daemon.environment, in: folder.path)
    try await stream.wait(until: "the snapshot") { $0.lineCount == 2 }
    try await text.wait(until: "the list") { $0.outputText.contains("Watching") }
    daemon.signal(signal)
    for program in [stream, text] {
      let end = try await program.end()
      #expect(end.status == .exited(69))
      #expect(end.output.last == UInt8(ascii: "\n"))
      #expect(end.errorText.contains("daemon"))
    }
    #expect(try ListRows(of: stream.state.stream()).rows.map(\.id) == ["a", "b"])
    _ = try await daemon.end()
  }

  @Test func `control lines and tokens work as without the daemon`() async throws {
    let daemon = try await RunningDaemon(folders: [folder.path])
    let first = try BuiltProgram.start(
      [".", "--connect", "-o", "jsonl", "--control"], environment: daemon.environment, in: folder.path,
      hasInput: true)
    try await first.wait(until: "the snapshot") { $0.lineCount == 2 }
    first.write("{\"sort\":[\"-k\"]}\n{\"srot\":1}\n{\"search\":\"y\"}")
    first.closeInput()
    let lines = try await first.wait(until: "three answers") { $0.lineCount == 5 }
    #expect(try JSON(Data(lines.line(2))).cause == "view")
    #expect(try JSON(Data(lines.line(3))).code == "bad-control")
    #expect(try JSON(Data(lines.line(4))).count == 1)

    let second = try BuiltProgram.start(
      [".", "--connect", "-o", "jsonl"], environment: daemon.environment, in: folder.path)
    let token =
      try JSON(Data(try await second.wait(until: "the snapshot") { $0.lineCount == 2 }.line(1))).token.string
      ?? ""
    second.signal(SIGTERM)
    try await folder.replace("a.yaml", with: "k: 7")
    let third = try BuiltProgram.start(
      [".", "--connect", "-o", "jsonl", "--since", token], environment: daemon.environment, in: folder.path)
    let resumed = try await third.wait(until: "the update") { $0.lineCount == 2 }
    #expect(try JSON(Data(resumed.line(0))).since.string == token)
    #expect(try JSON(Data(resumed.line(1))).changes[0].value.k == 7)
  }

  @Test func `a connected watch ends when its reader is gone`() async throws {
    let daemon = try await RunningDaemon(folders: [folder.path])
    for options in ["-o jsonl", "-o text"] {
      let text = try await Program(
        "/bin/sh", ["-c", "{ '\(BuiltProgram.path)' . --connect \(options); echo $? >&2; } | head -1"],
        environment: daemon.environment,
        folder: folder.path
      ).end()
      #expect(text.errorText.contains("141"), "\(text.errorText)")
    }
  }

  @Test func `status and retry print what the daemon knows`() async throws {
    let daemon = try RunningDaemon(
      """
      folders:
        - path: \(folder.path)
          sinks:
            - {name: bad, run: [sh, -c, "echo 'no \\e[31m luck'; exit 3"], on-error: retry, max-failures: 1}
            - {name: log, file: \(daemonFile)}

      """)
    // A new sink gets what changes after its first list.
    try await daemon.waitUntilStatus("each sink has its list") { status in
      let sinks = status.folders[0].sinks.list
      return sinks.count == 2 && sinks.allSatisfy { $0.seq.int == 1 }
    }
    try await folder.replace("a.yaml", with: "k: 7")
    try await daemon.waitUntilStatus("the sink is parked") { $0.folders[0].sinks[0].state == "parked" }
    let table = try await run("status", ".", daemon: daemon)
    #expect(table.status == .exited(0))
    #expect(
      table.outputText.contains("\n\(folder.path)\n  open, 2 items, 0 problems, 0 clients\n"),
      "\(table.outputText)")
    #expect(table.outputText.contains(/\n  bad   run   parked +[0-9]+ +1 .* 3\n/), "\(table.outputText)")
    #expect(table.outputText.contains("| no \\x1b[31m luck\n"), "\(table.outputText)")
    #expect(TerminalSafety.offenders(in: table.outputText).isEmpty)
    let json = try JSON(try await run("status", "-o", "json", daemon: daemon).output)
    #expect(json.type == "status")
    #expect(json.pid.int == Int(daemon.process))
    let failures = json.folders[0].sinks[0].failures.int ?? 0
    #expect(failures >= 1)
    let retry = try await run("retry", ".", "bad", daemon: daemon)
    #expect(retry.status == .exited(0))
    #expect(retry.outputText.isEmpty)
    try await daemon.waitUntilStatus("the sink has failed again") { status in
      let sink = status.folders[0].sinks[0]
      return sink.state == "parked" && sink.output.list.count >= 2
    }
    let unknown = try await run("retry", ".", "bda", daemon: daemon)
    #expect(unknown.status == .exited(66))
    #expect(unknown.errorText.contains("`bad`"), "\(unknown.errorText)")
  }

  private var daemonFile: String { "\(folder.path)/log.jsonl" }
}
