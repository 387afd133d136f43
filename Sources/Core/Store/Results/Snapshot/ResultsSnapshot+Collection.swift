/// A snapshot is a collection of its items, in order. Positions count from 0 through all sections.
extension ResultsSnapshot: RandomAccessCollection {
  /// The position of the first item, 0.
  public var startIndex: Int { 0 }
  /// The number of items.
  public var endIndex: Int { count }

  /// The item at a position of the list, from 0, which must exist as in every collection. O(log n).
  public subscript(position: Int) -> Item { object(atPosition: position, as: Item.self) }

  /// Returns an iterator over the items, in order.
  public func makeIterator() -> ResultsIterator<Item> {
    ResultsIterator(ids: list.items(in: 0..<count), snapshot: self)
  }

  /// The item with a section number and a number in that section, from 0; nil if there is none. O(log n).
  ///
  /// ```swift
  /// let first = store.results().snapshot[0, 0]
  /// ```
  public subscript(section: Int, item: Int) -> Item? { self[ItemIndexPath(section: section, item: item)] }

  /// The item at an index path; nil if there is none. O(log n).
  public subscript(path: ItemIndexPath) -> Item? { id(at: path).flatMap { content(of: $0)?.item } }

  /// The item at a place; nil if there is none. O(log n).
  public subscript(place: Place<SectionID>) -> Item? {
    list.item(at: place).flatMap { content(of: $0)?.item }
  }

  /// The item with an id, or with that of an occurrence; nil if the list does not show it. O(log n).
  public subscript(id id: Item.ID) -> Item? { item(id) }
}

extension ResultsSnapshot {
  /// The section of a list of items.
  public typealias Section = ResultsSection<Item>

  /// The sections in order, each as a collection of its items. Without a section descriptor there
  /// is one section, `""`. O(s log s) for s sections.
  public var sections: [Section] { sections(of: Item.self) }

  /// The section with an id, as a collection of its items; nil if there is none. O(log n).
  ///
  /// ```swift
  /// let friends = store.results(FetchRequest(section: SectionDescriptor("group"))).snapshot[section: "friends"]
  /// ```
  public subscript(section id: SectionID) -> Section? { section(id, of: Item.self) }

  /// Returns the place of an item, by the id of its section: the first one if there are several (see
  /// `places(of:)`), nil if the list does not show it. O(log n).
  public func place(of id: Item.ID) -> Place<SectionID>? { firstRow(of: id).flatMap(list.place) }

  /// Returns the places of an item in the order of the list: several if each element of a list
  /// field makes a section (`SectionDescriptor.Grouping.element`). O(log n) for each.
  public func places(of id: Item.ID) -> [Place<SectionID>] { rows(of: id).compactMap(list.place) }

  /// Returns the section number and the number in the section of an item, at its first place; nil
  /// if the list does not show it. O(log n).
  public func indexPath(of id: Item.ID) -> ItemIndexPath? { place(of: id).flatMap(indexPath) }

  /// Returns the first position of an item in the list; nil if the list does not show it. O(log n).
  public func index(of id: Item.ID) -> Int? { firstRow(of: id).flatMap(list.indexOfItem) }

  /// Returns the rows of an item, in order: several if it is in several sections, none if it is not shown.
  func rows(of id: Item.ID) -> [Item.ID] {
    if list.contains(id) { return [id] }
    // The items do not say where rows are that the list keeps.
    if kept != nil {
      return id.section == nil
        ? list.sectionIdentifiers.map { Item.ID(id, in: $0) }.filter(list.contains) : []
    }
    guard let section = request.section, section.hasOccurrences, id.section == nil,
      let fields = fields(of: id)
    else { return [] }
    let rows = section.sectionIDs(of: fields, nil).map { Item.ID(id, in: $0) }
    return rows.compactMap { row in list.indexOfItem(row).map { (index: $0, row: row) } }.sorted {
      $0.index < $1.index
    }.map(\.row)
  }

  /// Returns the ids by which the list knows some items; for a list without occurrences these ids.
  func rows(of ids: Set<Item.ID>) -> Set<Item.ID> {
    kept != nil || request.section?.hasOccurrences == true ? Set(ids.flatMap { rows(of: $0) }) : ids
  }

  func firstRow(of id: Item.ID) -> Item.ID? { list.contains(id) ? id : rows(of: id).first }

  package func id(at path: ItemIndexPath) -> Item.ID? {
    list.sectionIdentifier(at: path.section).flatMap { list.item(at: Place(section: $0, index: path.item)) }
  }

  func indexPath(_ place: Place<SectionID>) -> ItemIndexPath? {
    list.indexOfSection(place.section).map { ItemIndexPath(section: $0, item: place.index) }
  }

  package func section<Object>(_ id: SectionID, of type: Object.Type) -> ResultsSection<Object>? {
    list.containsSection(id) ? ResultsSection(id, of: self) : nil
  }

  package func sections<Object>(of type: Object.Type) -> [ResultsSection<Object>] {
    list.sectionIdentifiers.map { ResultsSection($0, of: self) }
  }

  /// Returns the object of an item: the item itself, its model, or the result of `map`. Nil if
  /// there is none. It may run the closure of `map`, so it must not be called under a lock.
  func object<Object>(_ id: Item.ID, as type: Object.Type) -> Object? {
    type == Item.self ? content(of: id)?.item as? Object : model(id)?.value as? Object
  }

  package func listedObject<Object>(_ id: Item.ID, as type: Object.Type) -> Object {
    guard let object = object(id, as: type) else {
      // Unreachable: every shown item has an object, because the list and its models change together.
      preconditionFailure("The list has no \(type) for \(id).")
    }
    return object
  }

  package func object<Object>(atPosition position: Int, as type: Object.Type) -> Object {
    guard let id = list.item(atIndex: position) else {
      // A position out of range is a mistake of the program, as with an array.
      preconditionFailure("The list has \(count) items and none at \(position).")
    }
    return listedObject(id, as: type)
  }
}

/// The position of an item as table views count it: the number of its section, and its number in
/// that section, both from 0.
///
/// ```swift
/// let path = ItemIndexPath(section: 1, item: 0)
/// print(path)  // [1, 0]
/// ```
public struct ItemIndexPath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of the section, from 0.
  public var section: Int
  /// The number of the item in its section, from 0.
  public var item: Int

  /// Creates an index path.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// The numbers as `[section, item]`.
  public var description: String { "[\(section), \(item)]" }

  /// Returns true if `a` comes before `b` in the list.
  public static func < (a: ItemIndexPath, b: ItemIndexPath) -> Bool {
    (a.section, a.item) < (b.section, b.item)
  }
}

/// Section index titles: the letters at the edge of a long list.
extension ResultsSnapshot {
  /// The index titles of the sections, each once, in the order of the sections. A section without a
  /// name has none. O(s) for s sections.
  public var sectionIndexTitles: [String] {
    var seen: Set<String> = []
    return sections.compactMap(\.indexTitle).filter { seen.insert($0).inserted }
  }

  /// Returns the number of the first section with an index title; nil if there is none. O(s).
  public func sectionIndex(forIndexTitle title: String) -> Int? {
    sections.firstIndex { $0.indexTitle == title }
  }
}

extension ResultsSection {
  /// The first letter of the section's title as a capital: `É` for `élan`, in either encoding of
  /// the accent. A section without a title uses its id. Nil if both are empty.
  public var indexTitle: String? { (title ?? id.description).indexTitle }
}

extension FetchedResults {
  /// The index titles of the sections, each once, in the order of the sections.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }
}
