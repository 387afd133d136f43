import Foundation
import Glibc
import TestSupport
import Testing

/// The watch is killed at random moments while the folder changes. Afterwards each consumer has
/// the list that `list` prints, without a gap, and at most one update came twice per round.
///
/// `make test` kills each kind of consumer 20 times, `make stress` 1,000 times.
@Suite(.serialized, .timeLimit(.minutes(60))) struct KillTests {
  private static let lives = 2

  // MARK: Commands

  /// A command that keeps its input, if it is complete: a killed watch may have written only a part.
  private static let command = """
    input=$(cat)
    case $input in *']}') printf '%s\\n' "$input" >> "$CONSUMER/log";; *) exit 1;; esac
    echo done >&2
    """

  private static let persistentCommand = """
    while read -r line; do
      printf '%s\\n' "$line" >> "$CONSUMER/log"
      seq=${line#*\\"seq\\":}; echo ${seq%%,*}
      echo done >&2
    done
    """

  @Test func `a command loses nothing`() async throws {
    for seed in Randomness.seeds(Self.lives) { try await run(Self.command, [], seed) }
  }

  @Test func `a command for each item loses nothing`() async throws {
    for seed in Randomness.seeds(Self.lives) {
      try await run(Self.command, ["--each", "--stdin", "update"], seed)
    }
  }

  @Test func `a persistent command loses nothing`() async throws {
    for seed in Randomness.seeds(Self.lives) { try await run(Self.persistentCommand, ["--persistent"], seed) }
  }

  private func run(_ command: String, _ options: [String], _ seed: UInt64) async throws {
    var life = try KillRounds(seed: seed)
    let log = "\(life.outside.path)/log"
    let hasSections = life.hasSections
    for round in 0...KillRounds.rounds {
      let program = try BuiltProgram.start(
        [life.root.path] + life.view + ["--initial", "--state", "\(life.outside.path)/reader"] + options + [
          "--", "/bin/sh", "-c", command,
        ],
        environment: life.environment)
      // Some watches are killed while they start or catch up.
      if round == KillRounds.rounds || !life.random.oneIn(4) {
        let truth = try await life.truth()
        try await program.wait(until: "\(truth), round \(round), \(seedNote(seed))") { _ in
          try Self.consumer(log, hasSections).list() == truth
        }
      }
      if round == KillRounds.rounds { break }
      for _ in 0..<life.random.below(4) {
        try life.edit()
        try await life.pause()
      }
      try await program.crash()
      try await life.endOrphans()
      if life.random.oneIn(2) { try life.edit() }
    }
    let consumer = try Self.consumer(log, hasSections)
    #expect(consumer.repeats <= KillRounds.rounds, "\(seedNote(seed))")
  }

  /// Folds the updates that a command has kept.
  ///
  /// - Throws: if there is a gap.
  private static func consumer(_ log: String, _ hasSections: Bool) throws -> ConsumerLog {
    var consumer = ConsumerLog(hasSections: hasSections)
    // The last line may not be complete yet.
    let lines = ((try? Data(contentsOf: URL(fileURLWithPath: log))) ?? Data()).split(
      separator: 10, omittingEmptySubsequences: false)
    for line in lines.dropLast() { try consumer.apply(line) }
    return consumer
  }

  // MARK: Readers

  /// The reader crashes, too: it uses some of the lines that were written, and continues after the
  /// last one that it used.
  @Test func `a reader with --since loses nothing`() async throws {
    for seed in Randomness.seeds(Self.lives) {
      var life = try KillRounds(seed: seed)
      var reader = StreamReader()
      for round in 0...KillRounds.rounds {
        let stream = try WatchRun(
          life.root,
          life.view + ["--state", "\(life.outside.path)/reader"] + [
            "--since", reader.hasSnapshot ? reader.token : "none",
          ],
          environment: life.environment)
        var used = 0
        if round == KillRounds.rounds || !life.random.oneIn(4) {
          let truth = try await life.truth()
          while try !reader.hasSnapshot || Self.list(reader) != truth {
            try Self.use(try await stream.nextLine(), &reader)
            used += 1
          }
        }
        for _ in 0..<life.random.below(4) {
          try life.edit()
          try await life.pause()
        }
        kill(stream.program.process, SIGKILL)
        let end = try await stream.program.end()
        let more = end.output.split(separator: 10, omittingEmptySubsequences: false).dropLast().dropFirst(
          used)
        for line in more.prefix(life.random.oneIn(2) ? life.random.below(5) : .max) {
          try Self.use(line, &reader)
        }
        // Nothing is known of a hello without a list.
        if !reader.hasSnapshot { reader = StreamReader() }
        if life.random.oneIn(2) { try life.edit() }
      }
    }
  }

  /// Applies a line. A reader that has nothing asks for a token that does not exist, because the
  /// list may have been written before the reader crashed.
  private static func use(_ line: some Sequence<UInt8>, _ reader: inout StreamReader) throws {
    let line = Array(line)
    if !reader.hasSnapshot, try JSON(line).code == "gone" { return }
    try reader.apply(line)
  }

  private static func list(_ reader: StreamReader) throws -> [JSON] {
    let values = try reader.items()
    return reader.ids.map { ["id": .string($0.description), "value": values[$0.description] ?? .null] }
  }
}
