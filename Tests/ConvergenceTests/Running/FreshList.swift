import Foundation
import TestSupport

/// What `list` and `check` print for a folder now.
struct FreshList {
  let items: [ListedItem]
  /// The printed paths with problems; nil if `check` was not run.
  let problems: Set<ExactText>?

  init(of root: ExactText, _ view: ListView, by runner: Runner, in folder: String, withProblems: Bool) throws
  {
    items = try FreshList.run(
      runner.command + ["list", root.description, "-o", "jsonl"] + view.arguments, in: folder
    ).map { fields in
      guard let id = fields["id"] as? String, let path = fields["path"] as? String,
        let section = fields["section"] as? String,
        let value = fields["value"] as? NSDictionary
      else { throw Watcher.Failure(description: "not an item: \(fields)") }
      return ListedItem(id: ExactText(id), path: ExactText(path), section: ExactText(section), value: value)
    }
    guard withProblems else {
      problems = nil
      return
    }
    let idField =
      view.arguments.firstIndex(of: "--id-field").map { Array(view.arguments[$0...($0 + 1)]) } ?? []
    problems = Set(
      try FreshList.run(runner.command + ["check", root.description, "-o", "jsonl"] + idField, in: folder)
        .compactMap {
          ($0["path"] as? String).map { ExactText($0) }
        })
  }

  private static func run(_ arguments: [String], in folder: String) throws -> [[String: Any]] {
    let command = arguments.map { "'\($0)'" }.joined(separator: " ")
    // `check` exits with 1 if there are problems.
    let output = try Shell.run("\(command) 2>.errors || [ $? = 1 ] || { cat .errors; exit 9; }", in: folder)
    return try output.utf8.split(separator: UInt8(ascii: "\n")).map { line in
      guard let fields = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
        throw Watcher.Failure(description: "not an object: \(line)")
      }
      return fields
    }
  }
}
