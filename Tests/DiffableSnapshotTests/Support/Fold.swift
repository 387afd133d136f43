@testable import DiffableSnapshot

/// Checks a difference between two lists without the code under test, by applying the rules
/// documented at `SnapshotDiff` to arrays.
struct Fold {
  typealias Diff = SnapshotDiff<Int, Int>

  let old: [SnapshotModel.Section]
  let new: [SnapshotModel.Section]

  /// Returns a sentence about the first error. Nil if the difference is ordered, all its places are
  /// correct, and it changes the old list to the new one.
  func problem(_ diff: Diff) -> String? {
    wrongOrder(diff) ?? wrongPlaces(diff) ?? wrongResult(diff) ?? needlessMove(diff)
  }

  private func rank(_ section: Int, in sections: [SnapshotModel.Section]) -> Int {
    sections.firstIndex { $0.id == section } ?? -1
  }

  private func spot(_ place: Place<Int>?, in sections: [SnapshotModel.Section]) -> [Int] {
    place.map { [rank($0.section, in: sections), $0.index] } ?? []
  }

  private func wrongOrder(_ diff: Diff) -> String? {
    if Set(diff.changes.map(\.item)).count != diff.changes.count { return "an item is listed twice" }
    if Set(diff.sections.map(\.section)).count != diff.sections.count { return "a section is listed twice" }
    let changes = diff.changes.map { change -> [Int] in
      switch change {
      case .delete(_, let from): [0] + spot(from, in: old).map { -$0 }
      case .insert(_, let to), .move(_, _, let to, _): [1] + spot(to, in: new)
      case .update(_, _, let to): [2] + spot(to, in: new)
      }
    }
    if !zip(changes, changes.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }) {
      return "changes out of order"
    }
    let sections = diff.sections.map { change -> [Int] in
      switch change {
      case .delete(_, let from): [0, -from]
      case .insert(_, let to), .move(_, _, let to): [1, to]
      case .update(_, _, let to): [2, to]
      }
    }
    if !zip(sections, sections.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }) {
      return "sections out of order"
    }
    return nil
  }

  private func wrongPlaces(_ diff: Diff) -> String? {
    for change in diff.changes {
      if let from = change.from, item(at: from, in: old) != change.item {
        return "\(change) is not there in the old list"
      }
      if let to = change.to, item(at: to, in: new) != change.item {
        return "\(change) is not there in the new list"
      }
    }
    for change in diff.sections {
      if let from = change.from, !(old.indices.contains(from) && old[from].id == change.section) {
        return "\(change) was not there"
      }
      if let to = change.to, !(new.indices.contains(to) && new[to].id == change.section) {
        return "\(change) is not there"
      }
    }
    return nil
  }

  private func item(at place: Place<Int>, in sections: [SnapshotModel.Section]) -> Int? {
    guard let section = sections.first(where: { $0.id == place.section }) else { return nil }
    return section.items.indices.contains(place.index) ? section.items[place.index] : nil
  }

  private func wrongResult(_ diff: Diff) -> String? {
    var sections = old
    let taken = diff.changes.filter { if case .update = $0 { false } else { $0.from != nil } }
    let put = diff.changes.filter { if case .update = $0 { false } else { $0.to != nil } }
    for change in taken.sorted(by: {
      spot($1.from, in: old).lexicographicallyPrecedes(spot($0.from, in: old))
    }) {
      guard let from = change.from else { continue }
      let place = rank(from.section, in: sections)
      if sections[place].items.remove(at: from.index) != change.item {
        return "\(change) removes another item"
      }
    }
    var carried: [Int: SnapshotModel.Section] = [:]
    for change in diff.sections.sorted(by: { ($0.from ?? 0) > ($1.from ?? 0) }) {
      switch change {
      case .delete(let id, let from):
        if !sections[from].items.isEmpty || sections[from].id != id {
          return "\(change) deletes items that are not listed"
        }
        sections.remove(at: from)
      case .move(let id, let from, _): carried[id] = sections.remove(at: from)
      case .insert, .update: continue
      }
    }
    for change in diff.sections {
      switch change {
      case .insert(let id, let to): sections.insert(SnapshotModel.Section(id: id, items: []), at: to)
      case .move(let id, _, let to):
        sections.insert(carried[id] ?? SnapshotModel.Section(id: -1, items: []), at: to)
      case .delete, .update: continue
      }
    }
    for change in put {
      guard let to = change.to else { continue }
      let place = rank(to.section, in: sections)
      if place < 0 || to.index > sections[place].items.count { return "\(change) has an invalid place" }
      sections[place].items.insert(change.item, at: to.index)
    }
    return sections == new ? nil : "the result is \(sections.map { ($0.id, $0.items) })"
  }

  /// Returns a move within a section that is not necessary, because its item is in order among
  /// those that stay.
  private func needlessMove(_ diff: Diff) -> String? {
    let moved = Set(
      diff.changes.compactMap { change -> Int? in if case .move(let id, _, _, _) = change { id } else { nil }
      })
    for section in new {
      guard let before = old.first(where: { $0.id == section.id }) else { continue }
      let stay = section.items.filter { before.items.contains($0) && !moved.contains($0) }
      for item in section.items where moved.contains(item) && before.items.contains(item) {
        let with = Set(stay + [item])
        if before.items.filter(with.contains) == section.items.filter(with.contains) {
          return "\(item) need not move"
        }
      }
    }
    return nil
  }
}

/// Returns the weight of a heaviest increasing subsequence, by the quadratic textbook algorithm.
func heaviestIncreasing(_ values: [Int], weight: (Int) -> Int = { _ in 1 }) -> Int {
  var best = [Int](repeating: 0, count: values.count)
  for (place, value) in values.enumerated() {
    best[place] =
      weight(value) + (values[..<place].indices.filter { values[$0] < value }.map { best[$0] }.max() ?? 0)
  }
  return best.max() ?? 0
}
