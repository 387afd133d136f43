import Foundation
import TestSupport

/// A client of a window that keeps values by id and takes the ids of each line, as the page does.
///
/// A line that breaks a rule is an error.
struct WindowReader {
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  /// One row on the screen.
  struct Row: Equatable {
    /// The id of an item; nil for a header.
    var id: String?
    var section: String?
    var value: NSDictionary?
    var position: Int?
    var count: Int?
  }

  private(set) var rows: [Row] = []
  private(set) var first = 0
  private(set) var lines = 0
  private(set) var count = 0
  private(set) var token = ""
  private(set) var answer: Int?
  /// The changes that were marked since `forgetMarks()`, by id.
  private(set) var marks: [String: Set<String>] = [:]
  private var values: [String: NSDictionary] = [:]

  mutating func forgetMarks() { marks = [:] }

  /// Applies a line.
  mutating func apply(_ line: [String: Any]) throws {
    guard line["type"] as? String == "window", let rows = line["rows"] as? [[String: Any]], let first = line["first"] as? Int,
      let lines = line["lines"] as? Int, let count = line["count"] as? Int, let token = line["token"] as? String
    else { throw Violation(description: "not a window: \(line)") }
    let old = Dictionary(self.rows.compactMap { row in row.id.map { ($0, row) } }) { $1 }
    (self.first, self.lines, self.count, self.token, answer) = (first, lines, count, token, line["answer"] as? Int)
    self.rows = try rows.map { try apply(row: $0, old) }
    // A client may forget the rows that left the window.
    values = values.filter { id, _ in self.rows.contains { $0.id == id } }
    let gone = (line["gone"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    try require(gone.allSatisfy { old[$0] != nil }, "gone has a row that was not there")
    try require(gone.allSatisfy { id in !self.rows.contains { $0.id == id } }, "gone has a row that is there")
    try require((count == 0) == (line["empty"] != nil), "an empty list, and only that, has a sentence")
  }

  private mutating func apply(row: [String: Any], _ old: [String: Row]) throws -> Row {
    guard let id = row["id"] as? String else {
      return Row(section: row["section"] as? String, count: row["count"] as? Int)
    }
    let before = values[id]
    if let value = row["value"] as? NSDictionary { values[id] = value }
    try require(values[id] != nil, "\(id) has no value")
    if let change = row["change"] as? String {
      marks[id, default: []].insert(change)
      if row["fields"] != nil { marks[id, default: []].insert("fields") }
      try require(change != "insert" || old[id] == nil, "\(id) is inserted, but it was there")
    }
    if let before, before != values[id] { try require(row["fields"] != nil, "the change of \(id) has no mark") }
    return Row(id: id, section: row["section"] as? String, value: values[id], position: row["position"] as? Int)
  }

  private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Violation(description: message()) }
  }
}
