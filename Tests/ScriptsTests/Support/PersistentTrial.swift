import Streams
import Glibc
import Store
import TestSupport
import Values

@testable import Scripts

/// A folder of items, and a shell script that gets its changes as a persistent command.
final class PersistentTrial {
  let folder: TemporaryFolder
  let spy: DeliverySpy
  private let store: ItemStore
  private let results: LiveList<Item>
  private let sink: CommandSink
  private let written = Shared<[UInt8]>([])
  private let reported = Shared<[String]>([])
  private let task: Task<CommandSink.End, Never>

  /// What each script begins with. `next` reads and records a line, and sets `line` and `seq`; `ack`
  /// records and prints a number.
  private static let prelude = """
    cd "$0" || exit 99
    echo $$ >> ids
    next() {
      read -r line || return 1
      printf '%s\\n' "$line" | cut -c 1-100000 >> lines
      seq=$(printf '%s\\n' "$line" | sed 's/^{"v":1,"type":"update","seq":\\([0-9]*\\),.*/\\1/')
    }
    record() { echo "$1" >> acks; }
    ack() { record "$1"; echo "$1"; }

    """

  /// Starts a script. It runs in the folder; the items are in `items`.
  ///
  /// - Parameter change: Changes the options.
  init(
    _ script: String, label: String? = nil, log: Bool = true,
    _ change: (inout CommandSettings) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder(["items/a.yaml": "k: 1\n"])
    store = try ItemStore(at: "\(folder.path)/items", watching: !Self.runsOnce(change))
    results = store.list(FetchRequest())
    spy = DeliverySpy(folder.path)
    var options = CommandSettings()
    options.isPersistent = true
    options.onError = .retry
    change(&options)
    let launch = CommandLaunch(
      ["/bin/sh", "-c", Self.prelude + script, folder.path], output: .standardOutput, label: label,
      grace: .milliseconds(300))
    let runner = CommandRunner(launch, ProcessGroups(ShellRuns.childProcesses)) { [written] _, bytes in
      written.withLock { $0 += bytes }
    }
    var sink = CommandSink(
      launch, options, root: "\(folder.path)/items", clock: { Timestamp(seconds: 0, nanoseconds: 0) },
      report: { [reported] message in reported.withLock { $0.append(message) } })
    sink.runner = runner
    sink.backoff = Backoff(first: .milliseconds(10), max: .milliseconds(50))
    self.sink = sink
    let start = ScriptStart(.new, of: results, runsInitially: options.runsOnce, log: log ? spy : nil)
    task = Task { [sink] in await sink.follow(start) }
  }

  private static func runsOnce(_ change: (inout CommandSettings) -> Void) -> Bool {
    var options = CommandSettings()
    change(&options)
    return options.runsOnce
  }

  var reports: [String] { reported.withLock { $0 } }

  var output: String { String(decoding: written.withLock { $0 }, as: UTF8.self) }

  func text(_ name: String) -> String {
    (try? folder.bytes(of: name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  var processes: [pid_t] { text("ids").split(separator: "\n").compactMap { pid_t($0) } }

  func write(_ text: String, to name: String) throws { try folder.write(text, to: "items/\(name)") }

  func continueParked() { sink.continueParked() }

  /// Waits until the command has acknowledged the list as it is.
  func waitUntilDelivered(_ count: Int) async throws {
    try await waitUntil("\(count) items are acknowledged") {
      let state = spy.now
      return state.acknowledged.map {
        $0.count == count && $0.hasSameRows(as: results.snapshot) && results.snapshot.count == count
      } ?? false
    }
  }

  /// Waits for the end of the delivery.
  var end: CommandSink.End { get async { await task.value } }

  /// Ends the delivery, and returns what broke the rules.
  func stop() async -> [String] {
    task.cancel()
    var violations: [String] = []
    let end = await task.value
    if end != .closed { violations.append("the end is \(end)") }
    for process in processes where processState(process) != nil {
      violations.append("process \(process) is still there")
    }
    let tokens = spy.now.tokens
    for line in text("lines").split(separator: "\n")
    where !tokens.contains(where: { line.contains("\"token\":\"\($0)\"") }) {
      violations.append("a line was not offered: \(line)")
    }
    return violations + spy.now.violations
  }
}
