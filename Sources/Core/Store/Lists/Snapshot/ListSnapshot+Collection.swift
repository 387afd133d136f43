extension ListSnapshot: RandomAccessCollection {
  /// The position of the first element, 0. Positions count through all sections.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { list.numberOfItems }

  /// The element at a position of the list, from 0, which must exist as in every collection. O(log n).
  public subscript(position: Int) -> Element {
    guard let id = list.item(atIndex: position) else {
      // A position out of range is a mistake of the program, as with an array.
      preconditionFailure("The list has \(count) items and none at \(position).")
    }
    return element(ofRow: id)
  }

  /// Returns an iterator over the elements, in order.
  public func makeIterator() -> some IteratorProtocol<Element> {
    ListIterator(ids: list.items(in: 0..<count), snapshot: self)
  }

  /// The element at a place; nil if there is none. O(log n).
  ///
  /// ```swift
  /// let first = contacts.snapshot[ListPlace(section: 0, item: 0)]
  /// ```
  public subscript(place: ListPlace) -> Element? { row(at: place).map { element(ofRow: $0) } }

  /// The element of the item with an id, or with that of an occurrence; nil if the list does not show it.
  /// O(log n).
  public subscript(id id: some ItemIDConvertible) -> Element? { self[item: id.itemID] }

  package subscript(item id: Item.ID) -> Element? { firstRow(of: id).flatMap { object($0) } }
}

extension ListSnapshot {
  /// The sections in order, each as a collection of its elements. Without a section descriptor there
  /// is one section, `""`. O(s log s) for s sections.
  public var sections: [ListSection<Element>] { list.sectionIdentifiers.map { ListSection($0, of: self) } }

  /// The section with an id, as a collection of its elements; nil if there is none. O(log n).
  ///
  /// ```swift
  /// let friends = try store.list(of: Contact.self, section: "group").snapshot[section: "friends"]
  /// ```
  public subscript(section id: SectionID) -> ListSection<Element>? {
    list.containsSection(id) ? ListSection(id, of: self) : nil
  }

  /// Returns the place of an item: the first one if there are several (see `places(of:)`), nil if the list
  /// does not show it. O(log n).
  public func place(of id: some ItemIDConvertible) -> ListPlace? {
    firstRow(of: id.itemID).flatMap(list.place).flatMap(place)
  }

  /// Returns the places of an item in the order of the list: several if each element of a list field makes a
  /// section (`SectionDescriptor.Grouping.element`). O(log n) for each.
  public func places(of id: some ItemIDConvertible) -> [ListPlace] {
    rows(of: id.itemID).compactMap(list.place).compactMap(place)
  }

  /// Returns the section of an item, at its first place; nil if the list does not show it. O(log n).
  package func section(of id: Item.ID) -> SectionID? { firstRow(of: id).flatMap(list.place)?.section }

  /// Returns the first position of an item in the list; nil if the list does not show it. O(log n).
  public func index(of id: some ItemIDConvertible) -> Int? {
    firstRow(of: id.itemID).flatMap(list.indexOfItem)
  }

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

  func row(at place: ListPlace) -> Item.ID? {
    list.sectionIdentifier(at: place.section).flatMap { list.item(at: Place(section: $0, index: place.item)) }
  }

  func place(_ place: Place<SectionID>) -> ListPlace? {
    list.indexOfSection(place.section).map { ListPlace(section: $0, item: place.index) }
  }

  /// Returns the element of a row: the item itself, its model, or what the mapping makes of it. Nil if there
  /// is none. It may run the mapping, so it must not be called under a lock.
  private func object(_ row: Item.ID) -> Element? {
    // A snapshot of another type may be read as one of items, with its mapping.
    let made = Element.self == Item.self && mapping == nil ? nil : model(row)?.value as? Element
    return Element.self == Item.self ? made ?? content(of: row)?.item as? Element : made
  }

  func element(ofRow id: Item.ID) -> Element {
    guard let element = object(id) else {
      // Unreachable: every shown item has an element, because the list and its models change together.
      preconditionFailure("The list has no \(Element.self) for \(id).")
    }
    return element
  }
}

/// The place of an element as table views count it: the number of its section, and its number in that
/// section, both from 0.
///
/// ```swift
/// let place = ListPlace(section: 1, item: 0)
/// print(place)  // [1, 0]
/// ```
public struct ListPlace: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of the section, from 0.
  public var section: Int
  /// The number of the element in its section, from 0.
  public var item: Int

  /// Creates the place of an element from the number of its section and its number in the section, from 0.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// The numbers as `[section, item]`.
  public var description: String { "[\(section), \(item)]" }

  /// Returns true if `a` comes before `b` in the list.
  public static func < (a: ListPlace, b: ListPlace) -> Bool { (a.section, a.item) < (b.section, b.item) }
}

/// Section index titles: the letters at the edge of a long list.
extension ListSnapshot {
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

extension ListSection {
  /// The first letter of the section's title as a capital: `É` for `élan`, in either encoding of
  /// the accent. A section without a title uses its id. Nil if both are empty.
  public var indexTitle: String? { (title ?? id.description).indexTitle }
}
