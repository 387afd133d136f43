import DiffableSnapshot
import Foundation
import HashTreeCollections
@testable import Store
import Values

@testable import Query

/// A list made in the simplest way from its items and the request: filter, sort, cut. Slow, and too
/// simple to be wrong.
struct ListOracle {
  let request: FetchRequest
  /// The request's predicate in Swift.
  let holds: @Sendable (Item) -> Bool

  typealias Section = (id: SectionID, items: [Item.ID])

  func sections(of items: some Sequence<Item>) -> [Section] {
    let named = request.section?.order ?? [""]
    let shown = items.filter { holds($0) && isFound($0) }.sorted { isBefore($0, $1) }
    var members: [SectionID: [Item.ID]] = [:]
    for item in shown {
      for section in sections(of: item) {
        members[section, default: []].append(
          request.section?.grouping == .element ? Item.ID(item.id, in: section) : item.id)
      }
    }
    let rest = members.keys.filter { !named.contains($0) }.sorted { a, b in
      if request.section?.grouping == .firstLetter, (a == "#") != (b == "#") { return b == "#" }
      if request.section?.path != "@dir", (a == "") != (b == "") { return b == "" }
      let order = ValueOrder.compare(a.description, b.description)
      return request.section?.isDescending == true ? order > 0 : order < 0
    }
    return window(of: (named + rest).map { ($0, members[$0] ?? []) }, named)
  }

  private func sections(of item: Item) -> [SectionID] {
    guard let section = request.section else { return [""] }
    guard let value = section.path.map({ item.value(at: $0) }) else {
      return [SectionID(section.function?.call(item, nil) ?? "")]
    }
    switch (section.grouping, value) {
    case (.element, .list(let elements)?):
      return elements.isEmpty ? [""] : Array(Set(elements.map { SectionID($0.idText) }))
    case (.firstLetter, let value):
      guard let first = value?.idText.uppercased().first, first.isLetter else { return ["#"] }
      return [SectionID(String(first))]
    default: return [SectionID(value?.idText ?? "")]
    }
  }

  private static func sortValue(_ descriptor: ItemSortDescriptor, _ item: Item) -> Value? {
    descriptor.path.map { item.value(at: $0) } ?? descriptor.function?.call(item, nil)
  }

  private func window(of sections: [Section], _ named: [SectionID]) -> [Section] {
    var number = 0
    return sections.compactMap { id, items in
      let inside = items.filter { _ in
        defer { number += 1 }
        return number >= request.offset && number - max(0, request.offset) < request.limit ?? .max
      }
      return inside.isEmpty && !named.contains(id) ? nil : (id, inside)
    }
  }

  private func isBefore(_ a: Item, _ b: Item) -> Bool {
    for descriptor in request.sort {
      if descriptor.isRelevance {
        let ranks = (rank(a), rank(b))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        continue
      }
      let values = [a, b].map { ListOracle.sortValue(descriptor, $0) }.map { $0 == .null ? nil : $0 }
      if values.contains(nil) {
        if values[0] == values[1] { continue }
        return (values[0] == nil) == descriptor.nullsFirst
      }
      let order = ValueOrder.compare(values[0], values[1], exact: descriptor.isExact)
      if order != 0 { return (order < 0) != descriptor.isDescending }
    }
    return ValueOrder.compare(a.id.description, b.id.description) < 0
  }

  private func isFound(_ item: Item) -> Bool {
    let texts =
      request.searchFields.isEmpty ? [item.id.description] + ListOracle.texts(item.fields.value) : []
    let chosen = request.searchFields.compactMap { item.value(at: $0) }.flatMap(ListOracle.texts)
    let folded = (texts + chosen).map(ListOracle.folded)
    return request.search.split(separator: " ").allSatisfy { word in
      folded.contains { $0.contains(ListOracle.folded(String(word))) }
    }
  }

