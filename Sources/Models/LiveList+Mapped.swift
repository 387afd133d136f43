public import Store

extension LiveList {
  /// Returns this list with each element turned into another, such as a view model.
  ///
  /// Both are one list: a search that is set in one of them is set in both. An edit that leaves the
  /// new element equal is not an update of the new list; moves still come.
  ///
  /// ```swift
  /// struct ContactRow: Equatable {
  ///   let title: String
  ///   init(_ contact: Contact) { title = contact.name.uppercased() }
  /// }
  /// let rows = try store.list(of: Contact.self).mapped { ContactRow($0) }
  /// for row in rows.snapshot { print(row.title) }
  /// ```
  ///
  /// - Parameter transform: Makes the new element. It depends on its argument alone. It runs once
  ///   for each version of an element, when that is first shown: in the task that reads the list,
  ///   outside of all locks.
  public func mapped<Mapped: Equatable & Sendable>(_ transform: @escaping @Sendable (Element) -> Mapped)
    -> LiveList<Mapped>
  {
    mapped { element, _ in transform(element) }
  }

  /// Returns this list with each element and the targets of its links turned into another element.
  ///
  /// ```swift
  /// struct Note: PlainModel {
  ///   var id: String
  ///   var text: String
  ///   var author: Link<Contact>?
  /// }
  /// let lines = try store.list(of: Note.self).mapped { note, resolve in
  ///   "\(note.text) by \(resolve(note.author)?.name ?? "nobody")"
  /// }
  /// ```
  ///
  /// - Parameter transform: Makes the new element. It depends on the element and on the targets of
  ///   the element's own links. It runs once for each version of these, when the element is first
  ///   shown: in the task that reads the list, outside of all locks.
  public func mapped<Mapped: Equatable & Sendable>(
    _ transform: @escaping @Sendable (Element, LinkResolver) -> Mapped
  ) -> LiveList<Mapped> {
    LiveList<Mapped>(shared, mapping: ModelMapping(after: mapping, transform).function)
  }
}

extension ModelMapping {
  convenience init<Element: Sendable, Mapped: Equatable & Sendable>(
    after first: ItemMapping?, _ transform: @escaping @Sendable (Element, LinkResolver) -> Mapped
  ) {
    self.init { item, snapshot in
      let element = ListSnapshot<Element>(snapshot.mapped(by: first))[id: item.id]
      return element.map { Model(value: transform($0, LinkResolver(snapshot: snapshot))) }
    }
  }
}
