import Glibc
import TestSupport
import Testing

/// While nothing happens the program sleeps: no timer runs and no thread polls.
@Suite(
  .serialized, .timeLimit(.minutes(3)),
  .enabled(if: Fault.isPossible, "needs strace, and cannot run under strace itself"))
struct IdleTests {
  private static let outputs = [
    ["-o", "jsonl", "--control", "--state", "reader"], ["-o", "jsonl"], ["-o", "text", "--state", "reader"],
    ["-o", "text"],
  ]

  private static let commands = [
    ["-o", "jsonl", "--timeout", "1000s", "--", "sh", "-c", "cat; sleep 1000"],
    [
      "-o", "jsonl", "--persistent", "--prefix=x", "--", "sh", "-c",
      "while read -r line; do echo \"$line\"; done",
    ],
  ]

  /// All programs sleep at the same time, because each is traced for some seconds.
  @Test func `an idle program does not wake up`() async throws {
    let outputs = Randomness.factor == 1 ? Array(Self.outputs.prefix(1)) : Self.outputs
    try await withThrowingTaskGroup { group in
      for arguments in outputs { group.addTask { try await expectSleep(ofWatch: arguments) } }
      for arguments in Self.commands {
        group.addTask { try await expectSleep(ofWatchWithCommand: arguments) }
      }
      group.addTask { try await expectSleepOfDaemon() }
      for streams in [0, 3] { group.addTask { try await expectSleepOfServer(streams: streams) } }
      try await group.waitForAll()
    }
  }