  /// The places of the words, added up; first the place of all words in a row.
  private func rank(_ item: Item) -> Int {
    let words = request.search.split(separator: " ").map { ListOracle.folded(String($0)) }
    if words.isEmpty { return 0 }
    func texts(_ paths: [FieldPath]) -> [String] {
      paths.compactMap { item.value(at: $0) }.flatMap(ListOracle.texts).map(ListOracle.folded)
    }
    let titles = Item.titleKeys.map { FieldPath(keys: [$0]) }
    let own = titles.filter { path in
      item.value(at: path).map { $0.isScalar && $0 != .null && $0 != "" } ?? false
    }
    let isAll = request.searchFields.isEmpty
    let names = texts(
      isAll ? ["@id"] + own.prefix(1) : request.searchFields.filter { (["@id"] + titles).contains($0) })
    let bodies = texts(isAll ? ["body"] : request.searchFields.filter { $0 == "body" })
    let all = isAll ? ListOracle.texts(item.fields.value).map(ListOracle.folded) : texts(request.searchFields)
    func place(inNames word: String) -> Int? {
      names.flatMap { name in
        ListOracle.starts(of: word, in: name).map { start in
          let before = start == name.startIndex ? nil : name[name.index(before: start)]
          if before == nil || before == "/" { return name[start...] == word ? 0 : 1 }
          return before?.isLetter == true || before?.isNumber == true ? 3 : 2
        }
      }.min()
    }
    let places = words.map { word in
      if let place = place(inNames: word) { return place }
      let isOnlyInBody = all.filter { $0.contains(word) }.allSatisfy(bodies.contains)
      return isOnlyInBody ? 5 : 4
    }
    let sum = places.reduce(0, +)
    return words.count == 1 ? sum : (place(inNames: words.joined(separator: " ")) ?? 6) * 1_000 + sum
  }

  private static func starts(of word: String, in text: String) -> [String.Index] {
    text.indices.filter { text[$0...].hasPrefix(word) }
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func texts(_ value: Value) -> [String] {
    switch value {
    case .list(let elements): elements.flatMap(texts)
    case .map(let fields): fields.flatMap { texts($0.value) }
    default: [value.text]
    }
  }
}

extension ListOracle {
  /// Returns the first error of a step between two lists; nil if there is none. Checks the rules of
  /// steps, without the code that makes them.
  static func problem(in update: ListUpdate<Item>, changed: Set<Item.ID>?) throws -> String? {
    let (old, new, diff) = (update.old, update.new, update.diff)
    guard try old.list.applying(diff) == new.list else { return "applying it does not give the new list" }
    if Set(diff.changes.map(\.item)).count != diff.changes.count { return "an id stands twice" }
    var updated: Set<Item.ID> = []
    var moved: Set<Item.ID> = []
    for change in diff.changes {
      if change.from.map({ old.list.place(of: change.item) == $0 }) == false {
        return "\(change) was elsewhere"
      }
      if change.to.map({ new.list.place(of: change.item) == $0 }) == false { return "\(change) is elsewhere" }
      switch change {
      case .update: updated.insert(change.item)
      case .move(_, _, _, let isUpdated):
        moved.insert(change.item)
        if isUpdated { updated.insert(change.item) }
      case .delete(let id, _):
        if (update.reason(forDeleting: id) == .removed) != (new.items[id.item] == nil) {
          return "\(change) for a wrong reason"
        }
      case .insert: break
      }
    }
    let both = old.list.itemIdentifiers.filter { new.list.contains($0) }
    let differing = both.filter { update.fieldChanges(of: $0)?.isEmpty == false }
    if updated != Set(differing) { return "\(updated) are updates, and \(differing) differ" }
    if let changed, !Set(moved.map(\.item)).isSubset(of: changed) {
      return "\(moved.subtracting(changed)) moved, and did not change"
    }
    return needlessMove(moved, update)
  }

  private static func needlessMove(_ moved: Set<Item.ID>, _ update: ListUpdate<Item>) -> String? {
    for section in update.new.list.sectionIdentifiers {
      let before = update.old.list.itemIdentifiers(inSection: section)
      let after = update.new.list.itemIdentifiers(inSection: section)
      let stay = Set(before).intersection(after).subtracting(moved)
      for item in moved where before.contains(item) && after.contains(item) {
        let with = stay.union([item])
        if before.filter(with.contains) == after.filter(with.contains) { return "\(item) need not move" }
      }
    }
    return nil
  }
}
