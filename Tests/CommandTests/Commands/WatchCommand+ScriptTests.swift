import Glibc
import TestSupport
import Testing

/// `-- COMMAND`: run for each update. With `-o jsonl` beside it, so that the tests know when it watches.
@Suite(.serialized, .timeLimit(.minutes(3))) struct WatchCommandScriptTests {
  /// The script runs in the folder, where it may leave what it saw in hidden files.
  private func start(_ folder: TemporaryFolder, _ script: String, environment: [String: String] = [:]) async throws -> Program {
    let program = try NotesWatch.start(["./", "-o", "jsonl", "--", "/bin/sh", "-c", script], environment: environment, in: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount == 2 }
    return program
  }

  @Test func itIsHandedTheUpdateAndStandardOutputIsItsOwn() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try NotesWatch.start(["./", "--", "cat"], in: folder.path)
    // Nothing says that it watches: changes are made until one is seen.
    var number = 1
    while program.state.output.isEmpty {
      number += 1
      try await folder.replace("a.yaml", with: "k: \(number)")
    }
    let line = try JSON(program.state.line(0))
    #expect(line.type == "update" && line.seq == 2 && line.changes[0].id == "a" && line.changes[0].fields == ["/k"])
  }

  @Test func oneRunAtATimeAndWhatChangesMeanwhileIsOneMore() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "echo begin >&2; cat >&2; while [ -e .wait ]; do sleep 0.02; done; echo end >&2")
    try await folder.shell("touch .wait; echo 'k: 2' > a.yaml")
    try await program.wait(until: "a first run") { $0.errorText.contains("begin\n") }
    // Each of these is an update on standard output; to the script they are one.
    for (number, change) in ["echo 'k: 3' > a.yaml", "echo 'k: 1' > b.yaml", "echo 'k: 4' > a.yaml", "rm b.yaml", "echo 'k: 5' > c.yaml"]
      .enumerated()
    {
      try await folder.shell(change)
      try await program.wait(until: "update \(number + 2)") { $0.lineCount == number + 4 }
    }
    try await folder.shell("rm .wait")
    let text = try await program.wait(until: "a second run") { $0.errorText.matches(of: /end\n/).count == 2 }.errorText
    let lines = text.split(separator: "\n")
    #expect(lines.count == 6 && [0, 3].allSatisfy { lines[$0] == "begin" } && [2, 5].allSatisfy { lines[$0] == "end" }, "\(text)")
    let first = try JSON(Array(lines[1].utf8)), second = try JSON(Array(lines[4].utf8))
    #expect(first.seq == 2 && second.seq == 3 && second.since == first.token)
    #expect(second.changes.list.map(\.op) == ["insert", "update"] && second.changes[0].id == "c")
    #expect(second.changes[1].before == ["k": 2] && second.changes[1].value == ["k": 4])
  }

  @Test func aFailedRunIsReportedAndItsChangeComesAgain() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    let program = try await start(folder, "cat >&2; if [ -e .fail ]; then rm .fail; exit 3; fi; echo good >&2")
    try await folder.shell("touch .fail; echo 'k: 2' > a.yaml")
    try await program.wait(until: "a report") { $0.errorText.contains("notes-watch: ") && $0.errorText.contains("exit code 3") }
    // It waits for a change: to touch the file is none.
    try await folder.shell("touch a.yaml")
    try await folder.shell("echo 'k: 2' > b.yaml")
    let text = try await program.wait(until: "a good run") { $0.errorText.contains("good\n") }.errorText
    let updates = try text.split(separator: "\n").filter { $0.hasPrefix("{") }.map { try JSON(Array($0.utf8)) }
    #expect(updates.count == 2, "\(text)")
    #expect(updates[0].changes.list.map(\.id) == ["a"] && updates[1].changes.list.map(\.id) == ["a", "b"])
    #expect(updates[1].seq == 2 && updates[1].since == updates[0].since && updates[1].changes[0].before == ["k": 1])
  }

  @Test func aScriptThatReadsNothingAndALargeUpdate() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "echo ran >&2")
    try folder.write("k: \(String(repeating: "x", count: 1 << 20))\n", to: "a.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("ran\n") }
    try folder.write("k: 3\n", to: "a.yaml")
    let text = try await program.wait(until: "another") { $0.errorText.matches(of: /ran\n/).count == 2 }.errorText
    #expect(text == "ran\nran\n")
  }

  @Test func noContentIsInArgumentsOrEnvironmentAndTheChildIsClean() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(
      folder,
      """
      { tr '\\0' '\\n' < /proc/self/environ; tr '\\0' '\\n' < /proc/$$/cmdline; ls -l /proc/self/fd; grep Sig /proc/self/status; } > .seen; mv .seen .done; cat >&2
      """, environment: ["KEPT": "as it was"])
    try folder.write("k: secret-of-the-file\n", to: "secret-name.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("secret-of-the-file") }
    let seen = try await folder.shell("cat .done")
    #expect(!seen.contains("secret") && seen.contains("KEPT=as it was\n"))
    let descriptors = seen.matches(of: /\ (\d+)\ ->/).compactMap { Int($0.1) }
    // `ls` itself has the folder that it lists open.
    #expect(Set(descriptors).subtracting([0, 1, 2]).count <= 1, "\(seen)")
    for mask in ["SigBlk", "SigIgn"] {
      let signals = try #require(seen.firstMatch(of: try Regex("\(mask):\t([0-9a-f]{16})", as: (Substring, Substring).self))?.1)
      // 32 and 33 are the C library's own, which it lets nobody set.
      #expect(UInt64(signals, radix: 16).map { $0 & ~0x1_8000_0000 } == 0, "\(seen)")
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGQUIT])
  func itsProcessGroupEndsWithUs(signal: CInt) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "sleep 1000 & echo child $! >&2; echo self $$ >&2; wait")
    try folder.write("k: 2\n", to: "a.yaml")
    let text = try await program.wait(until: "a run") { $0.errorText.contains("self ") && $0.errorText.hasSuffix("\n") }.errorText
    kill(program.process, signal)
    #expect(try await program.end().status == .signaled(signal))
    for process in text.matches(of: /(child|self) (\d+)/).compactMap({ pid_t($0.2) }) {
      #expect(try await isGone(process), "\(process) of \(text)")
    }
  }

  /// Also what a run left behind when it ended.
  @Test func whatARunLeftBehindEndsWithUs() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "sleep 1000 > .out 2>&1 & echo child $! >&2")
    try folder.write("k: 2\n", to: "a.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("child ") && $0.errorText.hasSuffix("\n") }
    // A second run comes only when the first is over.
    try folder.write("k: 3\n", to: "a.yaml")
    let text = try await program.wait(until: "another") { $0.errorText.matches(of: /child \d+\n/).count == 2 }.errorText
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
    for process in text.matches(of: /child (\d+)/).compactMap({ pid_t($0.1) }) { #expect(try await isGone(process)) }
  }

  @Test func aScriptThatIgnoresTheSignalIsKilled() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "trap '' TERM INT HUP; echo self $$ >&2; while :; do sleep 0.1; done")
    try folder.write("k: 2\n", to: "a.yaml")
    let text = try await program.wait(until: "a run") { $0.errorText.contains("self ") && $0.errorText.hasSuffix("\n") }.errorText
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
    for process in text.matches(of: /self (\d+)/).compactMap({ pid_t($0.1) }) { #expect(try await isGone(process)) }
  }

  /// What a run left behind may ignore the signal as well.
  @Test func whatARunLeftBehindAndIgnoresTheSignalIsKilled() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "(trap '' TERM; exec sleep 1000) > .out 2>&1 & echo child $! >&2")
    try folder.write("k: 2\n", to: "a.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("child ") && $0.errorText.hasSuffix("\n") }
    // A second run comes only when the first is over.
    try folder.write("k: 3\n", to: "a.yaml")
    let text = try await program.wait(until: "another") { $0.errorText.matches(of: /child \d+\n/).count == 2 }.errorText
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
    for process in text.matches(of: /child (\d+)/).compactMap({ pid_t($0.1) }) { #expect(try await isGone(process)) }
  }

  private static let canNumber: Bool =
    Machine.canRun("unshare --pid --fork --mount-proc sh -c 'test -w /proc/sys/kernel/ns_last_pid'")

  /// The number of a run's group is given to an unrelated program, in a namespace where numbers can be chosen.
  @Test(.enabled(if: canNumber, "needs a root that may make PID namespaces"), arguments: ["", "(sleep 0.2 > .out 2>&1 &)"])
  func `a number that was a group's and is somebody else's now is left alone`(leavesBehind: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    try folder.write("cat > .update; \(leavesBehind)\necho $$ > .group\n", to: "run.sh")
    try folder.write(
      """
      \(NotesWatch.path) root -o jsonl -- sh run.sh > .out 2> .error & watcher=$!
      while ! grep -q snapshot .out; do sleep 0.02; done
      echo 'k: 2' > root/a.yaml
      while ! [ -s .group ]; do sleep 0.02; done
      group=$(cat .group)
      while [ -d /proc/$group ] || ps -o pgid= -e | grep -qw $group; do sleep 0.02; done
      tries=0
      while [ "$other" != $group ] && [ $tries -lt 50 ]; do
        tries=$((tries+1)); echo $((group - 1)) > /proc/sys/kernel/ns_last_pid; setsid sleep 1000 & other=$!
      done
      kill -TERM $watcher; wait $watcher; echo "watcher $?"
      [ $other = $group ] && kill -0 $other && echo alive
      """, to: "test.sh")
    let text = try await folder.shell("unshare --pid --fork --kill-child --mount-proc --mount-proc sh test.sh")
    #expect(text == "watcher 143\nalive\n")
  }

  /// A command is told of updates; what is wrong with files is told to the person who started it, unless a stream beside it says so.
  @Test func problemsStandOnStandardErrorWhereNothingElseTellsThem() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "bad.yaml": "k: [\n"])
    let alone = try NotesWatch.start(["./", "--", "cat"], in: folder.path)
    try await alone.wait(until: "the problem of the start") { $0.errorText.contains("notes-watch: bad.yaml:1:4: ") }
    try await folder.shell("printf 'k: 1\\nk: 2\\n' > worse.yaml")
    let text = try await alone.wait(until: "the next problem") { $0.errorText.contains("notes-watch: worse.yaml:2:1: ") }.errorText
    #expect(text.split(separator: "\n").count == 2, "\(text)")
    let beside = try NotesWatch.start(["./", "-o", "jsonl", "--", "cat"], in: folder.path)
    try await beside.wait(until: "both problems in the stream") { $0.lineCount == 4 }
    #expect(beside.state.errorText.isEmpty)
  }

  /// That a pattern could not be decided in time is said once, also where only a command is run.
  @Test func aPatternThatTakesTooLongIsHintedAt() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: \(String(repeating: "a", count: 40))!\n"])
    for output in [[], ["-o", "jsonl"]] {
      let program = try NotesWatch.start(["./", "--where", "k MATCHES '(a+)+'"] + output + ["--", "cat"], in: folder.path)
      let text = try await program.wait(until: "a hint") { $0.errorText.contains("notes-watch: hint: ") }.errorText
      #expect(text.matches(of: /hint/).count == 1, "\(text)")
    }
  }

  @Test func aCommandThatIsMissing() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    for command in ["no-such-command", "./no/such/command", folder.path, "./a.yaml"] {
      let end = try await NotesWatch.run(folder.path, "--", command, in: folder.path)
      #expect(end.status == .exited(64) && end.errorText.contains("`\(command)`"), "\(command): \(end.errorText)")
    }
  }

  /// A process that ended but was not waited for by its new parent yet is gone, too.
  private func isGone(_ process: pid_t) async throws -> Bool {
    try await Program(
      "/bin/sh", ["-c", "while [ -d /proc/\(process) ] && ! grep -q '^State:.*[ZX]' /proc/\(process)/status; do sleep 0.02; done"]
    ).end().status == .exited(0)
  }
}
