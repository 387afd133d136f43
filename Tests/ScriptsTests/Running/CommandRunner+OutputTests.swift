import Glibc
import TestSupport
import Testing

@testable import Scripts

@Suite(.serialized, .timeLimit(.minutes(3))) struct CommandRunnerOutputTests {
  @Test func `both outputs have the label`() async throws {
    let runs = try ShellRuns("echo out; echo err >&2; printf last", label: "site")
    #expect(await runs.runner.run(input: []) == .exited(0))
    #expect(runs.output() == "[site] out\n[site] last\n")
    #expect(runs.output(.standardError) == "[site] err\n")
  }

  @Test func `standard output can go to standard error`() async throws {
    let runs = try ShellRuns("echo out", output: .standardError, label: "site")
    #expect(await runs.runner.run(input: []) == .exited(0))
    #expect(runs.output(.standardError) == "[site] out\n")
  }

  @Test func `the output of a run is complete when the run has ended`() async throws {
    for _ in 0..<10 {
      let runs = try ShellRuns("seq 1 20000; printf end", label: "x")
      #expect(await runs.runner.run(input: []) == .exited(0))
      let lines = runs.output().split(separator: "\n")
      #expect(lines.count == 20001)
      #expect(lines.last == "[x] end")
    }
  }

  @Test
  func `a process that keeps the output open does not delay the end, and its later output has the label`()
    async throws
  {
    let runs = try ShellRuns(
      "(until [ -e go ]; do sleep 0.01; done; echo later; printf 'and '; echo more) & echo $! > child; printf first",
      label: "x")
    #expect(await runs.runner.run(input: []) == .exited(0))
    #expect(runs.output() == "[x] first\n")
    try runs.folder.write("", to: "go")
    try await waitUntil("the later output is there") {
      runs.output() == "[x] first\n[x] later\n[x] and more\n"
    }
  }

  @Test func `a process that floods the output does not delay the end`() async throws {
    let runs = try ShellRuns("yes & echo $! > child; sleep 0.1", label: "x")
    #expect(await runs.runner.run(input: []) == .exited(0))
    for process in runs.processes("child") { kill(process, SIGKILL) }
  }

  @Test func `the end of a run that is stopped does not wait for a blocked output`() async throws {
    let release = Shared(false), folder = try TemporaryFolder()
    defer { release.withLock { $0 = true } }
    let launch = CommandLaunch(
      ["/bin/sh", "-c", "cd \"$0\"; yes", folder.path], output: .standardOutput, label: "x",
      grace: .milliseconds(200))
    let runner = CommandRunner(launch, ProcessGroups(ShellRuns.childProcesses)) { _, _ in
      // Awaits the end of the test; the write itself must block.
      while !release.withLock({ $0 }) { usleep(1000) }
    }
    #expect(await runner.run(input: [], timeout: .milliseconds(200)) == .timedOut)
  }

  @Test func `a command whose output cannot be written gets an error`() async throws {
    struct Gone: Error {}
    let launch = CommandLaunch(["yes"], output: .standardOutput, label: "x")
    let runner = CommandRunner(launch, ProcessGroups(ShellRuns.childProcesses)) { _, _ in throw Gone() }
    #expect(await runner.run(input: []) == .signaled(SIGPIPE))
  }

  @Test func `labelled runs leave no descriptor`() async throws {
    let runs = try ShellRuns("cat", label: "x")
    _ = await runs.runner.run(input: Array("line\n".utf8))
    try await waitUntil("the pipes of the first run are closed") { openDescriptors < 1000 }
    let before = openDescriptors
    for _ in 0..<20 { #expect(await runs.runner.run(input: Array("line\n".utf8)) == .exited(0)) }
    try await waitUntil("the pipes are closed") { openDescriptors <= before }
    #expect(runs.output() == String(repeating: "[x] line\n", count: 21))
  }

  @Test func `a labelled command that cannot be started leaves no descriptor`() async throws {
    let launch = CommandLaunch(["/no/such/command"], output: .standardOutput, label: "x")
    let runner = CommandRunner(launch, ProcessGroups(ShellRuns.childProcesses))
    _ = await runner.run(input: [])
    let before = openDescriptors
    for _ in 0..<20 { _ = await runner.run(input: []) }
    try await waitUntil("the pipes are closed") { openDescriptors <= before + 2 }
  }

  // MARK: Conversations

  /// Talks with a script, and returns what it does.
  private func converse(_ runs: ShellRuns, _ lines: [String]) async -> (
    end: RunEnd, events: [String]
  ) {
    let events = Shared<[String]>([])
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
    for line in lines { continuation.yield(Array(line.utf8)) }
    continuation.finish()
    let end = await runs.runner.converse(lines: stream) { number in
      events.withLock { $0.append(number) }
    } onInputClosed: {
      events.withLock { $0.append("input closed") }
    }
    return (end, events.withLock { $0 })
  }

  @Test func `lines of digits are acknowledgements, and other output passes through`() async throws {
    let runs = try ShellRuns("while read -r line; do echo \"got $line\"; echo \"$line\"; done; printf 9")
    let result = await converse(runs, ["2\n", "3\n"])
    #expect(result.end == .exited(0))
    #expect(result.events == ["2", "3", "9"])
    #expect(runs.output() == "got 2\ngot 3\n")
  }

  @Test func `an acknowledgement and other output come in one write, in this order`() async throws {
    let runs = try ShellRuns("printf 'before\\n2\\nafter\\n3\\n4'", label: "x")
    let result = await converse(runs, [])
    #expect(result.events == ["2", "3", "4"])
    #expect(runs.output() == "[x] before\n[x] after\n")
  }

  @Test func `output that other processes write after the end is not an acknowledgement`() async throws {
    let runs = try ShellRuns("(until [ -e go ]; do sleep 0.01; done; echo 3; echo end) & echo 2")
    let result = await converse(runs, [])
    #expect(result.events == ["2"])
    try runs.folder.write("", to: "go")
    try await waitUntil("the later output is there") { runs.output() == "3\nend\n" }
  }

  @Test func `a command that closes its input is noticed`() async throws {
    let runs = try ShellRuns("exec <&-; sleep 0.3")
    let result = await converse(runs, [String(repeating: "x", count: 10_000_000) + "\n"])
    #expect(result.end == .exited(0))
    #expect(result.events == ["input closed"])
  }

  @Test func `a conversation ends when the command does, whatever is still to be written`() async throws {
    let runs = try ShellRuns("read -r line; exit 3")
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
    continuation.yield(Array("line\n".utf8))
    #expect(await runs.runner.converse(lines: stream) { _ in } == .exited(3))
    continuation.finish()
  }

  @Test func `a conversation that is cancelled is stopped`() async throws {
    let runs = try ShellRuns(
      "trap '' TERM; echo 1; cat > /dev/null; while :; do sleep 0.01; done", grace: .milliseconds(200))
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
    let (started, start) = AsyncStream<Void>.makeStream()
    let run = Task { await runs.runner.converse(lines: stream) { _ in start.finish() } }
    for await _ in started {}
    run.cancel()
    #expect(await run.value == .stopped)
    continuation.finish()
  }
}
