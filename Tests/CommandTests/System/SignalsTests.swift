import Foundation
import Glibc
import TestSupport
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
    let stream = try WatchRun(try TemporaryFolder(["a.yaml": "k: 1\n", "d/b.yaml": "k: [\n"]))
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
        "mkfifo pipe.tmp; (read hello; read snapshot; echo ready >&2; read update; while [ ! -e .go ]; do sleep 0.02; done) < pipe.tmp & exec \(NotesWatch.path) . -o jsonl -- sh -c 'echo self $$ >&2; exec sleep 1000' > pipe.tmp",
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

  // MARK: The first process of a container

  private static let canBeFirst: Bool = Machine.canRun("unshare --pid --fork true")

  /// Runs the program as PID 1 of a namespace, sends it a signal once `ready` holds, and returns the exit status.
  private func statusAsFirst(
    _ arguments: String, _ signals: [String], in folder: TemporaryFolder, ready: String = "grep -q snapshot .out"
  ) async throws -> String {
    try await folder.shell(
      """
      set +e; mkfifo .input 2> /dev/null; sleep 1000 > .input & input=$!
      # A shell starts what is in the background with interrupts ignored.
      env --default-signal=INT,QUIT unshare --pid --fork --kill-child --mount-proc \(NotesWatch.path) \(arguments) > .out 2> .error < .input &
      outer=$!
      while ! { first=$(pgrep -P $outer) && [ "$(readlink /proc/$first/exe)" = "$(readlink -f \(NotesWatch.path))" ] && \(ready); }; do
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
  func `the first process of a container exits with the number of the signal`(_ end: ([String], String), options: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    // Without a stream nothing says that it watches, and it listens for a hang-up before it does.
    let ready = options.contains("jsonl") ? "grep -q snapshot .out" : "ls -l /proc/$first/fd | grep -q inotify"
    #expect(try await statusAsFirst("root \(options)", end.0, in: folder, ready: ready) == end.1)
  }

  @Test(
    .enabled(if: canBeFirst, "needs a root that may make PID namespaces"),
    arguments: [("TERM", "143"), ("INT", "130"), ("HUP", "129")])
  func `a command that waits for its input ends as the first process of a container, too`(signal: String, status: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let ready = "grep -q 'SigCgt:.*[13579bdf]$' /proc/$first/status"
    #expect(try await statusAsFirst("set root -", [signal], in: folder, ready: ready) == status)
    #expect(try await folder.shell("cat root/a.yaml; ls -A root") == "k: 1\na.yaml\n")
  }

  /// Orphans become its children when they have no other parent.
  @Test(
    .enabled(if: canBeFirst, "needs a root that may make PID namespaces"),
    arguments: ["", "-- sh -c 'cat > /dev/null; (sleep 0.1 &)'"])
  func `the first process of a container leaves no zombies`(command: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let text = try await folder.shell(
      """
      unshare --pid --fork --kill-child --mount-proc \(NotesWatch.path) root -o jsonl \(command) > .out &
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
  func `an idle watch ends when the reader of its pipe goes away`(options: String, reader: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let status = try await folder.shell(
      """
      mkfifo pipe input; sleep 1000 > input & input=$!; (exec \(reader) < pipe) &
      set +e; \(NotesWatch.path) root \(options) > pipe < input; echo $?; kill $input
      """)
    #expect(status == "141\n")
  }

  /// Half of a socket that is closed means that the peer sends nothing more, and may still read.
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
      python3 .test.py \(NotesWatch.path)
      """)
    #expect(text == "{\"v\":1,\"type\":\"hello True\nTrue\n-13\n")
  }

  @Test(arguments: ["> /dev/null", "> file.tmp", "3<> pipe.tmp > pipe.tmp"])
  func `what is no pipe that is closed ends nothing`(output: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let program = try Program(
      "/bin/sh", ["-c", "mkfifo pipe.tmp; exec \(NotesWatch.path) root -o jsonl -- cat \(output)"], folder: folder.path)
    // What the command is given is seen on standard error.
    var number = 1
    while program.state.error.isEmpty, program.state.status == nil {
      number += 1
      try await folder.replace("root/a.yaml", with: "k: \(number)")
    }
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
  }

  /// Only the command writes there, and it may be run for what else it does.
  @Test func `a watch for a command outlives the reader of the command's output`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let program = try Program(
      "/bin/sh", ["-c", "mkfifo pipe.tmp; true < pipe.tmp & exec \(NotesWatch.path) root -- sh -c 'cat >&2' > pipe.tmp"],
      folder: folder.path)
    var number = 1
    while program.state.error.isEmpty, program.state.status == nil {
      number += 1
      try await folder.replace("root/a.yaml", with: "k: \(number)")
    }
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
  }

  /// A stream that the parent closed must not be replaced by the next file that is opened: output would go into that.
  @Test func `output that was closed goes nowhere else`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    for arguments in ["root -o jsonl", "list root", "get root a", "root"] {
      let text = try await folder.shell("set +e; \(NotesWatch.path) \(arguments) 2>&1 >&-; echo $?")
      #expect(text.hasSuffix("\n74\n"), "\(arguments): \(text)")
      #expect(text.contains("Bad file descriptor"), "\(arguments): \(text)")
    }
    try await folder.shell("\(NotesWatch.path) set root a k=2 >&- 2>&- <&- || true")
    #expect(try await folder.shell("cat root/a.yaml; ls -A root") == "k: 2\na.yaml\n")
  }
}
