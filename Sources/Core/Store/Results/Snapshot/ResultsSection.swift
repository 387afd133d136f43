/// One section of a list at one moment, as a collection of its objects. An immutable value.
///
/// ```swift
/// for section in results.snapshot.sections {
///   print(section.title ?? section.id.description, section.count)
///   for contact in section { print(contact.id) }
/// }
/// ```
public struct ResultsSection<Object: Sendable>: Sendable, Identifiable {
  /// The value that the objects of the section have in common.
  public let id: SectionID
  /// The title that the request gives the section; nil if it gives none.
  public let title: String?
  /// The number of objects in the section.
  public let count: Int
  let snapshot: ResultsSnapshot

  init(_ id: SectionID, of snapshot: ResultsSnapshot) {
    self.id = id
    title = snapshot.title(of: id)
    count = snapshot.list.numberOfItems(inSection: id)
    self.snapshot = snapshot
  }

  /// The objects of the section, in order. O(k log n) for k objects.
  public var objects: [Object] { Array(self) }
}

extension ResultsSection: RandomAccessCollection {
  /// The position of the first object, 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { count }

  /// The object at a position of the section, from 0, which must exist as in every collection. O(log n).
  public subscript(position: Int) -> Object {
    guard let id = snapshot.list.item(at: Place(section: id, index: position)) else {
      // A position out of range is a mistake of the program, as with an array.
      preconditionFailure("The section has \(count) objects and none at \(position).")
    }
    return snapshot.listedObject(id, as: Object.self)
  }

  /// Returns an iterator over the objects, in order.
  public func makeIterator() -> ResultsIterator<Object> {
    ResultsIterator(ids: snapshot.list.items(inSection: id), snapshot: snapshot)
  }
}

extension ResultsSection: CustomStringConvertible {
  /// The name of the section and the ids in it, at most ten of them: `friends [ada, bob]`.
  public var description: String {
    "\(Printing.name(of: id)) [\(Printing.ids(snapshot.list.items(inSection: id), count: count))]"
  }
}

/// An iterator over objects of a list. Each one costs O(log n).
public struct ResultsIterator<Object: Sendable>: IteratorProtocol, Sendable {
  var ids: Snapshot<SectionID, Item.ID>.Items
  let snapshot: ResultsSnapshot

  package init(ids: Snapshot<SectionID, Item.ID>.Items, snapshot: ResultsSnapshot) {
    self.ids = ids
    self.snapshot = snapshot
  }

  /// Returns the next object; nil at the end.
  public mutating func next() -> Object? { ids.next().map { snapshot.listedObject($0, as: Object.self) } }
}
