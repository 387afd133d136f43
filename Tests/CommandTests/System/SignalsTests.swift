import Glibc
import Testing

/// It ends as the shell expects.
@Suite(.serialized, .timeLimit(.minutes(3))) struct SignalsTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGQUIT], [[], ["-o", "jsonl"], ["-o", "jsonl", "--", "cat"]])
  func aSignalEndsItByThatSignal(signal: CInt, arguments: [String]) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try NotesWatch.start([folder.path] + arguments)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    kill(program.process, signal)
    #expect(try await program.end().status == .signaled(signal))
  }

  /// A hang-up looks at everything: also at what a second name outside of the folder did, of which no event tells.
  @Test(arguments: [[], ["--", "cat"]])
  func aHangUpRescans(command: [String]) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    try await folder.shell("ln root/a.yaml other")
    let stream = try Program(NotesWatch.path, ["root", "-o", "jsonl"] + command, folder: folder.path)
    try await stream.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await folder.shell("echo 'k: 2' > other")
    kill(stream.process, SIGHUP)
    let state = try await stream.wait(until: "an update") { $0.lineCount >= 3 }
    #expect(try JSON(state.line(2)).changes[0].before == ["k": 1])
    if !command.isEmpty { try await stream.wait(until: "a run") { $0.errorText.contains(#""before":{"k":1}"#) } }
  }

  @Test func aLineOfCountersIsThereForTheAsking() async throws {
    let stream = try WatchedStream(try TemporaryFolder(["a.yaml": "k: 1\n", "d/b.yaml": "k: [\n"]))
    try await stream.begin()
    #expect(try await stream.next().path == "d/b.yaml")
    let first = try await stream.program.counters()
    #expect(
      first == [
        "items": 1, "problems": 1, "watches": 2, "overflows": 0, "rescans": 0, "audits": 0, "finds": 0, "updates": 0, "latency": nil,
        "polling": JSON.bool(false),
      ])
    try await stream.folder.replace("a.yaml", with: "k: 2")
    _ = try await stream.next()
    // It is counted once it is out.
    var last = first
    while last.updates == 0 { last = try await stream.program.counters() }
    #expect(last.items == 1 && last.updates == 1 && last.latency != nil)
  }

  /// A run goes on through signals that are for us alone.
  @Test func aScriptIsNotDisturbed() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try NotesWatch.start(
      [
        folder.path, "--", "sh", "-c",
        "echo begun >&2; touch \(folder.path)/begun.tmp; cat > /dev/null; read line < \(folder.path)/go.tmp; echo \"$line\" >&2",
      ])
    try await folder.shell("mkfifo go.tmp")
    try await listens(program.process, in: folder)
    // Until the watch stands, a change is in the snapshot.
    try await folder.shell("i=0; while ! [ -e begun.tmp ]; do i=$((i+1)); echo \"k: $i\" > a.yaml; sleep 0.1; done")
    for _ in 0..<3 {
      kill(program.process, SIGHUP)
      kill(program.process, SIGUSR1)
    }
    try await folder.shell("echo ended > go.tmp")
    let text = try await program.wait(until: "its end") { $0.errorText.contains("ended\n") }.errorText
    // What changed in the meantime may be in a second run by now.
    #expect(text.contains("begun\n") && !text.contains("failed"))
  }

  /// Returns once a hang-up is no end any more.
  private func listens(_ process: pid_t, in folder: TemporaryFolder) async throws {
    try await folder.shell("while ! grep -q 'SigCgt:.*[13579bdf]$' /proc/\(process)/status; do sleep 0.01; done")
  }

  /// With the terminal that it was started in, it ends.
  @Test(.enabled(if: Machine.has("script")), arguments: ["", "-- cat"])
  func aTerminalThatIsClosedEndsIt(command: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let terminal = try Program(
      "script",
      ["-qec", "sh -c 'echo $$ > .pid; exec \(NotesWatch.path) . \(command)' & sleep 1000", "/dev/null"], folder: folder.path)
    let process = try #require(
      pid_t(try await folder.shell("while ! [ -s .pid ]; do :; done; cat .pid").trimmingPrefix(/\s+/).prefix { $0.isNumber }))
    try await listens(process, in: folder)
    kill(terminal.process, SIGKILL)
    // It is closed some time after that.
    try await folder.shell("while kill -HUP \(process) 2> /dev/null; do sleep 0.05; done")
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
