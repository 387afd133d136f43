import Streams
import Files
import Glibc
import Store
import TestSupport
import Testing
import Values
import Processes

@testable import Scripts

/// Persistent commands with real processes, and a log that checks the order of what is recorded.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CommandSinkLinesTests {
  /// Each of these is a command that has every change in the end.
  private static let commands: [String: String] = [
    "acknowledges each line": "while next; do ack $seq; done",
    "writes other output in the same write":
      "while next; do record $seq; printf 'text 7\\n%s\\n8 more' $seq; echo; done",
    "acknowledges without a line feed, and ends": "next || exit 1; record $seq; printf %s $seq",
    "acknowledges several times": "while next; do ack $((seq - 1)); ack $seq; ack $seq; done",
    "writes leading zeros": "while next; do record $seq; echo 000$seq; done",
    "writes rubbish":
      "while next; do printf '0\\n-1\\n99999999999999999999999\\n1 2\\n'; echo $((seq + 1)); ack $seq; done",
    "ends before the acknowledgement":
      "next || exit 0; if [ -e twice ]; then rm twice; ack $seq; else touch twice; exit 3; fi; sleep 0.01",
    "ends after the acknowledgement": "next || exit 0; ack $seq; exit 4",
    "is killed": "while next; do if [ -e once ]; then ack $seq; else touch once; kill -KILL $$; fi; done",
    "does not read a line at first":
      "if [ -e once ]; then while next; do ack $seq; done; else touch once; exit 1; fi",
    "closes its input at first":
      "if [ -e once ]; then while next; do ack $seq; done; else touch once; exec <&-; sleep 0.05; fi",
    "floods its output": "yes text | head -c 3000000; while next; do yes 1 | head -c 300000; ack $seq; done",
    "leaves a process behind": "next || exit 0; sleep 100 & echo $! >> orphans; ack $seq",
    "acknowledges late": "while next; do sleep 0.05; ack $seq; done",
  ]

  @Test func `every change is delivered to a command`() async throws {
    try await concurrently(Self.commands) { name, command in try await Self.expectDelivery(to: command, name)
    }
  }

  private static func expectDelivery(to command: String, _ name: String) async throws {
    let trial = try PersistentTrial(command)
    try trial.write("k: 2\n", to: "b.yaml")
    try await trial.waitUntilDelivered(2)
    for number in 3...6 { try trial.write("k: \(number)\n", to: "\(number).yaml") }
    try await trial.waitUntilDelivered(6)
    try trial.folder.remove("items/3.yaml")
    try trial.write("k: 99\n", to: "a.yaml")
    try await trial.waitUntilDelivered(5)
    #expect(await trial.stop() == [], "\(name)")
    for process in trial.text("orphans").split(separator: "\n").compactMap({ pid_t($0) }) {
      kill(process, SIGKILL)
    }
  }

  @Test func `a long line is delivered, and may be left unread`() async throws {
    let trial = try PersistentTrial(
      "if [ -e once ]; then next; ack $seq; cat > /dev/null; else touch once; sleep 0.1; exit 1; fi")
    try trial.write("k: \(String(repeating: "x", count: 900_000))\n", to: "b.yaml")
    try await trial.waitUntilDelivered(2)
    #expect(await trial.stop() == [])
  }

  @Test func `other output passes through with the label`() async throws {
    let trial = try PersistentTrial(
      "echo started; while next; do echo \"has $seq\"; ack $seq; done", label: "index")
    try trial.write("k: 2\n", to: "b.yaml")
    try await trial.waitUntilDelivered(2)
    #expect(trial.output == "[index] started\n[index] has 2\n")
    #expect(await trial.stop() == [])
  }

  @Test func `a wrong number is reported once per process`() async throws {
    let trial = try PersistentTrial("while next; do echo 77; echo 78; ack $seq; echo 79; done")
    try trial.write("k: 2\n", to: "b.yaml")
    try await trial.waitUntilDelivered(2)
    #expect(
      trial.reports == [
        "`/bin/sh` wrote the line `77`, which is not a valid acknowledgement: only step 2 can be acknowledged now."
      ])
    #expect(trial.output.isEmpty)
    #expect(await trial.stop() == [])
  }

  @Test func `the command gets the root and clean descriptors`() async throws {
    let trial = try PersistentTrial(
      "printenv NOTES_WATCH_ROOT > root; ls /proc/self/fd | wc -l > fds; while next; do ack $seq; done")
    try trial.write("k: 2\n", to: "b.yaml")
    try await trial.waitUntilDelivered(2)
    #expect(trial.text("root") == "\(trial.folder.path)/items\n")
    // `ls` has the listed folder open.
    #expect(trial.text("fds") == "4\n")
    #expect(await trial.stop() == [])
  }

  @Test func `a command that never acknowledges is stopped, parked, and can be continued`() async throws {
    let trial = try PersistentTrial(
      "if [ -e good ]; then while next; do ack $seq; done; else cat > /dev/null; fi"
    ) {
      $0.timeout = .milliseconds(100)
      $0.maxFailures = 2
    }
    try trial.write("k: 2\n", to: "b.yaml")
    try await waitUntil("it is parked") { trial.reports.contains { $0.contains("SIGHUP") } }
    #expect(trial.reports.allSatisfy { $0.contains("did not acknowledge step 2 in time") })
    #expect(trial.processes.count == 2)
    #expect(trial.spy.now.acknowledgements == 0)
    try trial.folder.write("", to: "good")
    try trial.write("k: 3\n", to: "c.yaml")
    trial.continueParked()
    try await trial.waitUntilDelivered(3)
    #expect(await trial.stop() == [])
  }

  @Test func `with stop the program ends with the status of the command`() async throws {
    let trial = try PersistentTrial("next; ack $seq; next; exit 7") { $0.onError = .stop }
    try trial.write("k: 2\n", to: "b.yaml")
    try await trial.waitUntilDelivered(2)
    try trial.write("k: 3\n", to: "c.yaml")
    #expect(await trial.end == .status(7))
    #expect(trial.spy.now.acknowledgements == 1)
    #expect(trial.spy.now.violations == [])
  }

  @Test(arguments: [
    ("while next; do ack $seq; done", CInt(0)), ("next; ack $seq; exit 5", 5), ("exit 6", 6),
    ("next; exit 0", 1),
  ])
  func `once delivers everything and ends with the status of the command`(script: String, status: CInt)
    async throws
  {
    let trial = try PersistentTrial(script) {
      $0.runsOnce = true
      $0.onError = .next
    }
    #expect(await trial.end == .status(status))
    #expect(trial.spy.now.acknowledgements == (script.contains("ack") ? 1 : 0))
    #expect(trial.text("lines").contains("\"seq\":1,") == script.contains("next"))
    #expect(trial.spy.now.violations == [])
  }

  @Test func `the end kills a command that ignores the signal`() async throws {
    let trial = try PersistentTrial("trap '' TERM; while :; do next && ack $seq; sleep 0.01; done")
    try trial.write("k: 2\n", to: "b.yaml")
    try await trial.waitUntilDelivered(2)
    #expect(await trial.stop() == [])
  }

  @Test func `the last acknowledgement of a command that is stopped counts`() async throws {
    let trial = try PersistentTrial(
      "trap 'ack $seq; exit 0' TERM; next; touch read; while :; do sleep 0.01; done")
    try trial.write("k: 2\n", to: "b.yaml")
    try await waitUntil("the line is read") {
      !trial.text("lines").isEmpty && access("\(trial.folder.path)/read", F_OK) == 0
    }
    #expect(await trial.stop() == [])
    #expect(trial.spy.now.acknowledgements == 1)
  }

  @Test func `a command that cannot be started any more is parked`() async throws {
    let folder = try TemporaryFolder(["items/a.yaml": "k: 1\n"])
    let store = try ItemStore(at: "\(folder.path)/items")
    let results = store.list(FetchRequest())
    let launch = CommandLaunch(["\(folder.path)/gone"], output: .standardOutput)
    var options = CommandSettings()
    options.isPersistent = true
    options.maxFailures = 2
    let reports = Shared<[String]>([])
    var sink = CommandSink(
      launch, options, root: folder.path, clock: { Timestamp(seconds: 0, nanoseconds: 0) },
      report: { message in reports.withLock { $0.append(message) } })
    sink.runner = CommandRunner(launch, ProcessGroups(ShellRuns.childProcesses))
    sink.backoff = Backoff(first: .milliseconds(1))
    let start = ScriptStart(.new, of: results, runsInitially: false)
    let task = Task { [sink] in await sink.follow(start) }
    try await waitUntil("it is parked") { reports.withLock { $0.count } == 2 }
    #expect(reports.withLock { $0.allSatisfy { $0.contains("cannot be run") } })
    task.cancel()
    #expect(await task.value == .closed)
  }

  /// A command that ends, hangs or is killed at random, and edits at the same time.
  @Test func `nothing is lost with a command that often fails`() async throws {
    for seed in Randomness.seeds(3) {
      var random = SeededGenerator(seed: seed)
      let trial = try PersistentTrial(
        """
        n=$(cat count 2>/dev/null || echo \(random.below(6))); echo $((n + 1)) > count
        case $((n % 6)) in
        0) next; ack $seq; exit 1;;
        1) next; exit 1;;
        2) kill -KILL $$;;
        3) while next; do ack $seq; done;;
        4) next; ack $seq; next; record $seq; printf "$seq"; kill -TERM $$;;
        5) cat > /dev/null;;
        esac
        """
      ) {
        $0.timeout = .milliseconds(300)
        $0.maxFailures = 1000
      }
      var files: Set<String> = ["a.yaml"]
      for round in 0..<25 {
        let name = "\(random.below(8)).yaml"
        if files.contains(name), random.oneIn(3) {
          try trial.folder.remove("items/\(name)")
          files.remove(name)
        } else {
          try trial.write("k: \(round)\n", to: name)
          files.insert(name)
        }
        await Alarm.wait(for: .milliseconds(random.below(60)))
        if random.oneIn(4), let process = trial.processes.last { kill(process, SIGKILL) }
      }
      try await trial.waitUntilDelivered(files.count)
      #expect(await trial.stop() == [], "\(seedNote(seed))")
    }
  }
}
