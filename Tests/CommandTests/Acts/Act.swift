import TestSupport
import Testing

/// An act of a program on a folder of items, and the lines that the stream must have after it.
struct Act: Sendable, CustomTestStringConvertible {
  let name: String
  /// The watched folder, below the folder of the act.
  var root = "."
  /// True if the act needs a copy of the git repository.
  var isInRepository = false
  /// A script that runs before the watch begins.
  var before = "true"
  let script: String
  /// The expected lines of the stream, as ``summary(of:)`` shortens them.
  var lines: [String] = [Act.save]
  /// The number of problems that exist when the watch begins.
  var standingProblems = 0

  static let save = "files: 1 update"

  var testDescription: String { name }

  /// Shortens a line: `git: 1 delete, 17 update` for an update, `problem: a.yaml` or `solved:
  /// a.yaml` for a problem.
  static func summary(of line: JSON) -> String {
    if line.type == "problem" {
      return "\(line.state == "raised" ? "problem" : "solved"): \(line.path.string ?? "")"
    }
    let kinds = Dictionary(grouping: line.changes.list) { $0.op.string ?? "" }
    let counts = kinds.keys.sorted().map { "\(kinds[$0]?.count ?? 0) \($0)" }
    return "\(line.origin.string ?? ""): \(counts.joined(separator: ", "))"
  }
}
