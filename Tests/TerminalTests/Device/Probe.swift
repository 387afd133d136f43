import Foundation
import Glibc
import TestSupport
import Testing

/// The test program in a terminal, and what it recorded.
final class Probe {
  let terminal: PseudoTerminal
  private let folder: TemporaryFolder
  private let settings: [UInt8]

  /// Starts the program and waits for its first frame.
  ///
  /// - Parameters:
  ///   - prefix: The words of a command that runs the program.
  ///   - answers: The queries that the terminal answers.
  init(
    prefix: [String] = [], rows: String? = nil, answers: [String: String] = [:],
    slowness: (bytes: Int, microseconds: UInt32)? = nil,
    size: (columns: Int, rows: Int) = (80, 24)
  ) throws {
    folder = try TemporaryFolder([:])
    terminal = try PseudoTerminal(columns: size.columns, rows: size.rows)
    terminal.answers = answers
    terminal.slowness = slowness
    settings = terminal.settings
    let words =
      prefix + [BuiltProgram.path(of: "DeviceProbe"), folder.path + "/log"] + (rows.map { [$0] } ?? [])
    try terminal.run(words[0], Array(words[1...]))
    #expect(terminal.awaitText("ready"))
  }

  /// The lines that the program has recorded.
  var log: [String] {
    let text = (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// Types keys while the program reads nothing, then lets it read them all.
  func typeAtOnce(_ keys: String) {
    terminal.type("h")
    #expect(awaitLine("held"))
    terminal.type(keys)
    let gate = open(folder.path + "/log.go", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    #expect(write(gate, "x", 1) == 1)
    close(gate)
  }

  /// The process of the program.
  var process: pid_t? { log.first.flatMap { $0.split(separator: " ").last }.flatMap { pid_t($0) } }

  /// Waits until a condition holds, while nobody reads what the program writes.
  ///
  /// - Returns: False if it does not hold after ten seconds.
  func eventuallyUnread(_ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(10 * Patience.factor)
    while !condition() {
      if .now > end { return false }
      // The conditions are about other processes, which report nothing here while nobody reads.
      usleep(1_000)
    }
    return true
  }

  /// Waits until the program has recorded a line.
  func awaitLine(_ line: String, count: Int = 1) -> Bool {
    terminal.eventually { self.log.count { $0 == line } >= count }
  }

  /// Expects that the program ended with this status, that the terminal is as it was, and that it
  /// was restored once.
  func expectRestored(status: Int, entries: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      terminal.awaitText("ended \(status)"), "\(terminal.text.suffix(300).debugDescription)",
      sourceLocation: sourceLocation)
    #expect(terminal.eventually { terminal.settings == settings }, sourceLocation: sourceLocation)
    #expect(
      terminal.eventually { terminal.count("\u{1B}[?1049l") == entries }, sourceLocation: sourceLocation)
    for mode in ["?1000l", "?1002l", "?1006l", "?1004l", "?2004l", "?7h", "?2026l"] {
      #expect(terminal.count("\u{1B}[\(mode)") >= entries, "\(mode)", sourceLocation: sourceLocation)
    }
    #expect(terminal.count("\u{1B}[?1049h") == entries, sourceLocation: sourceLocation)
    // No process stays.
    #expect(
      terminal.eventually { terminal.processes.values.allSatisfy { $0 == "sh" } },
      sourceLocation: sourceLocation)
  }
}
