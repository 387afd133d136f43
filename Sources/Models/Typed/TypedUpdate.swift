public import Store

/// One consistent step of a list of your own type, from one snapshot to the next.
///
/// An array of rows is updated by ``apply(to:)``, and a diffable data source applies the snapshot
/// with its marks:
///
/// ```swift
/// var rows: [Contact] = []
/// for await update in store.results(of: Contact.self).updates {
///   update.apply(to: &rows)
///   print(update.diffableSnapshot.reconfiguredItemIdentifiers)
/// }
/// ```
@dynamicMemberLookup
public struct TypedUpdate<Object: Sendable>: Sendable {
  /// The update of the items that the values are decoded from.
  public let items: ResultsUpdate

  init(_ items: ResultsUpdate) {
    self.items = items
  }

  /// Accesses what does not depend on the type: `diff`, `origin`, `cause`, `isInitial`,
  /// `sectionChanges`, `itemChanges`, `reconfigured`, `diffableSnapshot`.
  public subscript<Part>(dynamicMember part: KeyPath<ResultsUpdate, Part>) -> Part { items[keyPath: part] }

  /// The list before the update.
  public var old: TypedSnapshot<Object> { TypedSnapshot(items.old) }
  /// The list after the update.
  public var new: TypedSnapshot<Object> { TypedSnapshot(items.new) }
  /// The changes to values, each with its value: deletes from the last place to the first, then
  /// inserts and moves by ascending `to`, then updates by ascending `to`. O(c log n) for c changes.
  /// ``apply(to:)`` applies them to an array.
  public var changes: [ResultsChange<Object>] { items.changes(of: Object.self) }
}

/// Applying an update to the rows that a view keeps of a list.
///
/// The rows must be those of the list before the update. Begin with an empty array and the first
/// update of `updates`, or with the rows of the snapshot that `updates(after:)` got, and apply each
/// update once. Rows of another count are a mistake of the program, which ends with a message. The
/// first update of `updates` replaces all rows, whatever they are.
///
/// Costs O(n + c log n) for n rows and c changes.
extension TypedUpdate {
  /// Applies the update to the objects of a list, in order. In a list with sections, the rows of all
  /// sections follow one another.
  public func apply(to rows: inout [Object]) { apply(to: &rows) { $0 } }

  /// Applies the update to the objects of a list by section.
  ///
  /// ```swift
  /// var sections: [[Contact]] = []
  /// for await update in try store.list(of: Contact.self, section: SectionDescriptor("group")).updates {
  ///   update.apply(to: &sections)
  ///   print(update.new.sections.map(\.id), sections.map(\.count))
  /// }
  /// ```
  public func apply(to sections: inout [[Object]]) { apply(to: &sections) { $0 } }

  /// Applies the update to rows that are made of objects. Rows that only move are kept.
  public func apply<Row>(to rows: inout [Row], row: (Object) throws -> Row) rethrows {
    try items.apply(Object.self, to: &rows, row)
  }

  /// Applies the update to rows by section that are made of objects. Rows that only move are kept.
  public func apply<Row>(to sections: inout [[Row]], row: (Object) throws -> Row) rethrows {
    try items.apply(Object.self, to: &sections, row)
  }
}

extension TypedUpdate: CustomStringConvertible {
  /// One line per change, those of sections first; `no changes` if there are none.
  public var description: String { items.description }
}
