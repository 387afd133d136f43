import Foundation
import Glibc
import TestSupport

/// A watched folder `root`, and a script beside it that records each of its runs.
///
/// Run N writes its input and its environment to `runs/N`, executes the lines of the test, prints
/// `ran N` on standard error, and ends with `$status`, or with 0.
struct ScriptSpy: Sendable {
  struct Run: Sendable {
    /// The bytes of its standard input.
    let input: [UInt8]
    /// The variables whose names begin with `NOTES_WATCH_`, without that prefix.
    let environment: [String: String]
    /// The exit code that it chose; nil if it has not come to its end.
    let status: Int?

    var text: String { String(decoding: input, as: UTF8.self) }

    /// The update on its standard input.
    func update() throws -> JSON { try JSON(input) }

    /// The ids of the changes of its update, in order.
    func ids() throws -> [String] { try update().changes.list.compactMap(\.id.string) }
  }

  let folder: TemporaryFolder

  /// - Parameters:
  ///   - files: The texts of the items, by their paths below `root`.
  ///   - then: The shell commands of a run, after it has recorded its input. They run beside `root`;
  ///     `$n` is the number of the run.
  init(_ files: [String: String] = ["a.yaml": "k: 1\n"], then: String = "") throws {
    folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files.map { ("root/\($0.key)", $0.value) }))
    try folder.makeFolder("root")
    try folder.makeFolder("runs")
    try folder.write(
      """
      cd '\(folder.path)'
      exec 9> lock
      flock -n 9 || echo "run $$" >> overlaps
      n=1
      while [ -e runs/$n ]; do n=$((n+1)); done
      mkdir runs/$n
      cat > runs/$n/input
      tr '\\0' '\\n' < /proc/$$/environ | grep '^NOTES_WATCH_' > runs/$n/environment
      \(then)
      echo ${status:-0} > runs/$n/status
      echo "ran $n" >&2
      exit ${status:-0}

      """, to: "spy.sh")
  }

  var environment: [String: String] {
    ["XDG_STATE_HOME": "\(folder.path)/state", "PATH_TO_PROGRAM": BuiltProgram.path]
  }

  private func arguments(_ options: [String]) -> [String] {
    ["root"] + options + ["--", "/bin/sh", "\(folder.path)/spy.sh"]
  }

  /// Starts a watch that runs the spy, and waits until it has read the folder.
  func start(_ options: String...) async throws -> Program {
    let program = try BuiltProgram.start(
      arguments(["-o", "jsonl"] + options), environment: environment, in: folder.path)
    try await program.wait(until: "the snapshot") { $0.outputText.contains("\"type\":\"snapshot\"") }
    return program
  }

  /// Starts a watch without waiting, of which only the spy prints.
  func startAlone(_ options: String...) throws -> Program {
    try BuiltProgram.start(arguments(options), environment: environment, in: folder.path)
  }

  /// Runs the program with `--once` to its end.
  @discardableResult
  func once(_ options: String..., status: CInt = 0) async throws -> [Run] {
    let end = try await BuiltProgram.start(
      arguments(["--state", "spy", "--once"] + options), environment: environment, in: folder.path
    )
    .end()
    guard end.status == .exited(status) else {
      throw Program.Timeout(description: "--once: \(end.status.map { "\($0)" } ?? "") \(end.errorText)")
    }
    return try runs()
  }

  /// Waits until so many runs have ended, and returns all runs until then.
  @discardableResult
  func runs(_ count: Int, of program: Program) async throws -> [Run] {
    try await program.wait(until: "run \(count)") { $0.errorText.contains("ran \(count)\n") }
    return try runs()
  }

  /// Returns the recorded runs.
  func runs() throws -> [Run] {
    var runs: [Run] = []
    while FileManager.default.fileExists(atPath: "\(folder.path)/runs/\(runs.count + 1)/environment") {
      let text = String(decoding: try folder.bytes(of: "runs/\(runs.count + 1)/environment"), as: UTF8.self)
      let variables = text.split(separator: "\n").map {
        $0.dropFirst("NOTES_WATCH_".count).split(separator: "=", maxSplits: 1)
      }
      runs.append(
        Run(
          input: try folder.bytes(of: "runs/\(runs.count + 1)/input"),
          environment: Dictionary(variables.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) {
            $1
          },
          status: (try? folder.bytes(of: "runs/\(runs.count + 1)/status")).flatMap {
            Int(String(decoding: $0.dropLast(), as: UTF8.self))
          }))
    }
    return runs
  }

  /// Folds the updates of all runs that ended with 0.
  func consumer() throws -> ConsumerLog {
    var consumer = ConsumerLog()
    for run in try runs() where run.status == 0 { try consumer.apply(run.input) }
    return consumer
  }

  /// True if two runs were at work at the same time.
  var hasOverlap: Bool { FileManager.default.fileExists(atPath: "\(folder.path)/overlaps") }

  /// Saves an item with one line, in one step.
  func save(_ name: String, _ line: String) async throws {
    try await folder.replace("'root/\(name)'", with: line)
  }

  /// Creates several items in one step, in the folder `new`.
  func saveTogether(_ items: [String: String]) async throws {
    for (name, line) in items { try folder.write("\(line)\n", to: ".together/\(name)") }
    try await folder.shell("mv .together root/new")
  }
}

extension Program {
  /// Waits until the stream beside a command has printed so many updates.
  func updates(_ count: Int) async throws {
    try await wait(until: "\(count) updates") { $0.outputText.matches(of: /"type":"update"/).count >= count }
  }

  /// Kills the program, but not the commands that it runs, and waits until it is gone.
  func crash() async throws {
    kill(process, SIGKILL)
    try await wait(until: "an end") { $0.status != nil }
  }

  /// Ends the program with SIGTERM.
  func stop() async throws {
    kill(process, SIGTERM)
    _ = try await end()
  }
}
