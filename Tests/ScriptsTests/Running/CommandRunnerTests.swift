import Files
import Glibc
import TestSupport
import Testing
import Processes

@testable import Scripts

@Suite(.serialized, .timeLimit(.minutes(3))) struct CommandRunnerTests {
  @Test func `a run gets its input and the additions to the environment, byte for byte`() async throws {
    let runs = try ShellRuns("cat > input; printenv ADDED > added; printenv PATH > path")
    let end = await runs.runner.run(
      input: Array("line\n".utf8), environment: [("ADDED", Array("a b\n".utf8) + [0xFF])])
    #expect(end == .exited(0))
    #expect(runs.text("input") == "line")
    #expect(runs.text("added") == "a b\n\u{FFFD}")
    #expect(runs.text("path") == String(cString: getenv("PATH")))
  }

  @Test(arguments: [
    ("exit 3", RunEnd.exited(3)), ("kill -KILL $$", .signaled(SIGKILL)), ("exit 0", .exited(0)),
  ])
  func `the end of a run is the end of its command`(script: String, end: RunEnd) async throws {
    let runs = try ShellRuns(script)
    #expect(await runs.runner.run(input: []) == end)
  }

  @Test func `a command that does not exist is not started`() async {
    for words in [["/no/such/command"], ["no-such-command"], ["/"], []] {
      let runner = CommandRunner(
        CommandLaunch(words, output: .standardError), ProcessGroups(ShellRuns.childProcesses))
      guard case .notStarted(let sentence) = await runner.run(input: []) else {
        Issue.record("\(words) was started")
        continue
      }
      #expect(sentence.hasSuffix("."))
      #expect(!sentence.contains(".."))
      #expect(!sentence.dropFirst().contains("The command"))
    }
  }

  @Test func `a command is found on the search path`() async {
    let launch = CommandLaunch(["true"], output: .standardError)
    #expect(launch.missingProgram() == nil)
    #expect(await CommandRunner(launch, ProcessGroups(ShellRuns.childProcesses)).run(input: []) == .exited(0))
  }

  @Test(arguments: [
    ("no-such-command", "Give its path, or install it."), ("echo hi", "Give its arguments as separate words"),
    ("", "an empty string"),
    ("./no such command", "there is no such file or folder."),
  ])
  func `a command that is not found is explained`(program: String, expected: String) throws {
    let message = try #require(CommandLaunch([program], output: .standardError).missingProgram())
    #expect(message.contains(expected), "\(message)")
  }

  @Test(arguments: ["exit 0", "exec <&-; sleep 0.1", "head -c 100 > part"])
  func `a command may leave 10 MB of input unread`(script: String) async throws {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000_000)
    let runs = try ShellRuns(script)
    #expect(await runs.runner.run(input: line) == .exited(0))
  }

  @Test func `a command that leaves its input unread changes no signal of the program`() async throws {
    let isOwn = try await SignalAction.withOwn(of: SIGPIPE) {
      let runs = try ShellRuns("exec <&-; sleep 0.1")
      let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
      #expect(await runs.runner.run(input: line) == .exited(0))
    }
    #expect(isOwn)
    #expect(SignalAction.calls == 0)
  }

  @Test func `a command may read 10 MB of input slowly`() async throws {
    let runs = try ShellRuns("head -c 100000 > first; sleep 0.1; cat > rest; wc -c < rest > size")
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000_000)
    #expect(await runs.runner.run(input: line) == .exited(0))
    #expect(runs.text("size") == "9900000")
  }

  @Test func `a process that keeps the unread input open does not delay the end`() async throws {
    let runs = try ShellRuns("sleep 1000 & echo $! > child")
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000_000)
    let start = ContinuousClock.now
    #expect(await runs.runner.run(input: line) == .exited(0))
    #expect(start.duration(to: .now) < .seconds(60))
    for process in runs.processes("child") { kill(process, SIGKILL) }
  }

  @Test func `a child has three descriptors and no blocked or ignored signal`() async throws {
    let runs = try ShellRuns(
      "ls -l /proc/self/fd > .fd; grep Sig /proc/self/status > .signals; mv .fd fd; mv .signals signals")
    #expect(await runs.runner.run(input: Array("x".utf8)) == .exited(0))
    let descriptors = try await runs.wait(for: "fd").matches(of: /\ (\d+)\ ->/).compactMap { Int($0.1) }
    // `ls` has the listed folder open.
    #expect(Set(descriptors).subtracting([0, 1, 2]).count <= 1)
    let signals = try await runs.wait(for: "signals")
    for mask in ["SigBlk", "SigIgn"] {
      let found = try #require(
        signals.firstMatch(of: try Regex("\(mask):\t([0-9a-f]{16})", as: (Substring, Substring).self))?.1)
      // 32 and 33 belong to the C library, and no program can set them.
      #expect(UInt64(found, radix: 16).map { $0 & ~0x1_8000_0000 } == 0, "\(signals)")
    }
  }

  @Test func `a child leads a process group of its own`() async throws {
    let runs = try ShellRuns("echo $$ $(ps -o pgid= -p $$) > ids")
    #expect(await runs.runner.run(input: []) == .exited(0))
    let ids = runs.processes("ids")
    #expect(ids.count == 2)
    #expect(ids.first == ids.last)
    #expect(ids.first != getpgrp())
  }

  @Test func `a run leaves no zombie and no descriptor`() async throws {
    let runs = try ShellRuns("cat > /dev/null; echo $$ >> ids")
    _ = await runs.runner.run(input: Array("line\n".utf8))
    let before = openDescriptors
    for _ in 0..<20 {
      #expect(await runs.runner.run(input: Array("line\n".utf8), timeout: .seconds(1000)) == .exited(0))
    }
    try await waitUntil("the pipes are closed") { openDescriptors <= before }
    let ids = runs.processes("ids")
    #expect(ids.count == 21)
    for id in ids { #expect(processState(id) == nil) }
  }

  @Test func `a run that takes too long is stopped with its group`() async throws {
    let runs = try ShellRuns("sleep 1000 & echo $$ $! > .ids; mv .ids ids; wait")
    #expect(await runs.runner.run(input: [], timeout: .milliseconds(300)) == .timedOut)
    let ids = runs.processes("ids")
    #expect(ids.count == 2)
    for id in ids { try await waitUntil("\(id) is gone") { [nil, "Z"].contains(processState(id)) } }
  }

  @Test func `a run that ignores the signal is killed after the grace period`() async throws {
    let runs = try ShellRuns(
      "trap '' TERM; echo $$ > .ids; mv .ids ids; while :; do sleep 0.05; done", grace: .milliseconds(300))
    let start = ContinuousClock.now
    #expect(await runs.runner.run(input: [], timeout: .milliseconds(200)) == .timedOut)
    #expect(start.duration(to: .now) >= .milliseconds(500))
    for id in runs.processes("ids") { #expect(processState(id) == nil) }
  }

  @Test func `a timeout counts even if the command then ends well`() async throws {
    let runs = try ShellRuns("trap 'exit 0' TERM; touch ready; while :; do sleep 0.01; done")
    #expect(await runs.runner.run(input: [], timeout: .milliseconds(300)) == .timedOut)
  }

  @Test func `a cancelled run is stopped`() async throws {
    let runs = try ShellRuns("echo $$ > .ids; mv .ids ids; sleep 1000")
    let run = Task { await runs.runner.run(input: []) }
    _ = try await runs.wait(for: "ids")
    run.cancel()
    #expect(await run.value == .stopped)
    for id in runs.processes("ids") { #expect(processState(id) == nil) }
  }

  @Test func `a cancelled task starts nothing`() async throws {
    let runs = try ShellRuns("touch ran")
    let run = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await runs.runner.run(input: [])
    }
    #expect(await run.value == .stopped)
    #expect(runs.text("ran") == nil)
  }

  @Test func `cancelling at any time neither hangs nor leaves a process`() async throws {
    for seed in Randomness.seeds(40) {
      var random = SeededGenerator(seed: seed)
      let runs = try ShellRuns("echo $$ > ids; \(random.oneIn(2) ? "sleep 0.01" : "sleep 1000")")
      let run = Task { await runs.runner.run(input: Array("line\n".utf8)) }
      await Alarm.wait(for: .microseconds(random.below(15_000)))
      run.cancel()
      let end = await run.value
      #expect([.stopped, .exited(0)].contains(end), "\(seedNote(seed))")
      for id in runs.processes("ids") { #expect(processState(id) == nil, "\(seedNote(seed))") }
    }
  }
}
