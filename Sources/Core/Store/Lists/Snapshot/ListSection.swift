/// One section of a list at one moment, as a collection of its elements. An immutable value.
///
/// ```swift
/// for section in contacts.snapshot.sections {
///   print(section.title ?? section.id.description, section.count)
///   for contact in section { print(contact.id) }
/// }
/// ```
public struct ListSection<Element: Sendable>: Sendable, Identifiable {
  /// The value that the elements of the section have in common.
  public let id: SectionID
  /// The title that the request gives the section; nil if it gives none.
  public let title: String?
  /// The number of elements in the section.
  public let count: Int
  let snapshot: ListSnapshot<Element>

  init(_ id: SectionID, of snapshot: ListSnapshot<Element>) {
    self.id = id
    title = snapshot.title(of: id)
    count = snapshot.list.numberOfItems(inSection: id)
    self.snapshot = snapshot
  }
}

extension ListSection: RandomAccessCollection {
  /// The position of the first element, 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { count }

  /// The element at a position of the section, from 0, which must exist as in every collection. O(log n).
  public subscript(position: Int) -> Element {
    guard let id = snapshot.list.item(at: Place(section: id, index: position)) else {
      // A position out of range is a mistake of the program, as with an array.
      preconditionFailure("The section has \(count) elements and none at \(position).")
    }
    return snapshot.element(ofRow: id)
  }

  /// Returns an iterator over the elements, in order.
  public func makeIterator() -> some IteratorProtocol<Element> {
    ListIterator(ids: snapshot.list.items(inSection: id), snapshot: snapshot)
  }
}

extension ListSection: CustomStringConvertible {
  /// The name of the section and the ids in it, at most ten of them: `friends [ada, bob]`.
  public var description: String {
    "\(Printing.name(of: id)) [\(Printing.ids(snapshot.list.items(inSection: id), count: count))]"
  }
}

/// An iterator over elements of a list. Each one costs O(log n).
struct ListIterator<Element: Sendable>: IteratorProtocol {
  var ids: Snapshot<SectionID, Item.ID>.Items
  let snapshot: ListSnapshot<Element>

  mutating func next() -> Element? { ids.next().map { snapshot.element(ofRow: $0) } }
}
