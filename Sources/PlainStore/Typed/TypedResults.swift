public import DiffableSnapshot
import HashTreeCollections

/// A live list of your own type: a `FetchedResults` whose items are decoded, with the same
/// promises.
///
/// - An item that does not decode is a problem with the coding path and the file's line. It keeps
///   its last good value, and is not listed if it has none.
/// - An edit that leaves the decoded value equal is not an update. It may still move the item if it
///   changed the value that the list is sorted by.
/// - The list identifies an item by its `Item.ID`, not by the type's own `id`. If both should
///   agree, name the field in the settings' `id-field`, or decode `@id`.
/// - `init(from:)` runs on the store's worker, once each time a file is read. It runs outside of
///   all locks and may ask the store and its lists anything, but must not wait for a save.
///
/// The request can be changed while the list runs, as with `FetchedResults`:
/// `colors.search = "re"`.
@dynamicMemberLookup
public final class TypedResults<Object: Decodable & Identifiable & Equatable & Sendable>: Sendable {
  /// The list of the items that the values are decoded from.
  public let items: FetchedResults

  init(_ items: FetchedResults) {
    self.items = items
  }

  /// Accesses `request` and its parts: `search`, `sort`, `predicate`, `section`, `limit`, `offset`,
  /// `window`.
  public subscript<Part>(dynamicMember part: ReferenceWritableKeyPath<FetchedResults, Part>) -> Part {
    get { items[keyPath: part] }
    set { items[keyPath: part] = newValue }
  }

  /// The list as it is now.
  public var snapshot: TypedSnapshot<Object> { TypedSnapshot(items.snapshot) }

  /// The values of the list, in order. O(n).
  public var fetchedObjects: [Object] { snapshot.fetchedObjects }

  /// The updates of the list, one step at a time. The first one leads from an empty list to the
  /// list as it is.
  public var updates: ResultsSequence<TypedUpdate<Object>> {
    ResultsSequence(items) { step in step.updateFromNothing.map { [TypedUpdate($0)] } ?? [] }
  }

  /// The changes to the list's values, one at a time. First comes each value as an insert.
  public var changes: ResultsSequence<ResultsChange<Object>> {
    ResultsSequence(items) { step in step.updateFromNothing.map { TypedUpdate<Object>($0).changes } ?? [] }
  }

  /// The problems of files and of their decoding: first all that there are, then each that comes or
  /// goes.
  public var problems: ResultsSequence<ProblemChange> { items.problems }

  /// One value: as it is now, then each time it changes. Nil while the list does not show it.
  public func updates(of id: Item.ID) -> ResultsSequence<Object?> {
    ResultsSequence(items) { step in step.changes(id) ? [TypedSnapshot(step.new).object(id)] : [] }
  }
}

/// A list of your own type at one moment. An immutable value, like `ResultsSnapshot`.
@dynamicMemberLookup
public struct TypedSnapshot<Object: Sendable>: Sendable {
  /// The snapshot of the items that the values are decoded from.
  public let items: ResultsSnapshot

  init(_ items: ResultsSnapshot) {
    self.items = items
  }

  /// Accesses what does not depend on the type: `count`, `sections`, `sectionIndexTitles`, `list`,
  /// `problems`, `request`.
  public subscript<Part>(dynamicMember part: KeyPath<ResultsSnapshot, Part>) -> Part { items[keyPath: part] }

  /// The values of the list, in order. O(n).
  public var fetchedObjects: [Object] { items.list.itemIdentifiers.compactMap(value) }

  /// Returns the values of a section, in order.
  public func objects(in section: SectionID) -> [Object] { items.list.itemIdentifiers(inSection: section).compactMap(value) }

  /// Returns the value at a place; nil if there is none. O(log n).
  public func object(at place: Place<SectionID>) -> Object? { items.list.item(at: place).flatMap(value) }

  /// Returns the value of an item; nil if the list does not show it. O(log n).
  public func object(_ id: Item.ID) -> Object? { items.item(id) == nil ? nil : value(id) }

  /// Returns the place of an item; nil if the list does not show it. O(log n).
  public func place(of id: Item.ID) -> Place<SectionID>? { items.place(of: id) }

  private func value(_ id: Item.ID) -> Object? { items.models?[id.item]?.value as? Object }
}

/// One consistent step of a list of your own type, from one snapshot to the next.
public struct TypedUpdate<Object: Sendable>: Sendable {
  /// The update of the items that the values are decoded from.
  public let items: ResultsUpdate

  init(_ items: ResultsUpdate) {
    self.items = items
  }

  /// The list before the update.
  public var old: TypedSnapshot<Object> { TypedSnapshot(items.old) }
  /// The list after the update.
  public var new: TypedSnapshot<Object> { TypedSnapshot(items.new) }
  /// The changes that lead from the old list to the new one.
  public var diff: SnapshotDiff<SectionID, Item.ID> { items.diff }
  /// The cause of the update.
  public var origin: ResultsUpdate.Origin { items.origin }
  /// The changes of the diff, each with its values.
  public var changes: [ResultsChange<Object>] { items.changes { $1.models?[$0.item]?.value as? Object } }
}
