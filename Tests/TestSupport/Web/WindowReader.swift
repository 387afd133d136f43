package import Foundation

/// A client of a window that keeps values by id and takes the ids of each line, as the page does.
///
/// A line that breaks a rule is an error.
package struct WindowReader {
  package struct Violation: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// One row on the screen.
  package struct Row: Equatable {
    /// The id of an item; nil for a header.
    package let id: ExactText?
    /// The section; nil for an item of a list without sections.
    package let section: ExactText?
    /// The value of an item.
    package let value: NSDictionary?
    /// The number of an item in the list, from 1.
    package let position: Int?
    /// The number of items in the section of a header.
    package let count: Int?

    /// A row with the header of a section.
    package init(section: ExactText?, count: Int?) {
      (id, self.section, value, position, self.count) = (nil, section, nil, nil, count)
    }

    /// A row with an item.
    package init(id: ExactText, section: ExactText?, value: NSDictionary?, position: Int?) {
      (self.id, self.section, self.value, self.position, count) = (id, section, value, position, nil)
    }
  }

  package private(set) var rows: [Row] = []
  /// The ids of the rows whose values are not complete.
  package private(set) var cut: Set<ExactText> = []
  package private(set) var first = 0
  package private(set) var lines = 0
  package private(set) var count = 0
  package private(set) var token = ""
  package private(set) var answer: Int?
  /// The changes that were marked since `forgetMarks()`, by id.
  package private(set) var marks: [ExactText: Set<String>] = [:]
  private var values: [ExactText: NSDictionary] = [:]

  package init() {}

  package mutating func forgetMarks() { marks = [:] }

  /// Applies a line.
  package mutating func apply(_ line: [String: Any]) throws {
    guard line["type"] as? String == "window", let rows = line["rows"] as? [[String: Any]],
      let first = line["first"] as? Int,
      let lines = line["lines"] as? Int, let count = line["count"] as? Int,
      let token = line["token"] as? String
    else { throw Violation(description: "not a window: \(line)") }
    let old = Set(self.rows.compactMap(\.id))
    (self.first, self.lines, self.count, self.token, answer) = (
      first, lines, count, token, line["answer"] as? Int
    )
    let isNewView = line["cause"] as? String == "view"
    self.rows = try rows.map { try apply(row: $0, old, isNewView: isNewView) }
    // A client may forget the rows that left the window.
    let shown = Set(self.rows.compactMap(\.id))
    values = values.filter { shown.contains($0.key) }
    cut.formIntersection(shown)
    let gone = (line["gone"] as? [[String: Any]] ?? []).compactMap {
      ($0["id"] as? String).map { ExactText($0) }
    }
    try require(gone.allSatisfy(old.contains), "gone has a row that was not there")
    try require(shown.isDisjoint(with: gone), "gone has a row that is there")
    try require((count == 0) == (line["empty"] != nil), "an empty list, and only that, has a sentence")
  }

  /// - Parameter isNewView: True if the view changed, so that values may show other fields.
  private mutating func apply(row: [String: Any], _ old: Set<ExactText>, isNewView: Bool) throws -> Row {
    let section = (row["section"] as? String).map { ExactText($0) }
    guard let id = (row["id"] as? String).map({ ExactText($0) }) else {
      return Row(section: section, count: row["count"] as? Int)
    }
    let before = values[id]
    if let value = row["value"] as? NSDictionary {
      values[id] = value
      cut.remove(id)
      if row["cut"] as? Bool == true { cut.insert(id) }
    }
    try require(values[id] != nil, "\(id) has no value")
    if let change = row["change"] as? String {
      marks[id, default: []].insert(change)
      if row["fields"] != nil { marks[id, default: []].insert("fields") }
      try require(change != "insert" || !old.contains(id), "\(id) is inserted, but it was there")
    }
    if let before, before != values[id], !isNewView {
      try require(row["fields"] != nil, "the change of \(id) has no mark")
    }
    return Row(id: id, section: section, value: values[id], position: row["position"] as? Int)
  }

  private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Violation(description: message()) }
  }
}
