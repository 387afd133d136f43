public import Store

/// A list of your own type at one moment, as a collection of its values in order. An immutable
/// value, like `ResultsSnapshot`.
///
/// ```swift
/// let contacts = store.results(of: Contact.self).snapshot
/// for contact in contacts { print(contact.name) }
/// let ada = contacts[id: "ada"]
/// let first = contacts[0, 0]
/// ```
@dynamicMemberLookup
public struct TypedSnapshot<Object: Sendable>: Sendable {
  /// The snapshot of the items that the values are decoded from.
  public let items: ResultsSnapshot

  init(_ items: ResultsSnapshot) {
    self.items = items
  }

  /// Accesses what does not depend on the type: `sectionIndexTitles`, `list`, `problems`, `request`.
  public subscript<Part>(dynamicMember part: KeyPath<ResultsSnapshot, Part>) -> Part { items[keyPath: part] }

  /// The values of the list, in order. O(n log n).
  public var fetchedObjects: [Object] { Array(self) }

  /// The section of a list of your own type.
  public typealias Section = ResultsSection<Object>

  /// The sections in order, each as a collection of its values. Without a section descriptor there
  /// is one section, `""`. O(s log s) for s sections.
  public var sections: [Section] { items.sections(of: Object.self) }

  /// The section with an id, as a collection of its values; nil if there is none. O(log n).
  public subscript(section id: SectionID) -> Section? { items.section(id, of: Object.self) }

  /// Returns the number of the first section with an index title; nil if there is none. O(s).
  public func sectionIndex(forIndexTitle title: String) -> Int? { items.sectionIndex(forIndexTitle: title) }

  /// Returns the title that the request gives a section; nil if it gives none.
  public func title(of section: SectionID) -> String? { items.title(of: section) }
}

/// A snapshot is a collection of its values, in order. Positions count from 0 through all sections.
extension TypedSnapshot: RandomAccessCollection {
  /// The position of the first value, 0.
  public var startIndex: Int { 0 }
  /// The number of values.
  public var endIndex: Int { items.count }

  /// The value at a position of the list, from 0, which must exist. O(log n).
  public subscript(position: Int) -> Object { items.object(atPosition: position, as: Object.self) }

  /// Returns an iterator over the values, in order.
  public func makeIterator() -> ResultsIterator<Object> {
    ResultsIterator(ids: items.list.items(in: 0..<items.count), snapshot: items)
  }

  /// The value at a section number and a number in that section, from 0; nil if none. O(log n).
  public subscript(section: Int, item: Int) -> Object? { self[ItemIndexPath(section: section, item: item)] }

  /// The value at an index path; nil if there is none. O(log n).
  public subscript(path: ItemIndexPath) -> Object? {
    items.id(at: path).map { items.listedObject($0, as: Object.self) }
  }

  /// The value at a place; nil if there is none. O(log n).
  public subscript(place: Place<SectionID>) -> Object? {
    items.list.item(at: place).map { items.listedObject($0, as: Object.self) }
  }

  /// The value of the item with an id; nil if the list does not show it. O(log n).
  public subscript(id id: Item.ID) -> Object? { self[item: id] }

  private subscript(item id: Item.ID) -> Object? {
    items[id: id] == nil ? nil : items.listedObject(id, as: Object.self)
  }
}

extension TypedSnapshot {
  /// Returns the place of an item, by the id of its section; nil if the list does not show it.
  /// O(log n). If an item is in several sections, this is its first place.
  public func place(of id: Item.ID) -> Place<SectionID>? { items.place(of: id) }

  /// Returns the places of an item in the order of the list: several if each element of a list
  /// field makes a section. O(log n) for each.
  public func places(of id: Item.ID) -> [Place<SectionID>] { items.places(of: id) }

  /// Returns the section number and the number in the section of an item; nil if the list does not
  /// show it. O(log n).
  public func indexPath(of id: Item.ID) -> ItemIndexPath? { items.indexPath(of: id) }

  /// Returns the position of an item in the list; nil if the list does not show it. O(log n).
  public func index(of id: Item.ID) -> Int? { items.index(of: id) }
}

extension TypedSnapshot: CustomStringConvertible {
  /// The number of items and their ids, at most ten of them: `2 items: ada, bob`.
  public var description: String { items.description }
}

extension TypedSnapshot where Object: PlainModel {
  /// The model with its own id; nil if the list does not show it.
  ///
  /// ```swift
  /// let ada = store.results(of: Contact.self).snapshot[id: "ada"]
  /// ```
  ///
  /// O(log n) for a model with the usual `itemID`. O(n) if the type has its own, and if the list
  /// does not show the model.
  public subscript(id id: Object.ID) -> Object? {
    if let item = Item.ID(usualFor: id), let object: Object = self[item: item], object.id == id {
      return object
    }
    return first { $0.id == id }
  }
}

extension TypedSnapshot where Object: PlainModel, Object.ID == Item.ID {
  /// The model with an id; nil if the list does not show it. O(log n).
  public subscript(id id: Item.ID) -> Object? { self[item: id] }
}

/// Values that are computed from the fields of all items of a list. See the functions of
/// `ResultsSnapshot`.
extension TypedSnapshot {
  /// Returns the smallest value of a field in sort order; nil if no item has one. O(n).
  public func min(_ path: FieldPath) -> Value? { items.min(path) }

  /// Returns the greatest value of a field in sort order, such as the latest date; nil if no item
  /// has one. O(n).
  public func max(_ path: FieldPath) -> Value? { items.max(path) }

  /// Returns the sum of the numbers of a field, 0 if there are none. It is computed in decimal:
  /// `0.1` and `0.2` are `0.3`. O(n).
  public func sum(_ path: FieldPath) -> Value { items.sum(path) }

  /// Returns the average of the numbers of a field, in decimal; nil if there are none. O(n).
  public func average(_ path: FieldPath) -> Value? { items.average(path) }

  /// Returns the number of items for each value of a field; those without one count for `""`. O(n).
  ///
  /// ```swift
  /// let counts = store.results(of: Contact.self).snapshot.counts(by: "rating")
  /// print(counts["9"] ?? 0)
  /// ```
  public func counts(by path: FieldPath) -> [SectionID: Int] { items.counts(by: path) }

  /// Returns the number of items for each section that a descriptor makes. O(n).
  public func counts(by section: SectionDescriptor) -> [SectionID: Int] { items.counts(by: section) }

  /// Returns the values in sections by a field, each section in the order of the list. Items
  /// without the field are in the section `""`. O(n log n).
  ///
  /// ```swift
  /// for group in store.results(of: Contact.self).snapshot.grouped(by: "rating") {
  ///   print(group.id, group.map(\.name))
  /// }
  /// ```
  public func grouped(by path: FieldPath) -> [Section] { grouped(by: SectionDescriptor(path)) }

  /// Returns the values in sections by a descriptor, each in the order of the list. O(n log n).
  public func grouped(by section: SectionDescriptor) -> [Section] {
    items.regrouped(by: section).sections(of: Object.self)
  }
}
