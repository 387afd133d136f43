public import Query

extension TypedResults {
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
    TypedResults<Mapped>(items, mapping: ModelMapping(after: mapping, transform))
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
    TypedResults(self, mapping: ModelMapping(transform))
  }
}
