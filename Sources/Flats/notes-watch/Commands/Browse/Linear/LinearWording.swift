import DiffableSnapshot
import Files
import PlainStore
import Sinks
import Values

/// The sentences of the linear form. They name what happened in words: a screen reader speaks each
/// line.
struct LinearWording {
  /// The maximum width of a value.
  private static let valueLimit = 60
  /// The width for which the fields of an item are chosen.
  private static let rowWidth = 100

  /// The fields that a line about an item names, without the id.
  let fields: [FieldPath]

  /// Chooses the fields as `list` does.
  init(_ snapshot: ResultsSnapshot) {
    let columns =
      snapshot.request.fields.isEmpty ? ColumnSurvey.columns(for: snapshot, width: LinearWording.rowWidth) : snapshot.request.fields
    fields = columns.filter { $0 != "@id" }
  }

  /// Returns the id and the fields of an item: `friends/ada. firstName Ada, rating 9`.
  func description(of item: Item) -> String {
    let values = fields.compactMap { path in
      item.cellValue(at: path, columns: LinearWording.valueLimit).flatMap { value in
        let text = LinearWording.short(value.cellText)
        return text.isEmpty ? nil : "\(path) \(text)"
      }
    }
    return values.isEmpty ? LinearWording.name(item.id) : "\(LinearWording.name(item.id)). \(values.joined(separator: ", "))"
  }

  /// Returns the id of an item, safe for a terminal.
  static func name(_ id: Item.ID) -> String { DisplayText.safe(id.item.description, limit: 200) }

  private static func short(_ text: String) -> String { DisplayText.safe(text, limit: valueLimit) }

  /// Returns the line about a change of an item.
  ///
  /// - Parameter number: The number of the item in the printed list; nil if it has none.
  func line(about change: SnapshotDiff<SectionID, Item.ID>.ItemChange, in update: ResultsUpdate, number: Int?) -> String {
    let origin = update.origin == .git ? " by git" : ""
    func named(_ id: Item.ID) -> String { "\(number.map { "\($0), " } ?? "")\(LinearWording.name(id))" }
    switch change {
    case .delete(let id, _):
      let isGone = update.reason(forDeleting: id) == .removed
      return "\(isGone ? "Deleted" : "No longer in this list")\(origin): \(named(id))."
    case .insert(let id, let to):
      let text = update.new[id: id].map(description) ?? LinearWording.name(id)
      return "New\(origin): \(number.map { "\($0), " } ?? "")\(text). \(place(to, in: update.new))"
    case .move(let id, _, let to, let isUpdated):
      return "Moved\(origin): \(named(id)).\(isUpdated ? notes(on: id, in: update) : "") \(place(to, in: update.new))"
    case .update(let id, _, _):
      return "Changed\(origin): \(named(id)).\(notes(on: id, in: update))"
    }
  }

  /// Returns the line about a change of a section.
  func line(about change: SnapshotDiff<SectionID, Item.ID>.SectionChange, in update: ResultsUpdate) -> String? {
    switch change {
    case .delete(let id, _): "The section \(DisplayText.safe(update.old.heading(of: id), limit: 80)) is gone."
    case .insert(let id, _): "New section: \(DisplayText.safe(update.new.heading(of: id), limit: 80))."
    case .move, .update: nil
    }
  }

  private func place(_ place: Place<SectionID>, in snapshot: ResultsSnapshot) -> String {
    let section = snapshot.request.section == nil ? "" : " of \(DisplayText.safe(snapshot.heading(of: place.section), limit: 80))"
    return "Place \(place.index + 1)\(section)."
  }

  /// Returns what changed in an item: ` rating was 8, is 9.`
  private func notes(on id: Item.ID, in update: ResultsUpdate) -> String {
    let notes = FieldNote.notes(on: id, in: update).map { note in
      switch note {
      case .changed(let name, let old, let new): "\(LinearWording.short(name)) was \(text(old)), is \(text(new))"
      case .added(let name, let new): "\(LinearWording.short(name)) is new: \(text(new))"
      case .removed(let name, let old): "\(LinearWording.short(name)) is removed, was \(text(old))"
      case .shown(let name, let value): "\(LinearWording.short(name)) \(text(value))"
      }
    }
    return notes.isEmpty ? "" : " \(notes.joined(separator: "; "))."
  }

  private func text(_ value: Value) -> String { LinearWording.short(value.cellText) }
}
