import Foundation

/// Folds a stream strictly by its rules, as a program on the other side of the pipe would, with a JSON reader that is not ours. Whatever does not fit is an error.
struct StreamFolder {
  struct Section: Equatable {
    var id: String
    var items: [String]
  }

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var sections: [Section] = []
  private(set) var values: [String: NSDictionary] = [:]
  private(set) var paths: [String: String] = [:]
  /// Messages of the problems that are raised now, by path.
  private(set) var problems: [String: String] = [:]
  private(set) var updates = 0
  private var sequence = 0
  private var token = ""
  private var part = 0
  private var hasBegun = false

  var ids: [String] { sections.flatMap(\.items) }

  mutating func take(_ line: some StringProtocol) throws {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    guard let fields = object as? [String: Any], fields["v"] as? Int == 1 else {
      throw Violation(description: "no line of version 1: \(line)")
    }
    switch fields["type"] as? String {
    case "hello": try require(!hasBegun, "a second hello")
    case "snapshot": try takeSnapshot(fields)
    case "update": try takeUpdate(fields)
    case "problem": try takeProblem(fields)
    default: break
    }
    hasBegun = true
  }

  private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Violation(description: message()) }
  }

  private func get<T>(_ fields: [String: Any], _ key: String, as type: T.Type = T.self) throws -> T {
    guard let value = fields[key] as? T else { throw Violation(description: "no \(key) of type \(type) in \(fields)") }
    return value
  }

  private mutating func takeSnapshot(_ fields: [String: Any]) throws {
    let number = fields["part"] as? Int
    if let number {
      try require(number == part + 1, "part \(number) after \(part)")
      part = number
    }
    if part <= 1 { (sections, values, paths) = ([], [:], [:]) }
    for section in try get(fields, "sections", as: [[String: Any]].self) {
      let id: String = try get(section, "id")
      if sections.last?.id != id {
        try require(!sections.contains { $0.id == id }, "section \(id) twice")
        sections.append(Section(id: id, items: []))
      }
      for item in try get(section, "items", as: [[String: Any]].self) {
        sections[sections.count - 1].items.append(try takeValue(of: item))
      }
    }
    let isLast = number == nil || fields["last"] as? Bool == true
    try require(isLast == (fields["seq"] != nil), "seq stands on the last part")
    guard isLast else { return }
    part = 0
    (sequence, token) = (try get(fields, "seq"), try get(fields, "token"))
    try checkCount(fields)
  }

  private mutating func takeValue(of item: [String: Any]) throws -> String {
    let id: String = try get(item, "id")
    values[id] = try get(item, "value", as: NSDictionary.self)
    paths[id] = try get(item, "path")
    return id
  }

  private func checkCount(_ fields: [String: Any]) throws {
    try require(try get(fields, "count") == ids.count, "count \(fields["count"] ?? "-") of \(ids.count)")
    try require(Set(ids).count == ids.count, "an id stands twice")
  }

  private mutating func takeProblem(_ fields: [String: Any]) throws {
    let path: String = try get(fields, "path")
    if try get(fields, "state") == "raised" {
      let message: String = try get(fields, "message")
      let (line, column): (Int, Int) = (try get(fields, "line"), try get(fields, "column"))
      try require(line > 0 && column > 0, "places count from 1")
      problems[path] = message
    } else {
      try require(problems.removeValue(forKey: path) != nil, "a problem at \(path) is cleared that was not there")
    }
  }

  // MARK: - Updates

  private mutating func takeUpdate(_ fields: [String: Any]) throws {
    updates += 1
    try require(try get(fields, "since") == token, "since does not name the last token")
    try require(try get(fields, "seq") == sequence + 1, "seq \(fields["seq"] ?? "-") after \(sequence)")
    (sequence, token) = (try get(fields, "seq"), try get(fields, "token"))
    let changes = try get(fields, "changes", as: [[String: Any]].self).map(Change.init)
    let sectionChanges = try (fields["sections"] as? [[String: Any]] ?? []).map(SectionChange.init)
    try require(fields["sections"] == nil || !sectionChanges.isEmpty, "an empty list of sections")
    try require(!changes.isEmpty || !sectionChanges.isEmpty, "an empty update")
    try require(Set(changes.map(\.id)).count == changes.count, "an id stands twice in an update")
    try require(Set(sectionChanges.map(\.id)).count == sectionChanges.count, "a section stands twice in an update")
    let before = sections
    try apply(changes, sectionChanges)
    try checkOrder(of: changes, sectionChanges, before)
    try MoveCheck(before: before, after: sections).check(changes, sectionChanges)
    for change in changes { try takeValue(of: change) }
    try checkCount(fields)
  }

  private mutating func apply(_ changes: [Change], _ sectionChanges: [SectionChange]) throws {
    let leaving = try changes.filter { $0.from != nil }.sorted { try rank($0.from) > rank($1.from) }
    for change in leaving where change.op != "update" {
      guard let place = change.from else { continue }
      let section = try index(of: place.section)
      try require(sections[section].items.indices.contains(place.index), "\(place) is outside of its section")
      try require(sections[section].items[place.index] == change.id, "\(change.id) is not at \(place)")
      sections[section].items.remove(at: place.index)
    }
    var moved: [String: Section] = [:]
    for change in sectionChanges.filter({ $0.op == "delete" || $0.op == "move" }).sorted(by: { $0.from > $1.from }) {
      try require(
        sections.indices.contains(change.from) && sections[change.from].id == change.id, "section \(change.id) is not at \(change.from)")
      let section = sections.remove(at: change.from)
      if change.op == "delete" {
        try require(section.items.isEmpty, "section \(change.id) is deleted with items in it")
      } else {
        moved[change.id] = section
      }
    }
    for change in sectionChanges.filter({ $0.op == "insert" || $0.op == "move" }).sorted(by: { $0.to < $1.to }) {
      try require(change.to <= sections.count, "section \(change.id) is put behind the end")
      sections.insert(moved[change.id] ?? Section(id: change.id, items: []), at: change.to)
    }
    let arriving = try changes.filter { $0.op == "insert" || $0.op == "move" }.sorted { try rank($0.to) < rank($1.to) }
    for change in arriving {
      guard let place = change.to else { throw Violation(description: "\(change.id) has no place to go to") }
      let section = try index(of: place.section)
      try require(place.index <= sections[section].items.count, "\(change.id) is put behind the end of \(place.section)")
      sections[section].items.insert(change.id, at: place.index)
    }
    for change in changes {
      guard let place = change.to else { continue }
      try require(sections[try index(of: place.section)].items[place.index] == change.id, "\(change.id) is not at its `to`")
    }
  }

  private func index(of section: String) throws -> Int {
    guard let index = sections.firstIndex(where: { $0.id == section }) else {
      throw Violation(description: "there is no section \(section)")
    }
    return index
  }

  /// A place as two numbers, among the sections that there are now.
  private func rank(_ place: Place?) throws -> (Int, Int) {
    guard let place else { return (0, 0) }
    return (try index(of: place.section), place.index)
  }

  private func checkOrder(of changes: [Change], _ sectionChanges: [SectionChange], _ before: [Section]) throws {
    let kinds = ["delete": 0, "insert": 1, "move": 1, "update": 2]
    let ranks = try changes.map { change -> (Int, Int, Int) in
      let kind = kinds[change.op] ?? 3
      guard let place = kind == 0 ? change.from : change.to else { throw Violation(description: "\(change.id) has no place") }
      let list = kind == 0 ? before : sections
      guard let section = list.firstIndex(where: { $0.id == place.section }) else {
        throw Violation(description: "no section \(place.section)")
      }
      return kind == 0 ? (kind, -section, -place.index) : (kind, section, place.index)
    }
    try require(zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 }, "the changes are out of order")
  }

  private mutating func takeValue(of change: Change) throws {
    switch change.op {
    case "delete":
      try require(["removed", "filtered"].contains(change.fields["reason"] as? String), "a delete without its reason")
      (values[change.id], paths[change.id]) = (nil, nil)
    case "insert":
      try require(values[change.id] == nil, "\(change.id) is inserted, but it is there")
      _ = try takeValue(of: change.fields)
    case "move" where change.fields["fields"] == nil:
      try require(change.fields["value"] == nil && change.fields["before"] == nil, "a pure move has no values")
    default:
      try require(!get(change.fields, "fields", as: [String].self).isEmpty, "an update without fields")
      try checkBefore(change)
      _ = try takeValue(of: change.fields)
    }
  }

  /// `before` has to hold what the reader has: the old values of the top-level fields that `fields` points into.
  private func checkBefore(_ change: Change) throws {
    let before = try get(change.fields, "before", as: NSDictionary.self)
    let pointers = try get(change.fields, "fields", as: [String].self)
    let keys = Set(
      pointers.compactMap {
        $0.split(separator: "/").first.map { $0.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~") }
      })
    for key in keys {
      let old: NSObject? = key == "@path" ? paths[change.id].map { $0 as NSString } : values[change.id]?[key] as? NSObject
      try require(before[key] as? NSObject == old, "before has another old value of \(key) of \(change.id)")
    }
    try require(Set(before.allKeys.compactMap { $0 as? String }).isSubset(of: keys), "before names fields that did not change")
  }
}