  private func expectSleep(ofWatch arguments: [String]) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    // Enough files that several threads read them.
    try await folder.shell(
      "mkdir root; i=0; while [ $i -lt 300 ]; do echo \"k: $i\" > root/$i.yaml; i=$((i+1)); done")
    let program = try BuiltProgram.start(
      ["root"] + arguments, environment: ["XDG_STATE_HOME": "\(folder.path)/state"], in: folder.path,
      hasInput: true)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await folder.shell("echo 'k: edited' > root/5.yaml")
    try await program.wait(until: "an update") { $0.outputText.contains("edited") }
    let end = try await BuiltProgram.trace(of: program.process, for: 5, in: folder)
    #expect(wakeUps(in: end).count <= 4, "\(arguments) \(wakeUps(in: end))")
  }

  private func expectSleep(ofWatchWithCommand arguments: [String]) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let program = try BuiltProgram.start(["root"] + arguments, in: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    // One change: the events of more would be read during the trace.
    try await folder.replace("root/a.yaml", with: "k: edited\n")
    try await program.wait(until: "an update and a run") {
      $0.lineCount >= 3 && $0.errorText.contains("edited")
    }
    let end = try await BuiltProgram.trace(of: program.process, for: 5, in: folder)
    #expect(wakeUps(in: end).count <= 4, "\(arguments) \(wakeUps(in: end))")
  }

  /// The daemon has run commands, reloaded its configuration and served a client, waits for a missing
  /// folder, and has a client whose list uses `@today`.
  private func expectSleepOfDaemon() async throws {
    let home = try TemporaryFolder(["notes/a.yaml": "due: 2020-01-01\n"])
    let daemon = try RunningDaemon(
      """
      folders:
        - path: notes
          sinks:
            - {name: run, run: [sh, -c, 'cat > /dev/null; echo x >> ../runs'], initial: true, timeout: 1m}
            - {name: kept, run: [sh, -c, 'while read -r l; do echo "$l"; echo x >> ../runs; done'], persistent: true, initial: true}
            - {name: file, file: log.jsonl, view: {where: due < @today}}
        - path: missing
      """, home: home)
    try await daemon.wait(until: "the runs of two commands") {
      ((try? home.bytes(of: "runs")) ?? []).count { $0 == UInt8(ascii: "\n") } >= 2
    }
    let client = try daemon.connect()
    client.send(line: #"{"v":1,"folder":"\#(home.path)/notes","view":{"where":"due < @today"}}"#)
    for type in ["hello", "snapshot"] { #expect(try client.nextJSON().type == JSON.string(type)) }
    daemon.signal(SIGHUP)
    try await daemon.wait(until: "the reload") { daemon.log.contains("reloaded") }
    let end = try await BuiltProgram.trace(of: daemon.process, for: 5, in: home)
    #expect(wakeUps(in: end).count <= 4, "\(wakeUps(in: end))")
    #expect(try await daemon.stop() == 128 + SIGTERM)
  }

  /// The server has answered requests and sent a change. Streams cost one timer and one comment each
  /// in a heartbeat of 15 seconds, however long they last.
  private func expectSleepOfServer(streams count: Int) async throws {
    let server = try await RunningWebServer(files: ["notes/a.yaml": "k: 1\n", "notes/b.yaml": "k: 2\n"])
    let token = try server.token()
    let streams = try (0..<count).map { number in
      // One of them has one view, and the others have two.
      let target =
        number == 0
        ? "/stream" : "/stream?views=%7B%22a%22%3A%7B%7D%2C%22b%22%3A%7B%22sort%22%3A%22k%22%7D%7D"
      let stream = try EventStream(port: server.port, target: target, token: token)
      for _ in 0..<min(number + 1, 2) { _ = try stream.next("snapshot") }
      return stream
    }
    try await server.folder.replace("notes/a.yaml", with: "k: edited\n")
    for (number, stream) in streams.enumerated() {
      for _ in 0..<min(number + 1, 2) { _ = try stream.next("update") }
    }
    #expect(try server.curl("-H 'Authorization: Bearer TOKEN' ORIGIN/items").contains("edited"))
    let before = try processorTime(of: server.program.process)
    let seconds = 20
    let end = try await BuiltProgram.trace(of: server.program.process, for: seconds, in: server.folder)
    // One heartbeat, or two: its timer, and the queues and the thread of the connections.
    let limit = count == 0 ? 4 : 2 * (4 + 2 * count)
    #expect(wakeUps(in: end).count <= limit, "\(count) streams: \(wakeUps(in: end))")
    #expect(try processorTime(of: server.program.process) - before < 0.2)
    for stream in streams {
      #expect(try stream.next(within: 0) == nil)
      #expect((1...2).contains(stream.comments))
    }
  }

  /// Returns the seconds for which a process and its threads have run.
  private func processorTime(of process: pid_t) throws -> Double {
    let text = try Shell.run("cut -d' ' -f14,15 /proc/\(process)/stat", in: "/")
    let ticks = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    return ticks.reduce(0, +) / Double(sysconf(CInt(_SC_CLK_TCK)))
  }

  /// Returns the calls that follow a wake-up. Idle threads end within some seconds, which wakes
  /// each of them once. What other tests mount, or unmount, must wake a watcher: one call for each isn't
  /// counted. Of the call in which the trace finds the watcher, it shows only that something ended it.
  private func wakeUps(in trace: [Substring]) -> [Substring] {
    let calls = trace.filter { !$0.contains("resumed>") && !$0.contains("restart_syscall") }
    let mounts = trace.count {
      $0.contains("revents=POLLPRI") || $0.contains("restart_syscall") && $0.hasSuffix(" = 1")
    }
    return calls.filter { $0.contains(" epoll_wait(") || $0.contains(" poll(") || $0.contains("timerfd") }
      .dropLast(mounts)
  }
}

extension BuiltProgram {
  /// Returns a trace of the system calls of a process within some seconds.
  fileprivate static func trace(of process: pid_t, for seconds: Int, in folder: TemporaryFolder) async throws
    -> [Substring]
  {
    let lines = try await folder.shell(
      "timeout -s INT \(seconds) strace -f -o .trace -p \(process) 2> /dev/null || true; cat .trace")
    return lines.split(separator: "\n")
  }
}
