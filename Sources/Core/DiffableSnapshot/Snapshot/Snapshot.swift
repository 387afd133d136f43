/// An ordered list of items in sections: a value that shares structure with the values it was made from.
///
/// Copying is O(1). Editing one item costs O(log n) time, and O(log n) memory that copies do not
/// share. So you can keep the snapshot before a change next to the one after it, and
/// ``difference(from:touched:updated:updatedSections:)`` returns what changed. Identifiers are
/// unique: each item is in one section, once.
///
/// ```swift
/// var people = try Snapshot([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo"])])
/// let before = people
/// try people.moveItem("ada", afterItem: "cleo")
/// let diff = people.difference(from: before)   // one move: friends[0] → work[1]
/// ```
///
/// Items can be hidden with ``setHidden(asking:where:)``. A hidden item keeps its place and can be
/// found by its identifier. Counts, indexes, lists and differences ignore it, unless they say
/// otherwise. An edit that is not possible throws a ``SnapshotError`` and changes nothing.
public struct Snapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The error of edits that are not possible.
  public typealias Failure = SnapshotError<SectionID, ItemID>

  @usableFromInline var index = OrderedIndex()
  @usableFromInline var items = IDTable<ItemID>()
  @usableFromInline var sections = IDTable<SectionID>()
  @usableFromInline var marks = Marks()

  /// Creates an empty list without sections.
  @inlinable
  public init() {}

  /// Creates a list in O(n), several times faster than item by item.
  ///
  /// - Parameter sections: The sections in order, each with its items in order.
  /// - Throws: ``SnapshotError``: `duplicateSection` or `duplicateItem`.
  @inlinable
  public init(_ sections: some Sequence<(id: SectionID, items: [ItemID])>) throws(Failure) {
    let sections = Array(sections)
    var repeatedSection: SectionID?
    self.sections = IDTable(CollectionOfOne(sections.map(\.id)), repeated: &repeatedSection)
    if let repeatedSection { throw .duplicateSection(repeatedSection) }
    var repeatedItem: ItemID?
    items = IDTable(sections.lazy.map(\.items), repeated: &repeatedItem)
    if let repeatedItem { throw .duplicateItem(repeatedItem) }
    index = OrderedIndex(itemCounts: sections.map(\.items.count))
  }
}

extension Snapshot: Equatable {
  /// Returns true if both show the same sections and the same items in the same order. Hidden items
  /// and marks are ignored.
  ///
  /// O(1) for an unchanged copy, otherwise O(n).
  @inlinable
  public static func == (a: Snapshot, b: Snapshot) -> Bool {
    if a.index.isIdentical(to: b.index) { return true }
    guard a.numberOfItems == b.numberOfItems, a.numberOfSections == b.numberOfSections else { return false }
    for rank in 0..<a.numberOfSections {
      guard let one = a.index.section(at: rank, .shown), let other = b.index.section(at: rank, .shown) else {
        return false
      }
      if a.sections[one] != b.sections[other] { return false }
      if a.index.locate(section: one).counts.items(.shown)
        != b.index.locate(section: other).counts.items(.shown)
      {
        return false
      }
    }
    return zip(a.items(in: 0..<a.numberOfItems), b.items(in: 0..<b.numberOfItems)).allSatisfy { $0 == $1 }
  }
}

extension Snapshot: CustomStringConvertible {
  /// The shown items, one line per section.
  public var description: String {
    sectionIdentifiers.map { "\($0): \(itemIdentifiers(inSection: $0))" }.joined(separator: "\n")
  }
}
