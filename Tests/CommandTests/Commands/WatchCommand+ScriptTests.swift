import Glibc
import TestSupport
import Testing

/// `-- COMMAND` is run for each update. The tests add `-o jsonl`, which shows when the watch has
/// begun.
@Suite(.serialized, .timeLimit(.minutes(3))) struct WatchCommandScriptTests {
  /// Starts a watch of a folder with a script as its command. The script runs in the folder, and
  /// may write hidden files there.
  private func start(_ folder: TemporaryFolder, _ script: String, environment: [String: String] = [:])
    async throws -> Program
  {
    let program = try BuiltProgram.start(
      ["./", "-o", "jsonl", "--", "/bin/sh", "-c", script], environment: environment, in: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount == 2 }
    return program
  }

  @Test func `a command gets the update on standard input, and alone writes to standard output`() async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try BuiltProgram.start(["./", "--", "cat"], in: folder.path)
    // Nothing shows when the watch begins, so changes are made until one is seen.
    var number = 1
    while program.state.output.isEmpty {
      number += 1
      try await folder.replace("a.yaml", with: "k: \(number)")
    }
    let line = try JSON(program.state.line(0))
    #expect(line.type == "update")
    #expect(line.seq == 2)
    #expect(line.changes[0].id == "a")
    #expect(line.changes[0].fields == ["/k"])
  }

  @Test func `one run at a time, and changes during a run are one more update`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(
      folder, "echo begin >&2; cat >&2; while [ -e .wait ]; do sleep 0.02; done; echo end >&2")
    try await folder.shell("touch .wait; echo 'k: 2' > a.yaml")
    try await program.wait(until: "a first run") { $0.errorText.contains("begin\n") }
    // Each of these is an update on standard output. The script gets them as one.
    for (number, change) in [
      "echo 'k: 3' > a.yaml", "echo 'k: 1' > b.yaml", "echo 'k: 4' > a.yaml", "rm b.yaml",
      "echo 'k: 5' > c.yaml",
    ]
    .enumerated() {
      try await folder.shell(change)
      try await program.wait(until: "update \(number + 2)") { $0.lineCount == number + 4 }
    }
    try await folder.shell("rm .wait")
    let text = try await program.wait(until: "a second run") { $0.errorText.matches(of: /end\n/).count == 2 }
      .errorText
    let lines = text.split(separator: "\n")
    try #require(lines.count == 6, "\(text)")
    #expect([0, 3].allSatisfy { lines[$0] == "begin" }, "\(text)")
    #expect([2, 5].allSatisfy { lines[$0] == "end" }, "\(text)")
    let first = try JSON(Array(lines[1].utf8)), second = try JSON(Array(lines[4].utf8))
    #expect(first.seq == 2)
    #expect(second.seq == 3)
    #expect(second.since == first.token)
    #expect(second.changes.list.map(\.op) == ["insert", "update"])
    #expect(second.changes[0].id == "c")
    #expect(second.changes[1].before == ["k": 2])
    #expect(second.changes[1].value == ["k": 4])
  }

  @Test func `a failed run is reported, and its change comes again`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    let program = try await start(
      folder, "cat >&2; if [ -e .fail ]; then rm .fail; exit 3; fi; echo good >&2")
    try await folder.shell("touch .fail; echo 'k: 2' > a.yaml")
    try await program.wait(until: "a report") {
      $0.errorText.contains("notes-watch: ") && $0.errorText.contains("exit code 3")
    }
    // The next run needs a change, and a touched file is not one.
    try await folder.shell("touch a.yaml")
    try await folder.shell("echo 'k: 2' > b.yaml")
    let text = try await program.wait(until: "a good run") { $0.errorText.contains("good\n") }.errorText
    let updates = try text.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
      try JSON(Array($0.utf8))
    }
    try #require(updates.count == 2, "\(text)")
    #expect(updates[0].changes.list.map(\.id) == ["a"])
    #expect(updates[1].changes.list.map(\.id) == ["a", "b"])
    #expect(updates[1].seq == 2)
    #expect(updates[1].since == updates[0].since)
    #expect(updates[1].changes[0].before == ["k": 1])
  }

  @Test func `a command may leave a large update unread`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "echo ran >&2")
    try folder.write("k: \(String(repeating: "x", count: 1 << 20))\n", to: "a.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("ran\n") }
    try folder.write("k: 3\n", to: "a.yaml")
    let text = try await program.wait(until: "another") { $0.errorText.matches(of: /ran\n/).count == 2 }
      .errorText
    #expect(text == "ran\nran\n")
  }

  @Test func `a command inherits no content, no descriptor and no blocked signal`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(
      folder,
      """
      { tr '\\0' '\\n' < /proc/self/environ; tr '\\0' '\\n' < /proc/$$/cmdline; ls -l /proc/self/fd; grep Sig /proc/self/status; } > .seen; mv .seen .done; cat >&2
      """, environment: ["KEPT": "as it was"])
    try folder.write("k: secret-of-the-file\n", to: "secret-name.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("secret-of-the-file") }
    let seen = try await folder.shell("cat .done")
    #expect(!seen.contains("secret"))
    #expect(seen.contains("KEPT=as it was\n"))
    let descriptors = seen.matches(of: /\ (\d+)\ ->/).compactMap { Int($0.1) }
    // `ls` has the listed folder open.
    #expect(Set(descriptors).subtracting([0, 1, 2]).count <= 1, "\(seen)")
    for mask in ["SigBlk", "SigIgn"] {
      let signals = try #require(
        seen.firstMatch(of: try Regex("\(mask):\t([0-9a-f]{16})", as: (Substring, Substring).self))?.1)
      // 32 and 33 belong to the C library, and no program can set them.
      #expect(UInt64(signals, radix: 16).map { $0 & ~0x1_8000_0000 } == 0, "\(seen)")
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGQUIT])
  func `the process group of a command ends with the watch`(signal: CInt) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "sleep 1000 & echo child $! >&2; echo self $$ >&2; wait")
    try folder.write("k: 2\n", to: "a.yaml")
    let text = try await program.wait(until: "a run") {
      $0.errorText.contains("self ") && $0.errorText.hasSuffix("\n")
    }.errorText
    kill(program.process, signal)
    #expect(try await program.end().status == .signaled(signal))
    for process in text.matches(of: /(child|self) (\d+)/).compactMap({ pid_t($0.2) }) {
      #expect(try await isGone(process), "\(process) of \(text)")
    }
  }

  @Test func `processes that a run left behind end with the watch`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "sleep 1000 > .out 2>&1 & echo child $! >&2")
    try folder.write("k: 2\n", to: "a.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("child ") && $0.errorText.hasSuffix("\n") }
    // The second run begins after the first has ended.
    try folder.write("k: 3\n", to: "a.yaml")
    let text = try await program.wait(until: "another") { $0.errorText.matches(of: /child \d+\n/).count == 2 }
      .errorText
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
    for process in text.matches(of: /child (\d+)/).compactMap({ pid_t($0.1) }) {
      #expect(try await isGone(process))
    }
  }

  @Test func `a command that ignores the signal is killed`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(
      folder, "trap '' TERM INT HUP; echo self $$ >&2; while :; do sleep 0.1; done")
    try folder.write("k: 2\n", to: "a.yaml")
    let text = try await program.wait(until: "a run") {
      $0.errorText.contains("self ") && $0.errorText.hasSuffix("\n")
    }.errorText
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
    for process in text.matches(of: /self (\d+)/).compactMap({ pid_t($0.1) }) {
      #expect(try await isGone(process))
    }
  }

  @Test func `a process that a run left behind and that ignores the signal is killed`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try await start(folder, "(trap '' TERM; exec sleep 1000) > .out 2>&1 & echo child $! >&2")
    try folder.write("k: 2\n", to: "a.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("child ") && $0.errorText.hasSuffix("\n") }
    // The second run begins after the first has ended.
    try folder.write("k: 3\n", to: "a.yaml")
    let text = try await program.wait(until: "another") { $0.errorText.matches(of: /child \d+\n/).count == 2 }
      .errorText
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
    for process in text.matches(of: /child (\d+)/).compactMap({ pid_t($0.1) }) {
      #expect(try await isGone(process))
    }
  }

  private static let canNumber: Bool =
    Machine.canRun("unshare --pid --fork --mount-proc sh -c 'test -w /proc/sys/kernel/ns_last_pid'")

  /// An unrelated program gets the number of a run's process group, in a namespace where numbers
  /// can be chosen.
  @Test(
    .enabled(if: canNumber, "needs a root that may make PID namespaces"),
    arguments: ["", "(sleep 0.2 > .out 2>&1 &)"])
  func `an unrelated process with the number of an old process group is not killed`(leavesBehind: String)
    async throws
  {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    try folder.write("cat > .update; \(leavesBehind)\necho $$ > .group\n", to: "run.sh")
    try folder.write(
      """
      \(BuiltProgram.path) root -o jsonl -- sh run.sh > .out 2> .error & watcher=$!
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
    let text = try await folder.shell(
      "unshare --pid --fork --kill-child --mount-proc --mount-proc sh test.sh")
    #expect(text == "watcher 143\nalive\n")
  }

  @Test func `problems beside a command name the folder as it was given`() async throws {
    let folder = try TemporaryFolder(["notes/bad.yaml": "k: [\n"])
    let program = try BuiltProgram.start(["./notes/", "--", "cat"], in: folder.path)
    try await program.wait(until: "the problem") {
      $0.errorText.contains("notes-watch: ./notes/bad.yaml:1:4: ")
    }
  }

  /// A command gets updates. Problems are reported to the person who started the watch, unless a
  /// stream reports them.
  @Test func `problems go to standard error unless a stream reports them`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "bad.yaml": "k: [\n"])
    let alone = try BuiltProgram.start(["./", "--", "cat"], in: folder.path)
    try await alone.wait(until: "the problem of the start") {
      $0.errorText.contains("notes-watch: bad.yaml:1:4: ")
    }
    try await folder.shell("printf 'k: 1\\nk: 2\\n' > worse.yaml")
    let text = try await alone.wait(until: "the next problem") {
      $0.errorText.contains("notes-watch: worse.yaml:2:1: ")
    }.errorText
    #expect(text.split(separator: "\n").count == 2, "\(text)")
    let beside = try BuiltProgram.start(["./", "-o", "jsonl", "--", "cat"], in: folder.path)
    try await beside.wait(until: "both problems in the stream") { $0.lineCount == 4 }
    #expect(beside.state.errorText.isEmpty)
  }

  @Test func `a pattern that exceeds its time limit causes one hint`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: \(String(repeating: "a", count: 40))!\n"])
    for output in [[], ["-o", "jsonl"]] {
      let program = try BuiltProgram.start(
        ["./", "--where", "k MATCHES '(a+)+'"] + output + ["--", "cat"], in: folder.path)
      let text = try await program.wait(until: "a hint") { $0.errorText.contains("notes-watch: hint: ") }
        .errorText
      #expect(text.matches(of: /hint/).count == 1, "\(text)")
    }
  }

  @Test func `a missing command is a usage error`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    for command in ["no-such-command", "./no/such/command", folder.path, "./a.yaml"] {
      let end = try await BuiltProgram.run(folder.path, "--", command, in: folder.path)
      #expect(end.status == .exited(64), "\(command): \(end.errorText)")
      #expect(end.errorText.contains("`\(command)`"), "\(command): \(end.errorText)")
    }
  }

  @Test func `a script that is named without its folder is explained`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    try await folder.shell("printf '#!/bin/sh\\n' > build.sh; chmod +x build.sh")
    let end = try await BuiltProgram.run(folder.path, "--", "build.sh", in: folder.path)
    #expect(
      end.errorText.contains("To run the file in the working directory, write `./build.sh`."),
      "\(end.errorText)")
  }

  /// Waits until a process has ended, also if its new parent has not waited for it yet.
  private func isGone(_ process: pid_t) async throws -> Bool {
    try await Program(
      "/bin/sh",
      [
        "-c",
        "while [ -d /proc/\(process) ] && ! grep -q '^State:.*[ZX]' /proc/\(process)/status; do sleep 0.02; done",
      ]
    ).end().status == .exited(0)
  }
}