extension StreamFolder {
  struct Place {
    let section: String
    let index: Int
  }

  struct Change {
    let op: String
    let id: String
    let from: Place?
    let to: Place?
    let fields: [String: Any]

    init(_ fields: [String: Any]) throws {
      guard let op = fields["op"] as? String, let id = fields["id"] as? String else { throw Violation(description: "no change: \(fields)") }
      self.op = op
      self.id = id
      from = try Change.place(fields["from"])
      to = try Change.place(fields["to"])
      self.fields = fields
      let wanted = ["delete": (true, false), "insert": (false, true), "move": (true, true), "update": (true, true)][op]
      guard let wanted, wanted == (from != nil, to != nil) else { throw Violation(description: "\(op) of \(id) has the wrong places") }
    }

    private static func place(_ object: Any?) throws -> Place? {
      guard let object else { return nil }
      guard let fields = object as? [String: Any], let section = fields["section"] as? String, let index = fields["index"] as? Int,
        index >= 0
      else {
        throw Violation(description: "no place: \(object)")
      }
      return Place(section: section, index: index)
    }
  }

  struct SectionChange {
    let op: String
    let id: String
    let from: Int
    let to: Int

    init(_ fields: [String: Any]) throws {
      guard let op = fields["op"] as? String, let id = fields["id"] as? String else {
        throw Violation(description: "no section change: \(fields)")
      }
      self.op = op
      self.id = id
      from = fields["from"] as? Int ?? -1
      to = fields["to"] as? Int ?? -1
    }
  }
}

