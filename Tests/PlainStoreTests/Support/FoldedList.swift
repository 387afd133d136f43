import DiffableSnapshot
import Files
@testable import Store
import Values
import Streams

@testable import Query

/// A list as a consumer keeps it, which applies updates by the rules of the stream.
struct FoldedList: Equatable {
  struct Row: Equatable {
    var id: Item.ID
    var path: RelativePath
    var value: Value
  }

  struct Section: Equatable {
    var id: SectionID
    var title: String?
    var rows: [Row] = []
  }

  private(set) var sections: [Section]

  init(_ list: ListSnapshot<Item>) {
    sections = list.sectionTitles.map { Section(id: $0.id, title: $0.title) }
    var number = 0
    list.forEachRow { row in
      while sections[number].id != row.section { number += 1 }
      sections[number].rows.append(Row(id: row.id, path: row.path, value: row.value.value))
    }
  }

  /// Applies an update; throws if it does not fit.
  mutating func apply(_ update: ListUpdate<Item>) throws {
    var changed: [Item.ID: Row] = [:]
    for change in update.diff.changes {
      guard let from = change.from else { continue }
      let (section, row) = try find(change.item, in: from.section, at: from.index)
      changed[change.item] = sections[section].rows[row]
    }
    for change in update.diff.changes.sorted(by: { ($0.from?.index ?? 0) > ($1.from?.index ?? 0) }) {
      if case .update = change { continue }
      guard let from = change.from else { continue }
      let (section, row) = try find(change.item, in: from.section, at: from.index)
      sections[section].rows.remove(at: row)
    }
    try applySections(update)
    for change in update.diff.changes.sorted(by: { ($0.to?.index ?? 0) < ($1.to?.index ?? 0) }) {
      if case .update = change { continue }
      guard let to = change.to, let shown = update.new.row(change.item) else { continue }
      guard let section = sections.firstIndex(where: { $0.id == to.section }),
        to.index <= sections[section].rows.count
      else {
        throw FoldError(text: "no place for \(change)")
      }
      var row = changed[change.item] ?? Row(id: change.item, path: shown.path, value: shown.value.value)
      if case .move(_, _, _, isUpdated: false) = change {
      } else {
        (row.path, row.value) = (shown.path, shown.value.value)
      }
      sections[section].rows.insert(row, at: to.index)
    }
    // Updates have their places in the complete new list.
    for case .update(let id, _, let to) in update.diff.changes {
      let (section, row) = try find(id, in: to.section, at: to.index)
      guard let shown = update.new.row(id) else { throw FoldError(text: "\(id) is not shown") }
      sections[section].rows[row] = Row(id: id, path: shown.path, value: shown.value.value)
    }
  }

  private mutating func applySections(_ update: ListUpdate<Item>) throws {
    var parked: [SectionID: Section] = [:]
    for change in update.diff.sections.sorted(by: { ($0.from ?? 0) > ($1.from ?? 0) }) {
      guard let from = change.from else { continue }
      guard sections.indices.contains(from) else { throw FoldError(text: "no section \(change)") }
      switch change {
      case .delete:
        guard sections[from].id == change.section, sections[from].rows.isEmpty else {
          throw FoldError(text: "\(change) is not empty")
        }
        sections.remove(at: from)
      case .move: parked[change.section] = sections.remove(at: from)
      case .insert, .update: continue
      }
    }
    for change in update.diff.sections.sorted(by: { ($0.to ?? 0) < ($1.to ?? 0) }) {
      guard let to = change.to else { continue }
      var section = parked[change.section] ?? Section(id: change.section)
      section.title = update.new.title(of: change.section)
      if case .update = change {
        guard let index = sections.firstIndex(where: { $0.id == change.section }) else {
          throw FoldError(text: "no section \(change)")
        }
        sections[index].title = section.title
      } else {
        guard to <= sections.count else { throw FoldError(text: "no place for \(change)") }
        sections.insert(section, at: to)
      }
    }
  }

  private func find(_ id: Item.ID, in section: SectionID, at index: Int) throws -> (section: Int, row: Int) {
    guard let number = sections.firstIndex(where: { $0.id == section }),
      sections[number].rows.indices.contains(index),
      sections[number].rows[index].id == id
    else { throw FoldError(text: "\(id) is not at \(section)[\(index)]") }
    return (number, index)
  }
}

struct FoldError: Error {
  let text: String
}
