public import Query
public import Store

/// A live list of your own type: a `FetchedResults` whose items are decoded, with the same
/// promises.
///
/// - Only items that the request's folder and predicate let through are decoded. Other files are
///   not problems of the list.
/// - An item that does not decode is a problem with the coding path and the file's line. It keeps
///   its last good value as long as that matches; without one it isn't listed.
/// - An edit that leaves the decoded value equal is not an update. It may still move the item if it
///   changed the value that the list is sorted by.
/// - The list identifies an item by its `Item.ID`, not by the type's own `id`. If both should
///   agree, name the field in the settings' `id-field`, or decode `@id`.
/// - `init(from:)` runs once each time a file is read: on the store's worker, or in the task that
///   makes the list or changes its request. It runs outside of all locks and may ask the store and
///   its lists anything, but must not wait for a save.
///
/// The request can be changed while the list runs, as with `FetchedResults`: `colors.search = "re"`.
///
/// A live list is not a collection, because two reads may see two lists. Its `snapshot` is one.
///
/// ```swift
/// let contacts = store.results(of: Contact.self)
/// for contact in contacts.snapshot { print(contact.name) }
/// ```
@dynamicMemberLookup
public final class TypedResults<Object: Equatable & Sendable>: Sendable {
  /// The list of the items that the values are decoded from.
  public let items: FetchedResults
  /// The mapping that makes the list's objects; nil if the list shows the decoded ones.
  let mapping: ItemMapping?

  init(_ items: FetchedResults, mapping: ItemMapping? = nil) {
    self.items = items
    self.mapping = mapping
  }

  /// Accesses `request` and its parts: `search`, `sort`, `predicate`, `section`, `limit`, `offset`,
  /// `window`.
  public subscript<Part>(dynamicMember part: ReferenceWritableKeyPath<FetchedResults, Part>) -> Part {
    get { items[keyPath: part] }
    set { items[keyPath: part] = newValue }
  }

  /// Accesses what does not depend on the type: `count`, `isEmpty`, `problems`, `hints`, `warnings`.
  public subscript<Part>(dynamicMember part: KeyPath<FetchedResults, Part>) -> Part { items[keyPath: part] }

  /// Changes several parts of the request as one step. See `FetchedResults.change(_:)`.
  public func change(_ body: (inout FetchRequest) -> Void) { items.change(body) }

  /// The list as it is now. All values of one snapshot are consistent; two calls may see two lists.
  public var snapshot: TypedSnapshot<Object> { TypedSnapshot(items.snapshot.mapped(by: mapping)) }

  /// The values of the list as it is now, in order. O(n).
  public var fetchedObjects: [Object] { snapshot.fetchedObjects }

  /// The sections of the list as it is now, in order. O(s log s) for s sections.
  public var sections: [ResultsSection<Object>] { snapshot.sections }
}

/// The events of a list of your own type as `AsyncSequence`s. Each begins with the list as it is
/// when its loop begins.
extension TypedResults {
  /// The updates of the list, one step at a time. The first one leads from an empty list to the
  /// list as it is.
  ///
  /// ```swift
  /// for await update in store.results(of: Contact.self).updates { print(update) }
  /// ```
  public var updates: ResultsSequence<TypedUpdate<Object>> {
    sequence { step in step.updateFromNothing.map { [TypedUpdate($0)] } ?? [] }
  }

  /// The changes to the list's values, one at a time. First comes each value as an insert.
  ///
  /// ```swift
  /// for await change in store.results(of: Contact.self).changes { print(change) }
  /// ```
  public var changes: ResultsSequence<ResultsChange<Object>> {
    sequence { step in step.updateFromNothing.map { TypedUpdate<Object>($0).changes } ?? [] }
  }

  /// Returns the updates of the list since a snapshot of it. Nothing in between is lost, however
  /// late the loop begins.
  ///
  /// ```swift
  /// let contacts = store.results(of: Contact.self)
  /// let shown = contacts.snapshot
  /// for await update in contacts.updates(after: shown) { print(update.changes) }
  /// ```
  ///
  /// - Parameter snapshot: A snapshot of this list; nil (the default) for the list as it is at this
  ///   call. The first update leads from it to the newest list, if they differ. That costs O(n)
  ///   if the snapshot is not the newest one.
  public func updates(after snapshot: TypedSnapshot<Object>? = nil) -> ResultsSequence<TypedUpdate<Object>> {
    sequence(after: items.subscribe(after: snapshot?.items)) { step in
      step.update.map { [TypedUpdate($0)] } ?? []
    }
  }