/// No move of an update could be left out: what moved does not stand in order among what stayed.
private struct MoveCheck {
  let before: [StreamFolder.Section]
  let after: [StreamFolder.Section]

  func check(_ changes: [StreamFolder.Change], _ sections: [StreamFolder.SectionChange]) throws {
    let moved = Set(changes.filter { $0.op == "move" }.map(\.id))
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0.items) })
    let new = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0.items) })
    for change in changes where change.op == "move" {
      guard let from = change.from, let to = change.to, from.section == to.section else { continue }
      let there = old[from.section] ?? []
      let here = new[to.section] ?? []
      let stayed = Set(there).intersection(here).subtracting(moved)
      let wasBehind = there.prefix(from.index).count { stayed.contains($0) }
      let isBehind = here.prefix(to.index).count { stayed.contains($0) }
      if wasBehind == isBehind { throw StreamFolder.Violation(description: "the move of \(change.id) could be left out") }
    }
    let movedSections = Set(sections.filter { $0.op == "move" }.map(\.id))
    let stayed = Set(before.map(\.id)).intersection(after.map(\.id)).subtracting(movedSections)
    for change in sections where change.op == "move" {
      let wasBehind = before.prefix(change.from).count { stayed.contains($0.id) }
      let isBehind = after.prefix(change.to).count { stayed.contains($0.id) }
      if wasBehind == isBehind { throw StreamFolder.Violation(description: "the move of section \(change.id) could be left out") }
    }
  }
}
