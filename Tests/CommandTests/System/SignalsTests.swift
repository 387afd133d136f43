import Glibc
import Testing

/// It ends as the shell expects.
@Suite(.serialized, .timeLimit(.minutes(3))) struct SignalsTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [[], ["-o", "jsonl"], ["-o", "jsonl", "--", "cat"]])
  func aSignalEndsItByThatSignal(signal: CInt, arguments: [String]) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try NotesWatch.start([folder.path] + arguments)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    kill(program.process, signal)
    #expect(try await program.end().status == .signaled(signal))
  }

  @Test(arguments: [["list"], ["watch"]], ["jsonl", nil])
  func aClosedPipeEndsItBySIGPIPE(command: [String], format: String?) async throws {
    let folder = try TemporaryFolder()
    for number in 0..<600 { try folder.write("text: \(String(repeating: "long ", count: 100))\n", to: "\(number).yaml") }
    let output = format.map { "-o \($0)" } ?? ""
    let status = try await folder.shell(
      """
      mkfifo pipe.tmp; (exec head -n 1 < pipe.tmp > first.tmp) &
      set +e; trap '' INT; \(NotesWatch.path) \(command[0]) . \(output) > pipe.tmp; echo $?
      """)
    #expect(status == "141\n")
  }

  /// A parent that ignores SIGPIPE hands that on.
  @Test func alsoWhereTheParentIgnoresIt() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<600 { try folder.write("text: \(String(repeating: "long ", count: 100))\n", to: "\(number).yaml") }
    let status = try await folder.shell(
      """
      mkfifo pipe.tmp; (exec head -n 1 < pipe.tmp > first.tmp) &
      set +e; trap '' PIPE; \(NotesWatch.path) list . -o jsonl > pipe.tmp; echo $?
      """)
    #expect(status == "141\n")
  }

  /// `nohup`, and a shell that puts a job into the background, have a signal ignored: it stays so.
  @Test(arguments: ["HUP", "INT"])
  func whatWasIgnoredStaysIgnored(signal: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try Program("/bin/sh", ["-c", "trap '' \(signal); exec \(NotesWatch.path) . -o jsonl -- cat"], folder: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    kill(program.process, signal == "HUP" ? SIGHUP : SIGINT)
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
  }

  /// Also where nobody reads what it has written.
  @Test(arguments: ["cat >&2", "echo {} >&2; exec sleep 1000"])
  func aReaderThatStoppedReadingHoldsNothingUp(script: String) async throws {
    let folder = try TemporaryFolder()
    for number in 0..<200 { try folder.write("text: \(String(repeating: "long ", count: 100))\n", to: "\(number).yaml") }
    let program = try Program(
      "/bin/sh", ["-c", "mkfifo pipe.tmp; exec 9<>pipe.tmp; exec \(NotesWatch.path) . -o jsonl -- sh -c '\(script)' > pipe.tmp"],
      folder: folder.path)
    // Until the watch stands, a change is in the snapshot.
    var number = 0
    while program.state.error.isEmpty, program.state.status == nil {
      number += 1
      try await folder.shell("echo 'k: \(number)' > a.yaml")
    }
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
  }

  /// The other end of the pipe goes while a script runs: that ends, too.
  @Test func aClosedPipeEndsTheScript() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try Program(
      "/bin/sh",
      [
        "-c",
        "mkfifo pipe.tmp; (read hello; read snapshot; echo ready >&2; read update) < pipe.tmp & exec \(NotesWatch.path) . -o jsonl -- sh -c 'echo self $$ >&2; exec sleep 1000' > pipe.tmp",
      ],
      folder: folder.path)
    try await program.wait(until: "the snapshot") { $0.errorText.contains("ready\n") }
    try await folder.shell("echo 'k: 2' > a.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("self ") }
    // The reader is gone after that update; the next one finds out.
    try await folder.shell("echo 'k: 3' > a.yaml")
    let end = try await program.end()
    #expect(end.status == .signaled(SIGPIPE))
    let script = try #require(end.errorText.firstMatch(of: /self (\d+)/)?.1)
    #expect(
      try await folder.shell("if [ -d /proc/\(script) ]; then grep State: /proc/\(script)/status || true; fi").wholeMatch(
        of: /(State:.*[ZX].*\n)?/) != nil)
  }

  @Test func aFullDiskIsAnError() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    for arguments in ["list .", "list . -o json", ". -o jsonl", ".", ". -o jsonl -- cat", "get . a"] {
      let text = try await folder.shell("set +e; \(NotesWatch.path) \(arguments) 2>&1 > /dev/full; echo $?")
      #expect(text.hasSuffix("\n74\n") && text.contains("No space left"), "\(arguments): \(text)")
    }
  }
}
