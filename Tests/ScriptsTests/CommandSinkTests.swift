import SampleLists
import Foundation
import Glibc
import Store
import TestSupport
import Testing

@testable import Scripts

/// Shell scripts that follow a live list.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CommandSinkTests {
  /// Waits until a script has written a number of lines to a file.
  @discardableResult
  private static func wait(_ script: FollowedScript, for count: Int, in name: String = "log") async throws
    -> [String]
  {
    try await waitUntil("\(name) has \(count) lines") { script.lines(name).count >= count }
    return script.lines(name)
  }

  private static func json(_ line: String) throws -> JSON { try JSON(Array(line.utf8)) }

  @Test func `a run is offered before it begins and acknowledged after it succeeded`() async throws {
    let script = try FollowedScript("cat >> log; while [ -e wait ]; do sleep 0.02; done")
    try script.work.write("", to: "wait")
    try script.write("k: 2\n", to: "a.yaml")
    try await CommandSinkTests.wait(script, for: 1)
    #expect(script.log.calls == ["begin 1", "ack 1", "offer 2"])
    try script.work.remove("wait")
    try await waitUntil("the run is acknowledged") { script.log.calls.last == "ack 2" }
    #expect(script.log.list == FoldedList(script.results.snapshot))
    #expect(await script.cancel() == .closed)
    #expect(script.log.mistakes == [])
  }

  @Test func `a run gets the update and its position in the environment`() async throws {
    let script = try FollowedScript("cat >> log; env | grep ^NOTES_WATCH_ | sort >> env; echo >> env")
    try script.write("k: secret\n", to: "secret-name.yaml")
    try await CommandSinkTests.wait(script, for: 1)
    try script.write("k: 2\n", to: "a.yaml")
    let updates = try await CommandSinkTests.wait(script, for: 2).map(CommandSinkTests.json)
    try await waitUntil("both runs are acknowledged") { script.log.calls.last == "ack 3" }
    let runs = script.text("env").components(separatedBy: "\n\n").prefix(2).map { text in
      Dictionary(
        uniqueKeysWithValues: text.split(separator: "\n").map { line in
          let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
          return (parts[0], parts.count > 1 ? parts[1] : "")
        })
    }
    #expect(runs.map { $0["NOTES_WATCH_SEQ"] } == ["2", "3"])
    #expect(runs.map { $0["NOTES_WATCH_COUNT"] } == ["2", "2"])
    #expect(runs.map { $0["NOTES_WATCH_ROOT"] } == [script.items.path, script.items.path])
    for (run, update) in zip(runs, updates) {
      #expect(run["NOTES_WATCH_TOKEN"] == update.token.string)
      #expect(run["NOTES_WATCH_SINCE"] == update.since.string)
      #expect(run["NOTES_WATCH_PATH"] == nil)
    }
    #expect(!script.text("env").contains("secret"))
    _ = await script.cancel()
  }

  @Test func `from nothing, the first run is step 1 and has the complete list`() async throws {
    let script = try FollowedScript(
      "cat >> log", files: ["a.yaml": "k: 1\n", "b.yaml": "k: 2\n"], isFromNothing: true)
    let update = try CommandSinkTests.json(try await CommandSinkTests.wait(script, for: 1)[0])
    #expect(update.seq == 1)
    #expect(update.cause == "rescanned")
    #expect(update.changes.list.map(\.op) == ["insert", "insert"])
    try await waitUntil("the run is acknowledged") {
      script.log.calls == ["begin 0", "ack 0", "offer 1", "ack 1"]
    }
    _ = await script.cancel()
    #expect(script.log.mistakes == [])
  }

  @Test func `from nothing, an empty list needs no run`() async throws {
    let script = try FollowedScript("cat >> log", files: [:], isFromNothing: true) { $0.runsOnce = true }
    #expect(await script.end() == .status(0))
    #expect(script.log.calls == ["begin 0", "ack 0"])
  }

  @Test func `once ends with the status of the run`() async throws {
    for status in [0, 7] {
      let script = try FollowedScript("exit \(status)", isFromNothing: true) { $0.runsOnce = true }
      #expect(await script.end() == .status(CInt(status)))
      #expect(script.log.calls.last == (status == 0 ? "ack 1" : "offer 1"))
    }
  }

  @Test func `each run for one item has its operation and its path`() async throws {
    let script = try FollowedScript(
      "cat >> log; echo \"$NOTES_WATCH_SEQ $NOTES_WATCH_OP $NOTES_WATCH_PATH\" >> ops; while [ -e wait ]; do sleep 0.02; done",
      files: ["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"]
    ) { $0.isEach = true }
    try script.work.write("", to: "wait")
    try script.write("k: 2\n", to: "a.yaml")
    try await CommandSinkTests.wait(script, for: 1)
    try script.items.remove("b.yaml")
    try script.write("k: 1\n", to: "50% off\u{7}.yaml")
    try await waitUntil("both changes are in the list") {
      script.results.snapshot.list.itemIdentifiers.map(\.description) == ["50%25 off%07", "a"]
    }
    try script.work.remove("wait")
    let ops = try await CommandSinkTests.wait(script, for: 3, in: "ops")
    #expect(ops == ["2 update a.yaml", "3 delete b.yaml", "4 insert 50%25 off%07.yaml"])
    try await CommandSinkTests.wait(script, for: 3)
    let changes = try script.lines("log").map(CommandSinkTests.json)
    #expect(changes.map(\.op) == ["update", "delete", "insert"])
    try await waitUntil("all runs are acknowledged") { script.log.calls.last == "ack 4" }
    _ = await script.cancel()
    #expect(script.log.mistakes == [])
  }

  @Test func `a failed run is tried again after a delay, with what came since`() async throws {
    let script = try FollowedScript("cat >> log; [ -e fixed ] || exit 3") { $0.onError = .retry }
    try script.write("k: 2\n", to: "a.yaml")
    try await waitUntil("a report") { !script.messages.isEmpty }
    let failed = ContinuousClock.now
    #expect(
      script.messages[0].hasPrefix("`/bin/sh` failed with exit code 3. Its change will be tried again in "))
    try script.work.write("", to: "fixed")
    try script.write("k: 2\n", to: "b.yaml")
    let lines = try await CommandSinkTests.wait(script, for: 2)
    #expect(ContinuousClock.now - failed > .seconds(0.8))
    let updates = try lines.map(CommandSinkTests.json)
    #expect(updates.map(\.seq) == [2, 2])
    #expect(updates[0].since == updates[1].since)
    #expect(updates[0].token != updates[1].token)
    #expect(updates[1].changes.list.map(\.op) == ["insert", "update"])
    try await waitUntil("the run is acknowledged") {
      script.log.calls == ["begin 1", "ack 1", "offer 2", "offer 2", "ack 2"]
    }
    _ = await script.cancel()
    #expect(script.log.mistakes == [])
  }

  @Test func `a parked command runs again when it is continued`() async throws {
    let script = try FollowedScript("cat >> log; [ -e fixed ] || exit 3") {
      $0.onError = .retry
      $0.maxFailures = 1
    }
    try script.write("k: 2\n", to: "a.yaml")
    try await waitUntil("a report") { script.messages.contains { $0.contains("SIGHUP") } }
    #expect(script.messages[0].contains("after step 1 "))
    try script.work.write("", to: "fixed")
    script.sink.continueParked()
    try await waitUntil("the run is acknowledged") { script.log.calls.last == "ack 2" }
    #expect(script.messages.last == "`/bin/sh` continues after step 1.")
    _ = await script.cancel()
  }

  @Test func `stop returns the status of the failed run`() async throws {
    let script = try FollowedScript("kill -9 $$") { $0.onError = .stop }
    try script.write("k: 2\n", to: "a.yaml")
    #expect(await script.end() == .status(137))
    #expect(script.log.calls.last == "offer 2")
  }

  @Test func `a run that takes too long has failed`() async throws {
    let script = try FollowedScript("echo >> log; [ -e fixed ] || sleep 1000") {
      $0.timeout = .milliseconds(200)
      $0.onError = .stop
    }
    try script.write("k: 2\n", to: "a.yaml")
    #expect(await script.end() == .status(124))
  }

  @Test func `restart stops the run when a change comes`() async throws {
    let script = try FollowedScript("cat >> log; [ -e fixed ] || { echo $$ > process; exec sleep 1000; }") {
      $0.onBusy = .restart
    }
    try script.write("k: 2\n", to: "a.yaml")
    try await CommandSinkTests.wait(script, for: 1, in: "process")
    try script.work.write("", to: "fixed")
    try script.write("k: 1\n", to: "b.yaml")
    try await waitUntil("the second run is acknowledged") { script.log.calls.last == "ack 2" }
    #expect(script.log.calls == ["begin 1", "ack 1", "offer 2", "offer 2", "ack 2"])
    #expect(script.messages == [])
    let process = try #require(pid_t(script.lines("process")[0]))
    #expect(kill(process, 0) != 0)
    #expect(script.log.list == FoldedList(script.results.snapshot))
    _ = await script.cancel()
  }

  // MARK: The end

  @Test func `cancelling during a run ends its processes`() async throws {
    let script = try FollowedScript("sleep 1000 & echo $! > process; wait")
    try script.write("k: 2\n", to: "a.yaml")
    try await CommandSinkTests.wait(script, for: 1, in: "process")
    #expect(await script.cancel() == .closed)
    let process = try #require(pid_t(script.lines("process")[0]))
    try await waitUntil("the process is gone") { kill(process, 0) != 0 || processState(process) == "Z" }
    #expect(script.log.calls.last == "offer 2")
  }

  @Test func `cancelling during a back-off or a git operation ends at once`() async throws {
    let failing = try FollowedScript("exit 1") { $0.onError = .retry }
    try failing.write("k: 2\n", to: "a.yaml")
    try await waitUntil("a report") { !failing.messages.isEmpty }
    let waiting = try FollowedScript(
      "echo >> log", files: ["a.yaml": "k: 1\n", ".git/HEAD": "", ".git/MERGE_HEAD": ""]
    ) {
      $0.defersGit = .seconds(600)
    }
    try waiting.write("k: 2\n", to: "a.yaml")
    try await waitUntil("the change is in the list") { waiting.value(of: "a") == .int(2) }
    let start = ContinuousClock.now
    #expect(await failing.cancel() == .closed)
    #expect(await waiting.cancel() == .closed)
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(waiting.lines("log") == [])
  }

  // MARK: Git

  @Test func `no run begins before a git operation has ended`() async throws {
    let script = try FollowedScript(
      "cat >> log", files: ["a.yaml": "k: 1\n", ".git/HEAD": "", ".git/BISECT_LOG": ""]
    ) {
      $0.defersGit = .seconds(600)
    }
    for value in 2...4 {
      try script.write("k: \(value)\n", to: "a.yaml")
      try await waitUntil("the change is in the list") { script.value(of: "a") == .int(value) }
    }
    #expect(script.log.calls == ["begin 1", "ack 1"])
    try script.items.remove(".git/BISECT_LOG")
    try await waitUntil("the run is acknowledged") { script.log.calls.last == "ack 2" }
    #expect(script.lines("log").count == 1)
    _ = await script.cancel()
  }

  // MARK: Anything

  @Test func `a script that fails at random loses nothing`() async throws {
    for seed in Randomness.seeds(3) {
      var random = SeededGenerator(seed: seed)
      let options = random.below(4)
      let script = try FollowedScript(
        "cat > /dev/null; echo run >> log; [ -e fixed ] || [ $(( ($(wc -l < log) * 7919 + \(seed % 97)) % 3 )) = 0 ]"
      ) {
        $0.isEach = options == 1
        $0.splitsOnError = options == 2
        $0.onBusy = options == 3 ? .restart : .queue
      }
      for round in 0..<40 {
        let name = "i\(random.below(8)).yaml"
        if random.oneIn(4), round > 0 {
          try? script.items.remove(name)
        } else {
          try script.write("k: \(random.below(5))\n", to: name)
        }
        if round % 8 == 0 { try await waitUntil("a run") { !script.lines("log").isEmpty } }
      }
      try script.work.write("", to: "fixed")
      try script.write("k: last\n", to: "last.yaml")
      // A failed change comes with the next one.
      var count = 0
      try await waitUntil("everything is acknowledged: \(seedNote(seed)): \(script.messages)") {
        count += 1
        if count % 100 == 0 { try? script.write("k: \(count)\n", to: "last.yaml") }
        return script.value(of: "last") != nil && script.log.list == FoldedList(script.results.snapshot)
      }
      _ = await script.cancel()
      #expect(script.log.mistakes == [], "\(seedNote(seed))")
    }
  }
}
