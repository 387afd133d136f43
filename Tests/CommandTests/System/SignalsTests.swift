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

  @Test func aFullDiskIsAnError() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    for arguments in ["list .", "list . -o json", ". -o jsonl", ".", ". -o jsonl -- cat", "get . a"] {
      let text = try await folder.shell("set +e; \(NotesWatch.path) \(arguments) 2>&1 > /dev/full; echo $?")
      #expect(text.hasSuffix("\n74\n") && text.contains("No space left"), "\(arguments): \(text)")
    }
  }
}
