import Testing

/// Something that a program does to a folder of items, and what the stream says of it.
struct Act: Sendable, CustomTestStringConvertible {
  let name: String
  /// What the stream's folder is below the act's own.
  var root = "."
  /// Whether it is done in a copy of the repository.
  var isInRepository = false
  /// Done before the stream begins.
  var before = "true"
  let script: String
  /// The lines of the stream, in short (`Act.summary(of:)`).
  var lines: [String] = [Act.save]
  /// How many problems there are already.
  var standingProblems = 0

  static let save = "files: 1 update"

  var testDescription: String { name }

  /// `git: 1 delete, 17 update` of an update, `problem: a.yaml` and `solved: a.yaml` of a problem.
  static func summary(of line: JSON) -> String {
    if line.type == "problem" { return "\(line.state == "raised" ? "problem" : "solved"): \(line.path.string ?? "")" }
    let kinds = Dictionary(grouping: line.changes.list) { $0.op.string ?? "" }
    let counts = kinds.keys.sorted().map { "\(kinds[$0]?.count ?? 0) \($0)" }
    return "\(line.origin.string ?? ""): \(counts.joined(separator: ", "))"
  }
}
