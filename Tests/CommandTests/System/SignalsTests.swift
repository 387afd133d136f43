import Foundation
import Glibc
import TestSupport
import Testing

/// The program handles signals and closed outputs as a shell expects.
@Suite(.serialized, .timeLimit(.minutes(3))) struct SignalsTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGQUIT], [[], ["-o", "jsonl"], ["-o", "jsonl", "--", "cat"]])
  func `a signal ends the program by that signal`(signal: CInt, arguments: [String]) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try BuiltProgram.start([folder.path] + arguments)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    kill(program.process, signal)
    #expect(try await program.end().status == .signaled(signal))
  }

  /// Waiting for a signal opens no file. The program may fail at its start, but it never ignores the
  /// signal and never crashes.
  @Test(arguments: [
    ["serve", ".", "--listen", "0"], ["watch", "."], ["watch", ".", "-o", "jsonl", "--", "cat"],
    ["daemon", "--config", "daemon.config", "--socket", "s"],
  ])
  func `a signal ends a program that may open few files`(arguments: [String]) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "daemon.config": "folders:\n  - path: .\n"])
    for limit in 4...30 {
      let script = "ulimit -n \(limit); exec '\(BuiltProgram.path)' \"$@\""
      let program = try Program("/bin/bash", ["-c", script, "bash"] + arguments, folder: folder.path)
      try await program.wait(until: "it runs or failed") {
        $0.isOver || !$0.output.isEmpty || !$0.error.isEmpty
      }
      kill(program.process, SIGTERM)
      let end = try await program.end()
      #expect(
        ![.exited(0), .signaled(SIGILL), .signaled(SIGTRAP)].contains(end.status),
        "\(limit): \(end.errorText)")
    }
  }

  /// The scan also finds a change through a hard link outside the folder, which no event reports.
  @Test(arguments: [[], ["--", "cat"]])
  func `a hang-up scans the folder again`(command: [String]) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    try await folder.shell("ln root/a.yaml other")
    let stream = try Program(BuiltProgram.path, ["root", "-o", "jsonl"] + command, folder: folder.path)
    try await stream.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await folder.shell("echo 'k: 2' > other")
    kill(stream.process, SIGHUP)
    let state = try await stream.wait(until: "an update") { $0.lineCount >= 3 }
    #expect(try JSON(state.line(2)).changes[0].before == ["k": 1])
    if !command.isEmpty {
      try await stream.wait(until: "a run") { $0.errorText.contains(#""before":{"k":1}"#) }
    }
  }

  @Test func `SIGUSR1 prints a line of counters`() async throws {
    let stream = try WatchRun(try TemporaryFolder(["a.yaml": "k: 1\n", "d/b.yaml": "k: [\n"]))
    try await stream.begin()
    #expect(try await stream.next().path == "d/b.yaml")
    let first = try await stream.program.counters()
    #expect(
      first == [
        "items": 1, "problems": 1, "watches": 2, "overflows": 0, "rescans": 0, "audits": 0, "finds": 0,
        "updates": 0, "hits": 0,
        "misses": 1, "latency": nil,
        "polling": JSON.bool(false),
      ])
    try await stream.folder.replace("a.yaml", with: "k: 2")
    _ = try await stream.next()
    // An update is counted after it was printed.
    var last = first
    while last.updates == 0 { last = try await stream.program.counters() }
    #expect(last.items == 1)
    #expect(last.updates == 1)
    #expect(last.latency != nil)
  }

  @Test func `signals to the program do not disturb a running command`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try BuiltProgram.start(
      [
        folder.path, "--", "sh", "-c",
        "echo begun >&2; touch \(folder.path)/begun.tmp; cat > /dev/null; read line < \(folder.path)/go.tmp; echo \"$line\" >&2",
      ])
    try await folder.shell("mkfifo go.tmp")
    try await waitForHandler(program.process, in: folder)
    // Until the watch has begun, a change is part of the snapshot.
    try await folder.shell(
      "i=0; while ! [ -e begun.tmp ]; do i=$((i+1)); echo \"k: $i\" > a.yaml; sleep 0.1; done")
    for _ in 0..<3 {
      kill(program.process, SIGHUP)
      kill(program.process, SIGUSR1)
    }
    try await folder.shell("echo ended > go.tmp")
    let text = try await program.wait(until: "its end") { $0.errorText.contains("ended\n") }.errorText
    // Changes in the meantime may have started a second run.
    #expect(text.contains("begun\n"))
    #expect(!text.contains("failed"))
  }

  /// Waits until the program handles SIGHUP.
  private func waitForHandler(_ process: pid_t, in folder: TemporaryFolder) async throws {
    try await folder.shell(
      "while ! grep -q 'SigCgt:.*[13579bdf]$' /proc/\(process)/status; do sleep 0.01; done")
  }

  @Test(.enabled(if: Machine.has("script"), "needs script(1)"), arguments: ["", "-- cat"])
  func `a closed terminal ends the program`(command: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let terminal = try Program(
      "script",
      ["-qec", "sh -c 'echo $$ > .pid; exec \(BuiltProgram.path) . \(command)' & sleep 1000", "/dev/null"],
      folder: folder.path)
    let process = try #require(
      pid_t(
        try await folder.shell("while ! [ -s .pid ]; do :; done; cat .pid").trimmingPrefix(/\s+/).prefix {
          $0.isNumber
        }))
    try await waitForHandler(process, in: folder)
    kill(terminal.process, SIGKILL)
    // The terminal is closed some time after that.
    try await folder.shell("while kill -HUP \(process) 2> /dev/null; do sleep 0.05; done")
  }

  @Test(arguments: [["list"], ["watch"]], ["jsonl", nil])
  func `a closed pipe ends the program by SIGPIPE`(command: [String], format: String?) async throws {
    let folder = try TemporaryFolder()
    for number in 0..<600 {
      try folder.write("text: \(String(repeating: "long ", count: 100))\n", to: "\(number).yaml")
    }
    let output = format.map { "-o \($0)" } ?? ""
    let status = try await folder.shell(
      """
      mkfifo pipe.tmp; (exec head -n 1 < pipe.tmp > first.tmp) &
      set +e; trap '' INT; \(BuiltProgram.path) \(command[0]) . \(output) > pipe.tmp; echo $?
      """)
    #expect(status == "141\n")
  }

  /// A child inherits an ignored SIGPIPE from its parent.
  @Test func `a closed pipe ends the program also if the parent ignores SIGPIPE`() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<600 {
      try folder.write("text: \(String(repeating: "long ", count: 100))\n", to: "\(number).yaml")
    }
    let status = try await folder.shell(
      """
      mkfifo pipe.tmp; (exec head -n 1 < pipe.tmp > first.tmp) &
      set +e; trap '' PIPE; \(BuiltProgram.path) list . -o jsonl > pipe.tmp; echo $?
      """)
    #expect(status == "141\n")
  }

  /// `nohup` ignores SIGHUP, and a shell ignores SIGINT for a background job.
  @Test(arguments: ["HUP", "INT"])
  func `a signal that was ignored at the start stays ignored`(signal: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try Program(
      "/bin/sh", ["-c", "trap '' \(signal); exec \(BuiltProgram.path) . -o jsonl -- cat"], folder: folder.path
    )
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    kill(program.process, signal == "HUP" ? SIGHUP : SIGINT)
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
  }

  @Test(arguments: ["cat >&2", "echo {} >&2; exec sleep 1000"])
  func `a reader that has stopped reading does not delay the end`(script: String) async throws {
    let folder = try TemporaryFolder()
    for number in 0..<200 {
      try folder.write("text: \(String(repeating: "long ", count: 100))\n", to: "\(number).yaml")
    }
    let program = try Program(
      "/bin/sh",
      [
        "-c",
        "mkfifo pipe.tmp; exec 9<>pipe.tmp; exec \(BuiltProgram.path) . -o jsonl -- sh -c '\(script)' > pipe.tmp",
      ],
      folder: folder.path)
    // Until the watch has begun, a change is part of the snapshot.
    var number = 0
    while program.state.error.isEmpty, program.state.status == nil {
      number += 1
      try await folder.shell("echo 'k: \(number)' > a.yaml")
    }
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
  }

  @Test func `a closed pipe ends a running command`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try Program(
      "/bin/sh",
      [
        "-c",
        "mkfifo pipe.tmp; (read hello; read snapshot; echo ready >&2; read update; while [ ! -e .go ]; do sleep 0.02; done) < pipe.tmp & exec \(BuiltProgram.path) . -o jsonl -- sh -c 'echo self $$ >&2; exec sleep 1000' > pipe.tmp",
      ],
      folder: folder.path)
    try await program.wait(until: "the snapshot") { $0.errorText.contains("ready\n") }
    try await folder.shell("echo 'k: 2' > a.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("self ") }
    try await folder.shell("touch .go")
    let end = try await program.end()
    #expect(end.status == .signaled(SIGPIPE))
    let script = try #require(end.errorText.firstMatch(of: /self (\d+)/)?.1)
    #expect(
      try await folder.shell("if [ -d /proc/\(script) ]; then grep State: /proc/\(script)/status || true; fi")
        .wholeMatch(
          of: /(State:.*[ZX].*\n)?/) != nil)
  }

  @Test func `a full disk is an error`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    for arguments in ["list .", "list . -o json", ". -o jsonl", ".", ". -o jsonl -- cat", "get . a"] {
      let text = try await folder.shell("set +e; \(BuiltProgram.path) \(arguments) 2>&1 > /dev/full; echo $?")
      #expect(text.hasSuffix("\n74\n"), "\(arguments): \(text)")
      #expect(text.contains("the disk is full"), "\(arguments): \(text)")
    }
  }

  // MARK: The first process of a container

  private static let canBeFirst: Bool = Machine.canRun("unshare --pid --fork true")

  /// Runs the program as PID 1 of a namespace, sends it signals after the script `ready` succeeds,
  /// and returns the exit status.
  private func statusAsFirst(
    _ arguments: String, _ signals: [String], in folder: TemporaryFolder,
    ready: String = "grep -q snapshot .out"
  ) async throws -> String {
    try await folder.shell(
      """
      set +e; mkfifo .input 2> /dev/null; sleep 1000 > .input & input=$!
      # A shell starts background jobs with interrupts ignored.
      env --default-signal=INT,QUIT unshare --pid --fork --kill-child --mount-proc \(BuiltProgram.path) \(arguments) > .out 2> .error < .input &
      outer=$!
      while ! { first=$(pgrep -P $outer) && [ "$(readlink /proc/$first/exe)" = "$(readlink -f \(BuiltProgram.path))" ] && \(ready); }; do
        kill -0 $outer 2> /dev/null || break; sleep 0.02
      done
      for signal in \(signals.joined(separator: " ")); do kill -$signal $first; sleep 0.1; done
      wait $outer; echo $?; kill $input
      """
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(
    .enabled(if: canBeFirst, "needs a root that may make PID namespaces"),
    arguments: [(["TERM"], "143"), (["INT"], "130"), (["QUIT"], "131"), (["HUP", "TERM"], "143")],
    ["", "-o jsonl", "-- cat", "-o jsonl -- cat"])
  func `the first process of a container exits with the number of the signal`(
    _ end: ([String], String), options: String
  ) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    // Without a stream, only its inotify descriptor shows that the watch has begun.
    let ready =
      options.contains("jsonl") ? "grep -q snapshot .out" : "ls -l /proc/$first/fd | grep -q inotify"
    #expect(try await statusAsFirst("root \(options)", end.0, in: folder, ready: ready) == end.1)
  }

  @Test(
    .enabled(if: canBeFirst, "needs a root that may make PID namespaces"),
    arguments: [("TERM", "143"), ("INT", "130"), ("HUP", "129")])
  func `a command that waits for its input ends as the first process of a container, too`(
    signal: String, status: String
  ) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let ready = "grep -q 'SigCgt:.*[13579bdf]$' /proc/$first/status"
    #expect(try await statusAsFirst("set root -", [signal], in: folder, ready: ready) == status)
    #expect(try await folder.shell("cat root/a.yaml; ls -A root") == "k: 1\na.yaml\n")
  }

  /// PID 1 becomes the parent of orphaned processes.
  @Test(
    .enabled(if: canBeFirst, "needs a root that may make PID namespaces"),
    arguments: ["", "-- sh -c 'cat > /dev/null; (sleep 0.1 &)'"])
  func `the first process of a container leaves no zombies`(command: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let text = try await folder.shell(
      """
      unshare --pid --fork --kill-child --mount-proc \(BuiltProgram.path) root -o jsonl \(command) > .out &
      while ! grep -q snapshot .out; do sleep 0.02; done
      first=$(pgrep -P $!)
      echo 'k: 2' > root/a.yaml; while ! grep -q update .out; do sleep 0.02; done
      for i in 1 2 3; do nsenter -t $first -p -m sh -c '(sh -c "sleep 0.1; exit 0" &)'; done
      tries=0; while ps -o stat= --ppid $first | grep -q . && [ $tries -lt 200 ]; do tries=$((tries+1)); sleep 0.05; done
      ps -o pid=,stat=,comm= --ppid $first || true; echo end; kill -TERM $first; wait || true
      """)
    #expect(text == "end\n")
  }

  // MARK: The reader of standard output

  private static let outputs = ["-o jsonl", "-o text", "", "-o jsonl --control", "-o jsonl -- cat"]

  @Test(arguments: outputs, ["true", "head -n 1 > /dev/null"])
  func `an idle watch ends when the reader of its pipe goes away`(options: String, reader: String)
    async throws
  {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let status = try await folder.shell(
      """
      mkfifo pipe input; sleep 1000 > input & input=$!; (exec \(reader) < pipe) &
      set +e; \(BuiltProgram.path) root \(options) > pipe < input; echo $?; kill $input
      """)
    #expect(status == "141\n")
  }

  /// A peer that closes one direction of a socket sends nothing more, but may still read.
  @Test(.enabled(if: Machine.has("python3"), "needs python3"))
  func `an idle watch ends when the peer of its socket goes away, and not before`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let text = try await folder.shell(
      """
      cat > .test.py <<'END'
      import socket, subprocess, sys
      ours, theirs = socket.socketpair()
      program = subprocess.Popen([sys.argv[1], "root", "-o", "jsonl"], stdout=theirs)
      theirs.close()
      lines = ours.makefile()
      print(lines.readline()[:20], '"snapshot"' in lines.readline())
      ours.shutdown(socket.SHUT_WR)
      open("root/a.yaml", "w").write("k: 2\\n")
      print('"update"' in lines.readline())
      lines.close(); ours.close()
      print(program.wait())
      END
      python3 .test.py \(BuiltProgram.path)
      """)
    #expect(text == "{\"v\":1,\"type\":\"hello True\nTrue\n-13\n")
  }

  @Test(arguments: ["> /dev/null", "> file.tmp", "3<> pipe.tmp > pipe.tmp"])
  func `an output that is not a closed pipe ends nothing`(output: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let program = try Program(
      "/bin/sh", ["-c", "mkfifo pipe.tmp; exec \(BuiltProgram.path) root -o jsonl -- cat \(output)"],
      folder: folder.path)
    // The command copies its input to standard error.
    var number = 1
    while program.state.error.isEmpty, program.state.status == nil {
      number += 1
      try await folder.replace("root/a.yaml", with: "k: \(number)")
    }
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
  }

  /// Only the command writes to standard output, and it may have other effects.
  @Test func `a watch for a command outlives the reader of the command's output`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let program = try Program(
      "/bin/sh",
      [
        "-c",
        "mkfifo pipe.tmp; true < pipe.tmp & exec \(BuiltProgram.path) root -- sh -c 'cat >&2' > pipe.tmp",
      ],
      folder: folder.path)
    var number = 1
    while program.state.error.isEmpty, program.state.status == nil {
      number += 1
      try await folder.replace("root/a.yaml", with: "k: \(number)")
    }
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
  }

  /// The next file that is opened must not get the number of a closed stream: output would be
  /// written to that file.
  @Test func `output to a closed stream goes nowhere else`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    for arguments in ["root -o jsonl", "list root", "get root a", "root"] {
      let text = try await folder.shell("set +e; \(BuiltProgram.path) \(arguments) 2>&1 >&-; echo $?")
      #expect(text.hasSuffix("\n74\n"), "\(arguments): \(text)")
      #expect(text.contains("bad file descriptor"), "\(arguments): \(text)")
    }
    try await folder.shell("\(BuiltProgram.path) set root a k=2 >&- 2>&- <&- || true")
    #expect(try await folder.shell("cat root/a.yaml; ls -A root") == "k: 2\na.yaml\n")
  }
}
