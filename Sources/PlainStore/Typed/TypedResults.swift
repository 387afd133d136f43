public import DiffableSnapshot
import HashTreeCollections

/// A live list of the caller's own type: a `FetchedResults` whose items are decoded once each, and which promises the same.
///
/// - An item that does not decode is a problem with the coding path and the file's line. It keeps its last good value, and is not listed where there is none.
/// - An edit that leaves the decoded value equal is no update; it may move the item, where it changed what the list is sorted by.
/// - The list knows an item by its `Item.ID`, whatever `id` the type gives itself. Where both should agree, name the field in the settings' `id-field`, or decode `@id`.
/// - `init(from:)` is called from the store's own task, once for each reading of a file.
///
/// What is shown can be changed while it runs, as with `FetchedResults`: `colors.search = "re"`.
@dynamicMemberLookup
public final class TypedResults<Object: Decodable & Identifiable & Equatable & Sendable>: Sendable {
  /// The same list, not decoded.
  public let items: FetchedResults

  init(_ items: FetchedResults) {
    self.items = items
  }

  /// `request` and its parts: `search`, `sort`, `predicate`, `section`, `limit`, `offset`, `window`.
  public subscript<Part>(dynamicMember part: ReferenceWritableKeyPath<FetchedResults, Part>) -> Part {
    get { items[keyPath: part] }
    set { items[keyPath: part] = newValue }
  }

  /// The list as it is now.
  public var snapshot: TypedSnapshot<Object> { TypedSnapshot(items.snapshot) }

  /// All values of the list, in order. O(n).
  public var fetchedObjects: [Object] { snapshot.fetchedObjects }

  /// Every change to the list, one step at a time. The first leads from an empty list to the list as it is.
  public var updates: ResultsSequence<TypedUpdate<Object>> {
    ResultsSequence(items) { step in step.updateFromNothing.map { [TypedUpdate($0)] } ?? [] }
  }

  /// Every change to a value of the list, one at a time. First each as an insert.
  public var changes: ResultsSequence<ResultsChange<Object>> {
    ResultsSequence(items) { step in step.updateFromNothing.map { TypedUpdate<Object>($0).changes } ?? [] }
  }

  /// What is wrong with files, and with what they are decoded to: all that is, then what comes and goes.
  public var problems: ResultsSequence<ProblemChange> { items.problems }

  /// One value: as it is, then whenever it changes, and nil while the list does not show it.
  public func updates(of id: Item.ID) -> ResultsSequence<Object?> {
    ResultsSequence(items) { step in step.changes(id) ? [TypedSnapshot(step.new).object(id)] : [] }
  }
}

/// A list of the caller's own type at one moment. An immutable value, as `ResultsSnapshot` is.
@dynamicMemberLookup
public struct TypedSnapshot<Object: Sendable>: Sendable {
  /// The same, not decoded.
  public let items: ResultsSnapshot

  init(_ items: ResultsSnapshot) {
    self.items = items
  }

  /// What does not depend on the type: `count`, `sections`, `sectionIndexTitles`, `list`, `problems`, `request`.
  public subscript<Part>(dynamicMember part: KeyPath<ResultsSnapshot, Part>) -> Part { items[keyPath: part] }

  /// All values, in order. O(n).
  public var fetchedObjects: [Object] { items.list.itemIdentifiers.compactMap(value) }

  /// The values of a section, in order.
  public func objects(in section: SectionID) -> [Object] { items.list.itemIdentifiers(inSection: section).compactMap(value) }

  /// The value at a place. O(log n).
  public func object(at place: Place<SectionID>) -> Object? { items.list.item(at: place).flatMap(value) }

  /// The value of an item that the list shows. O(log n).
  public func object(_ id: Item.ID) -> Object? { items.list.contains(id) ? value(id) : nil }

  /// Where an item stands. O(log n).
  public func place(of id: Item.ID) -> Place<SectionID>? { items.place(of: id) }

  private func value(_ id: Item.ID) -> Object? { items.models?[id]?.value as? Object }
}

/// One consistent step of a list of the caller's own type, from a snapshot to the next.
public struct TypedUpdate<Object: Sendable>: Sendable {
  /// The same, not decoded.
  public let items: ResultsUpdate

  init(_ items: ResultsUpdate) {
    self.items = items
  }

  public var old: TypedSnapshot<Object> { TypedSnapshot(items.old) }
  public var new: TypedSnapshot<Object> { TypedSnapshot(items.new) }
  public var diff: SnapshotDiff<SectionID, Item.ID> { items.diff }
  public var origin: ResultsUpdate.Origin { items.origin }
  /// The changes of the diff, each with its values.
  public var changes: [ResultsChange<Object>] { items.changes { $1.models?[$0]?.value as? Object } }
}
