package import Foundation

/// Applies the lines of a stream strictly by its rules, as another program would, with a JSON
/// parser that is not ours.
///
/// A line that breaks a rule is an error.
package struct StreamReader {
  package struct Section: Equatable {
    package var id: ExactText
    package var items: [ExactText]
  }

  package struct Violation: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  package private(set) var sections: [Section] = []
  package private(set) var values: [ExactText: NSDictionary] = [:]
  package private(set) var paths: [ExactText: ExactText] = [:]
  /// The messages of the current problems, by path.
  package private(set) var problems: [ExactText: String] = [:]
  package private(set) var updates = 0
  /// The ids of all items that updates deleted, in order.
  package private(set) var deleted: [ExactText] = []
  package private(set) var hasSnapshot = false
  /// The `seq` and the token of the last snapshot, update or bookmark.
  package private(set) var sequence = 0
  package private(set) var token = ""
  private var part = 0
  private var hasBegun = false

  package init() {}

  /// Makes a reader that knows the empty list, as a command that gets the complete list as its
  /// first update does.
  ///
  /// - Parameter hasSections: True if the view has sections. Otherwise there is always exactly one.
  package init(emptyListAt token: String, hasSections: Bool = false) {
    self.token = token
    sections = hasSections ? [] : [Section(id: "", items: [])]
    hasSnapshot = true
  }

  package var ids: [ExactText] { sections.flatMap(\.items) }

  /// Applies one line, given without its line break.
  ///
  /// - Returns: the step if the line is an update.
  /// - Throws: `Violation` if the line breaks a rule of the stream.
  @discardableResult
  package mutating func apply(_ line: some Sequence<UInt8>) throws -> Step? {
    let object = try JSONSerialization.jsonObject(with: Data(line))
    guard let fields = object as? [String: Any], fields["v"] as? Int == 1 else {
      throw Violation(description: "not a line of version 1: \(String(decoding: Array(line), as: UTF8.self))")
    }
    defer { hasBegun = true }
    switch fields["type"] as? String {
    case "hello": try applyHello(fields)
    case "snapshot": try applySnapshot(fields)
    case "update": return try applyUpdate(fields)
    case "problem": try applyProblem(fields)
    case "bookmark":
      try require(try get(fields, "seq") == sequence, "a bookmark with another seq")
      token = try get(fields, "token")
    case "error": throw Violation(description: "\(fields)")
    default: break
    }
    return nil
  }

  private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Violation(description: message()) }
  }

  private func get<T>(_ fields: [String: Any], _ key: String, as type: T.Type = T.self) throws -> T {
    guard let value = fields[key] as? T else {
      throw Violation(description: "no \(key) of type \(type) in \(fields)")
    }
    return value
  }

  /// A stream that was resumed continues from the last state. It sends the current problems again.
  private mutating func applyHello(_ fields: [String: Any]) throws {
    if fields["since"] == nil {
      try require(!hasBegun, "a second hello that resumes nothing")
    } else {
      try require(try get(fields, "since") == token, "hello resumes after another token")
      try require(
        try get(fields, "seq") == sequence, "hello has seq \(fields["seq"] ?? "-") after \(sequence)")
    }
    problems = [:]
  }

  private mutating func applySnapshot(_ fields: [String: Any]) throws {
    let number = fields["part"] as? Int
    if let number {
      try require(number == part + 1, "part \(number) after \(part)")
      part = number
    }
    if part <= 1 { (sections, values, paths) = ([], [:], [:]) }
    for section in try get(fields, "sections", as: [[String: Any]].self) {
      let id = ExactText(try get(section, "id", as: String.self))
      if sections.last?.id != id {
        try require(!sections.contains { $0.id == id }, "section \(id) twice")
        sections.append(Section(id: id, items: []))
      }
      for item in try get(section, "items", as: [[String: Any]].self) {
        sections[sections.count - 1].items.append(try storeItem(item))
      }
    }
    let isLast = number == nil || fields["last"] as? Bool == true
    try require(isLast == (fields["seq"] != nil), "only the last part has a seq")
    guard isLast else { return }
    part = 0
    hasSnapshot = true
    (sequence, token) = (try get(fields, "seq"), try get(fields, "token"))
    try checkCount(fields)
  }

  private mutating func storeItem(_ item: [String: Any]) throws -> ExactText {
    let id = ExactText(try get(item, "id", as: String.self))
    values[id] = try get(item, "value", as: NSDictionary.self)
    paths[id] = ExactText(try get(item, "path", as: String.self))
    return id
  }

  private func checkCount(_ fields: [String: Any]) throws {
    try require(try get(fields, "count") == ids.count, "count \(fields["count"] ?? "-") of \(ids.count)")
    try require(Set(ids).count == ids.count, "an id occurs twice")
  }

  private mutating func applyProblem(_ fields: [String: Any]) throws {
    let path = ExactText(try get(fields, "path", as: String.self))
    if try get(fields, "state") == "raised" {
      let message: String = try get(fields, "message")
      let (line, column): (Int, Int) = (try get(fields, "line"), try get(fields, "column"))
      try require(line > 0, "line is at least 1")
      try require(column > 0, "column is at least 1")
      problems[path] = message
    } else {
      try require(
        problems.removeValue(forKey: path) != nil, "the problem at \(path) is cleared but was not raised")
    }
  }

  private mutating func applyUpdate(_ fields: [String: Any]) throws -> Step {
    updates += 1
    try require(try get(fields, "since") == token, "since does not name the last token")
    try require(try get(fields, "seq") == sequence + 1, "seq \(fields["seq"] ?? "-") after \(sequence)")
    (sequence, token) = (try get(fields, "seq"), try get(fields, "token"))
    let changes = try get(fields, "changes", as: [[String: Any]].self).map(Change.init)
    let sectionChanges = try (fields["sections"] as? [[String: Any]] ?? []).map(SectionChange.init)
    try require(fields["sections"] == nil || !sectionChanges.isEmpty, "an empty list of sections")
    let isEmpty = changes.isEmpty && sectionChanges.isEmpty && fields["takenBack"] == nil
    try require(!isEmpty, "an empty update")
    try require(Set(changes.map(\.id)).count == changes.count, "an id occurs twice in an update")
    try require(
      Set(sectionChanges.map(\.id)).count == sectionChanges.count, "a section occurs twice in an update")
    let before = sections
    try moveItems(changes, sectionChanges)
    try checkOrder(of: changes, sectionChanges, before)
    try MoveCheck(before: before, after: sections).check(changes, sectionChanges)
    for change in changes { try updateValue(change) }
    try checkCount(fields)
    return Step(origin: try get(fields, "origin"), changes: changes)
  }

  private mutating func moveItems(_ changes: [Change], _ sectionChanges: [SectionChange]) throws {
    let leaving = try changes.filter { $0.from != nil }.sorted { try rank($0.from) > rank($1.from) }
    for change in leaving where change.op != "update" {
      guard let place = change.from else { continue }
      let section = try index(of: place.section)
      try require(sections[section].items.indices.contains(place.index), "\(place) is outside of its section")
      try require(sections[section].items[place.index] == change.id, "\(change.id) is not at \(place)")
      sections[section].items.remove(at: place.index)
    }
    var moved: [ExactText: Section] = [:]
    for change in sectionChanges.filter({ $0.op == "delete" || $0.op == "move" }).sorted(by: {
      $0.from > $1.from
    }) {
      try require(
        sections.indices.contains(change.from) && sections[change.from].id == change.id,
        "section \(change.id) is not at \(change.from)")
      let section = sections.remove(at: change.from)
      if change.op == "delete" {
        try require(section.items.isEmpty, "section \(change.id) is deleted with items in it")
      } else {
        moved[change.id] = section
      }
    }
    for change in sectionChanges.filter({ $0.op == "insert" || $0.op == "move" }).sorted(by: { $0.to < $1.to }
    ) {
      try require(change.to <= sections.count, "section \(change.id) is inserted after the end")
      sections.insert(moved[change.id] ?? Section(id: change.id, items: []), at: change.to)
    }
    let arriving = try changes.filter { $0.op == "insert" || $0.op == "move" }.sorted {
      try rank($0.to) < rank($1.to)
    }
    for change in arriving {
      guard let place = change.to else { throw Violation(description: "\(change.id) has no `to`") }
      let section = try index(of: place.section)
      try require(
        place.index <= sections[section].items.count,
        "\(change.id) is inserted after the end of \(place.section)")
      sections[section].items.insert(change.id, at: place.index)
    }
    for change in changes {
      guard let place = change.to else { continue }
      try require(
        sections[try index(of: place.section)].items[place.index] == change.id,
        "\(change.id) is not at its `to`")
    }
  }

  private func index(of section: ExactText) throws -> Int {
    guard let index = sections.firstIndex(where: { $0.id == section }) else {
      throw Violation(description: "there is no section \(section)")
    }
    return index
  }

  /// A place as two numbers: the index of the section in the current list, and the index in the
  /// section.
  private func rank(_ place: Place?) throws -> (Int, Int) {
    guard let place else { return (0, 0) }
    return (try index(of: place.section), place.index)
  }

  private func checkOrder(of changes: [Change], _ sectionChanges: [SectionChange], _ before: [Section]) throws
  {
    let kinds = ["delete": 0, "insert": 1, "move": 1, "update": 2]
    let ranks = try changes.map { change -> (Int, Int, Int) in
      let kind = kinds[change.op] ?? 3
      guard let place = kind == 0 ? change.from : change.to else {
        throw Violation(description: "\(change.id) has no place")
      }
      let list = kind == 0 ? before : sections
      guard let section = list.firstIndex(where: { $0.id == place.section }) else {
        throw Violation(description: "no section \(place.section)")
      }
      return kind == 0 ? (kind, -section, -place.index) : (kind, section, place.index)
    }
    try require(zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 }, "the changes are out of order")
  }

  private mutating func updateValue(_ change: Change) throws {
    switch change.op {
    case "delete":
      try require(
        ["removed", "filtered"].contains(change.fields["reason"] as? String), "a delete without its reason")
      (values[change.id], paths[change.id]) = (nil, nil)
      deleted.append(change.id)
    case "insert":
      try require(values[change.id] == nil, "\(change.id) is inserted, but it exists")
      _ = try storeItem(change.fields)
    case "move" where change.fields["fields"] == nil:
      try require(change.fields["value"] == nil, "a pure move has no value")
      try require(change.fields["before"] == nil, "a pure move has no before")
    default:
      try require(!get(change.fields, "fields", as: [String].self).isEmpty, "an update without fields")
      try checkBefore(change)
      _ = try storeItem(change.fields)
    }
  }

  /// Checks that `before` has the values that the reader knows, for the top-level fields that
  /// `fields` points into.
  private func checkBefore(_ change: Change) throws {
    let before = try get(change.fields, "before", as: NSDictionary.self)
    let pointers = try get(change.fields, "fields", as: [String].self)
    let keys = Set(
      pointers.compactMap {
        $0.split(separator: "/").first.map {
          $0.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
        }
      })
    for key in keys {
      let old: NSObject? =
        key == "@path"
        ? paths[change.id].map { $0.description as NSString } : values[change.id]?[key] as? NSObject
      try require(before[key] as? NSObject == old, "before has another old value of \(key) of \(change.id)")
    }
    try require(
      Set(before.allKeys.compactMap { $0 as? String }).isSubset(of: keys),
      "before names fields that did not change")
  }
}
