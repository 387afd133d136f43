import Foundation
import Glibc
import TestSupport
import Testing

/// Each write, flush and truncation of a state fails once. The stream goes on, and the next one
/// continues from what the reader has.
@Suite(
  .serialized, .timeLimit(.minutes(20)),
  .enabled(if: Fault.isPossible, "needs strace, and cannot run under strace itself"))
struct StateFaultTests {
  private static let calls = ["pwrite64", "write", "fsync", "fdatasync", "ftruncate", "openat", "unlink"]

  /// The files of the state.
  private static func paths(_ file: String) -> [String] {
    ["", "-wal", "-shm", "-journal"].flatMap { ["-P", file + $0] }
  }

  @Test func `each call on the state may fail`() async throws {
    let counts = try await Self.countCalls()
    #expect((counts["fsync"] ?? 0) + (counts["fdatasync"] ?? 0) > 2, "\(counts)")
    #expect((counts["pwrite64"] ?? 0) + (counts["write"] ?? 0) > 2, "\(counts)")
    var faults: [Fault] = []
    for call in Self.calls {
      guard let count = counts[call], count > 0 else { continue }
      for error in call == "fsync" || call == "fdatasync" ? ["EIO"] : ["EIO", "ENOSPC"] {
        // A stress run tries all calls, other runs some of each kind.
        let step = Randomness.factor > 1 ? 1 : max(1, count / 3)
        for number in stride(from: 1, through: count, by: step) {
          faults.append(Fault(call, error, "\(number)"))
        }
      }
    }
    #expect(!faults.isEmpty)
    try await concurrently(faults) { try await Self.check($0) }
  }

  /// The script of a test: edits, each of which the reader awaits.
  private static let edits = [
    "echo 'k: 2' > a.yaml", "rm b.yaml", "echo 'k: 3' > c.yaml; echo 'k: 4' > d.yaml", "echo 'k: 5' > a.yaml",
  ]

  private static func check(_ fault: Fault) async throws {
    let reader = try ResumableFolder()
    let file = "\(reader.states.path)/state"
    let program = try traced(
      reader, file, ["-e", "inject=\(fault.call):error=\(fault.error):when=\(fault.when)"], log: "/dev/null")
    let stream = WatchRun(reader.folder, program)
    var consumer = StreamReader()
    do {
      for _ in 0..<2 { try consumer.apply(try await stream.nextLine()) }
      for edit in edits {
        try await reader.folder.shell(edit)
        let updates = consumer.updates
        while consumer.updates == updates { try consumer.apply(try await stream.nextLine()) }
      }
      let truth = try await BuiltProgram.items(in: reader.folder.path)
      while try consumer.items() != truth { try consumer.apply(try await stream.nextLine()) }
    } catch {
      Issue.record("\(fault): \(error)")
      return
    }
    program.signal(9)
    let report = try await program.end().errorText
    try await reader.folder.shell("echo 'k: 9' > e.yaml")
    try await checkResumption(reader, file, consumer, "\(fault), \(report)")
  }

  /// A state that could not be opened at the start is reported, and its position is gone. Otherwise
  /// one failure is repaired at once.
  private static func checkResumption(
    _ reader: ResumableFolder, _ file: String, _ known: StreamReader, _ fault: String
  ) async throws {
    var consumer = known
    let again = try reader.stream("--state", file, "--since", known.token)
    let hello = try await again.nextLine()
    if try JSON(Data(hello)).since == .string(known.token) {
      try consumer.apply(hello)
      try consumer.apply(try await again.nextLine())
      let truth = try await BuiltProgram.items(in: reader.folder.path)
      #expect(try consumer.items() == truth, "\(fault)")
    } else {
      let error = try await again.next()
      #expect(fault.contains("Nothing is recorded"), "\(error)")
    }
  }

  private static func traced(_ reader: ResumableFolder, _ file: String, _ options: [String], log: String)
    throws -> Program
  {
    try Program(
      SystemCalls.strace,
      ["-f", "-o", log, "-e", "trace=" + calls.joined(separator: ",")] + paths(file) + options
        + [BuiltProgram.path, reader.folder.path, "-o", "jsonl", "--state", file],
      environment: reader.environment,
      folder: reader.states.path)
  }

  /// Returns how often each call is made without faults.
  private static func countCalls() async throws -> [String: Int] {
    let reader = try ResumableFolder()
    let program = try traced(reader, "\(reader.states.path)/state", [], log: "\(reader.states.path)/trace")
    let stream = WatchRun(reader.folder, program)
    try await stream.begin()
    for edit in edits {
      try await reader.folder.shell(edit)
      _ = try await stream.next()
    }
    program.signal(9)
    _ = try await program.end()
    let trace = try await reader.states.shell("cat trace")
    return trace.matches(of: /\d+ +([a-z0-9]+)\(/).reduce(into: [:]) { $0[String($1.1), default: 0] += 1 }
  }
}