  /// Returns the changes to the list's values since a snapshot of it, one at a time: those of the
  /// updates of ``updates(after:)``.
  public func changes(after snapshot: TypedSnapshot<Object>? = nil) -> ResultsSequence<ResultsChange<Object>>
  {
    sequence(after: items.subscribe(after: snapshot?.items)) { step in
      step.update.map { TypedUpdate<Object>($0).changes } ?? []
    }
  }

  /// Returns the values of one item: as it is now, then each time it changes. Nil while the list
  /// does not show it.
  public func updates(of id: Item.ID) -> ResultsSequence<Object?> {
    sequence { step in step.changes(id) ? [TypedSnapshot(step.new)[id: id]] : [] }
  }

  private func sequence<Element>(
    after start: ResultsSubscription? = nil, _ elements: @escaping @Sendable (ResultsStep) -> [Element]
  ) -> ResultsSequence<Element> {
    guard let mapping else { return ResultsSequence(items, after: start, elements) }
    return ResultsSequence(items, after: start) { step in elements(step.mapped(by: mapping)) }
  }

  /// Returns this list with each object turned into another, such as a view model.
  ///
  /// Both are one list: a search that is set in one of them is set in both. An edit that leaves the
  /// new object equal is not an update of the new list; moves still come.
  ///
  /// ```swift
  /// struct ContactRow: Equatable {
  ///   let title: String
  ///   init(_ contact: Contact) { title = contact.name.uppercased() }
  /// }
  /// let rows = store.results(of: Contact.self).map { ContactRow($0) }
  /// for row in rows.snapshot { print(row.title) }
  /// ```
  ///
  /// - Parameter transform: Makes the new object. It depends on its argument alone. It runs once
  ///   for each version of an object, when that is first shown: in the task that reads the list,
  ///   outside of all locks.
  public func map<Mapped>(_ transform: @escaping @Sendable (Object) -> Mapped) -> TypedResults<Mapped> {
    map { object, _ in transform(object) }
  }

  /// Returns this list with each object and the targets of its links turned into another object.
  ///
  /// ```swift
  /// struct Note: PlainModel {
  ///   var id: String
  ///   var text: String
  ///   var author: Link<Contact>?
  /// }
  /// let lines = store.results(of: Note.self).map { note, resolve in
  ///   "\(note.text) by \(resolve(note.author)?.name ?? "nobody")"
  /// }
  /// ```
  ///
  /// - Parameter transform: Makes the new object. It depends on the object and on the targets of
  ///   the object's own links. It runs once for each version of these, when the object is first
  ///   shown: in the task that reads the list, outside of all locks.
  public func map<Mapped>(_ transform: @escaping @Sendable (Object, LinkResolver) -> Mapped) -> TypedResults<
    Mapped
  > {
    TypedResults<Mapped>(items, mapping: ModelMapping(after: mapping, transform).function)
  }
}

extension FetchedResults {
  /// Returns this list with each item turned into an object of your own, such as a view model.
  ///
  /// Both are one list: a search that is set in one of them is set in both. An edit that leaves the
  /// object equal is not an update of the new list; moves still come.
  ///
  /// ```swift
  /// let names = store.results().map { $0.value(at: "name")?.text ?? "" }
  /// for name in names.snapshot { print(name) }
  /// ```
  ///
  /// - Parameter transform: Makes the object. It depends on its argument alone. It runs once for
  ///   each version of an item, when that is first shown: in the task that reads the list, outside
  ///   of all locks.
  public func map<Mapped>(_ transform: @escaping @Sendable (Item) -> Mapped) -> TypedResults<Mapped> {
    TypedResults(self, mapping: ModelMapping(transform).function)
  }
}

extension ModelMapping {
  convenience init<Mapped: Equatable & Sendable>(_ transform: @escaping @Sendable (Item) -> Mapped) {
    self.init { item, _ in Model(value: transform(item)) }
  }

  convenience init<Object: Sendable, Mapped: Equatable & Sendable>(
    after first: ItemMapping?, _ transform: @escaping @Sendable (Object, LinkResolver) -> Mapped
  ) {
    self.init { item, snapshot in
      let object = snapshot.mapped(by: first).model(item.id)?.value as? Object
      return object.map { Model(value: transform($0, LinkResolver(snapshot: snapshot))) }
    }
  }
}
