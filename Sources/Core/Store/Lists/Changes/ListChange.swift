/// The change that an update made to one element of a list.
///
/// ```swift
/// for await update in contacts.updates { for change in update.changes { print(change) } }
/// // + ada at 0             ada is new, at position 0
/// // - ada from 1           ada is gone
/// // > bob 1 → 0, changed   bob moved, and is different
/// // ~ ada at 2             ada is different, at the same place
/// ```
public struct ListChange<Element: Sendable>: Sendable {
  /// The element as it is now; for a delete as it was.
  public let element: Element
  /// The element as it was, if the update changed it; otherwise nil.
  public let before: Element?
  /// The place in the list before the complete update; nil for an insert.
  public let from: ListPlace?
  /// The place in the list after the complete update; nil for a delete.
  public let to: ListPlace?
  package let change: SnapshotDiff<SectionID, Item.ID>.ItemChange
  /// True if the old and the new list have sections, so that a position needs the section's name.
  let hasSections: (old: Bool, new: Bool)

  /// The kind of this change. A move may also have changed the element.
  public var kind: ListChangeKind {
    switch change {
    case .insert: .insert
    case .delete: .delete
    case .move: .move
    case .update: .update
    }
  }

  /// True if the element itself changed: for an update, and for a move that also changed it.
  public var isChanged: Bool { change.isUpdated }

  /// The id by which the list knows the element.
  public var id: Item.ID { change.item }
}

/// The kind of a change to an item or a section.
///
/// There are no other kinds: each is inserted, deleted, moved or updated.
public enum ListChangeKind: String, Sendable, Hashable, CustomStringConvertible {
  /// It is new, it is gone, it has another place, or it has other values.
  case insert, delete, move, update

  /// The word for the kind, such as `insert`.
  public var description: String { rawValue }

  var sign: String {
    switch self {
    case .insert: "+"
    case .delete: "-"
    case .move: ">"
    case .update: "~"
    }
  }

  func places(from old: String, to new: String) -> String {
    switch self {
    case .insert, .update: "at \(new)"
    case .delete: "from \(old)"
    case .move: "\(old) → \(new)"
    }
  }
}

extension ListChange: CustomStringConvertible {
  /// The change in one line: `+ ada at 0`, `- ada from 1`, `> bob 1 → 0, changed` or `~ ada at 2`.
  /// In a list with sections, places have their names: `> bob friends[1] → work[0]`.
  public var description: String {
    let old = text(change.from, hasSections.old)
    let new = text(change.to, hasSections.new)
    let places = kind.places(from: old, to: new) + (kind == .move && isChanged ? ", changed" : "")
    return "\(kind.sign) \(Printing.text(id)) \(places)"
  }

  private func text(_ place: Place<SectionID>?, _ hasSections: Bool) -> String {
    place.map { hasSections ? "\(Printing.name(of: $0.section))[\($0.index)]" : String($0.index) } ?? ""
  }
}

extension SnapshotDiff.ItemChange {
  var isUpdated: Bool {
    switch self {
    case .update, .move(_, _, _, isUpdated: true): true
    case .insert, .delete, .move: false
    }
  }
}

/// The change that an update made to one section of a list.
public struct ListSectionChange: Sendable, Hashable {
  /// The kind of the change. A section is updated if its title changed.
  public let kind: ListChangeKind
  /// The id of the section.
  public let id: SectionID
  /// The title of the section as it is now, for a delete as it was; nil if it has none.
  public let title: String?
  /// The number of the section before the update, from 0; nil for an insert.
  public let from: Int?
  /// The number of the section after the update, from 0; nil for a delete.
  public let to: Int?

  init(_ change: SnapshotDiff<SectionID, Item.ID>.SectionChange, in update: ListUpdate<some Sendable>) {
    kind =
      switch change {
      case .insert: .insert
      case .delete: .delete
      case .move: .move
      case .update: .update
      }
    id = change.section
    from = change.from
    to = change.to
    title = (to == nil ? update.old : update.new).title(of: id)
  }
}

extension ListSectionChange: CustomStringConvertible {
  /// The change in one line: `+ section work at 1`, `- section work from 1`, `> section work 1 → 0`
  /// or `~ section work at 1`.
  public var description: String {
    let old = from.map(String.init) ?? ""
    let new = to.map(String.init) ?? ""
    return "\(kind.sign) section \(Printing.name(of: id)) \(kind.places(from: old, to: new))"
  }
}

/// The changes of an update in the form that views need.
extension ListUpdate {
  /// The changes to elements: deletes from the last place to the first, then inserts and moves by
  /// ascending `to`, then updates by ascending `to`. ``apply(to:)`` applies them to an array.
  /// O(c log n) for c changes.
  public var changes: [ListChange<Element>] {
    let hasSections = (old: old.request.section != nil, new: new.request.section != nil)
    return diff.changes.map { change in
      ListChange(
        element: (change.to == nil ? old : new).element(ofRow: change.item),
        before: change.isUpdated ? old.element(ofRow: change.item) : nil,
        from: change.from.flatMap(old.place), to: change.to.flatMap(new.place), change: change,
        hasSections: hasSections)
    }
  }

  /// The changes to sections: deletes, then inserts and moves, then updates. Views apply them
  /// before the changes to items.
  public var sectionChanges: [ListSectionChange] {
    diff.sections.map { ListSectionChange($0, in: self) }
  }

  /// The items whose cells must be configured again: those that were updated in place, and those
  /// that moved and changed.
  public var reconfigured: [Item.ID] { diff.changes.filter(\.isUpdated).map(\.item) }

  /// The new list with its marks, for a diffable data source: `reconfigured` items are marked as
  /// reconfigured, and sections with another title as reloaded. O(c log n) for c changes.
  ///
  /// ```swift
  /// for await update in contacts.updates {
  ///   let list = update.diffableSnapshot
  ///   print(list.itemIdentifiers, list.reconfiguredItemIdentifiers)
  /// }
  /// ```
  public var diffableSnapshot: Snapshot<SectionID, Item.ID> {
    var list = new.list
    let retitled = diff.sections.compactMap { change in
      if case .update(let id, _, _) = change { id } else { nil }
    }
    // Every updated item and section is in the new list, so this does not fail.
    try? list.reconfigureItems(reconfigured)
    try? list.reloadSections(retitled)
    return list
  }
}

extension ListUpdate: CustomStringConvertible {
  /// One line per change, those of sections first; `no changes` if there are none.
  public var description: String {
    let lines = sectionChanges.map(\.description) + changes.map(\.description)
    return lines.isEmpty ? "no changes" : lines.joined(separator: "\n")
  }
}
