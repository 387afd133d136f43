package import Store

/// One line of an update without its fields: `→ Friends 0 → Family 1  ada`.
///
/// Indexes count from 0. The first one is the place before the update, the second one the place
/// after it.
package struct ChangeRow: Sendable, Hashable {
  package enum Kind: Sendable, Hashable, CaseIterable {
    case insert, delete, move, update
  }

  package let kind: Kind
  /// The place of the row before the update, after it, or both.
  package let place: String
  /// The item's id, or the section's title.
  package let name: String
  /// The item's id, or nil for a change of a section.
  package let item: Item.ID?

  package init(
    _ change: SnapshotDiff<SectionID, Item.ID>.ItemChange, in update: ListUpdate<Item>, titleLimit: Int
  ) {
    func old(_ place: Place<SectionID>) -> String { ChangeRow.text(place, in: update.old, titleLimit) }
    func new(_ place: Place<SectionID>) -> String { ChangeRow.text(place, in: update.new, titleLimit) }
    func both(_ from: Place<SectionID>, _ to: Place<SectionID>) -> String {
      let isOneSection = from.section == to.section && update.new.request.section != nil
      return "\(old(from)) → \(isOneSection ? String(to.index) : new(to))"
    }
    kind = Kind(change)
    item = change.item
    name = change.item.description
    place =
      switch change {
      case .delete(_, let from): old(from)
      case .insert(_, let to): new(to)
      case .move(_, let from, let to, _): both(from, to)
      case .update(_, let from, let to): from == to ? new(to) : both(from, to)
      }
  }

  /// Returns a place: the index, after the section's title if there are sections.
  private static func text(_ place: Place<SectionID>, in snapshot: ListSnapshot<Item>, _ titleLimit: Int)
    -> String
  {
    guard snapshot.request.section != nil else { return "\(place.index)" }
    return "\(DisplayText.safe(snapshot.heading(of: place.section), limit: titleLimit)) \(place.index)"
  }

  package init(_ change: SnapshotDiff<SectionID, Item.ID>.SectionChange, in update: ListUpdate<Item>) {
    switch change {
    case .delete(let id, let from): self.init(.delete, section: "\(from)", update.old.heading(of: id))
    case .insert(let id, let to): self.init(.insert, section: "\(to)", update.new.heading(of: id))
    case .move(let id, let from, let to):
      self.init(.move, section: "\(from) → \(to)", update.new.heading(of: id))
    case .update(let id, let from, let to):
      self.init(
        .update, section: from == to ? "\(to)" : "\(from) → \(to)",
        "\(update.old.heading(of: id)) → \(update.new.heading(of: id))")
    }
  }

  private init(_ kind: Kind, section place: String, _ title: String) {
    self.kind = kind
    self.place = "section \(place)"
    name = title
    item = nil
  }
}

extension ChangeRow.Kind {
  package init(_ change: SnapshotDiff<SectionID, Item.ID>.ItemChange) {
    switch change {
    case .delete: self = .delete
    case .insert: self = .insert
    case .move: self = .move
    case .update: self = .update
    }
  }

  /// The sign of the kind: `+`, `-`, `→` or `~`.
  package var mark: String {
    switch self {
    case .insert: "+"
    case .delete: "-"
    case .move: "→"
    case .update: "~"
    }
  }

  var ink: TextLines.Ink {
    switch self {
    case .insert: .green
    case .delete: .red
    case .move: .blue
    case .update: .yellow
    }
  }

  /// The word for the kind: `inserted`, `deleted`, `moved` or `updated`.
  package var word: String {
    switch self {
    case .insert: "inserted"
    case .delete: "deleted"
    case .move: "moved"
    case .update: "updated"
    }
  }
}
