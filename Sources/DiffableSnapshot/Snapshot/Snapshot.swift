/// A list of items in sections: an immutable value that shares structure with the values it was made from.
///
/// A copy costs nothing, and an edit of one item costs O(log n) in time and in memory that the copies do not share. So
/// the snapshot before a change can be kept beside the one after it, and `difference(from:)` tells what changed.
/// Identifiers are unique: an item is in one section, once.
///
/// ```swift
/// var people = try Snapshot([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo"])])
/// let before = people
/// try people.moveItem("ada", afterItem: "cleo")
/// let diff = people.difference(from: before)   // one move: friends[0] → work[1]
/// ```
///
/// Items can be hidden (see `setHidden(where:)`): they keep their place and are found by identifier, but every count,
/// index, list and difference is of what is shown, unless it says otherwise. No misuse traps: what cannot be done
/// throws a `SnapshotError` and changes nothing.
public struct Snapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  public typealias Failure = SnapshotError<SectionID, ItemID>

  @usableFromInline var index = OrderedIndex()
  @usableFromInline var items = IDTable<ItemID>()
  @usableFromInline var sections = IDTable<SectionID>()
  @usableFromInline var marks = Marks()

  /// An empty list without sections.
  @inlinable
  public init() {}

  /// Builds the whole list at once, in O(n), which is several times faster than item by item.
  ///
  /// - Throws: `duplicateSection` or `duplicateItem`.
  @inlinable
  public init(_ sections: some Sequence<(id: SectionID, items: [ItemID])>) throws(Failure) {
    var counts: [Int] = []
    for section in sections {
      if self.sections.number(of: section.id) != nil { throw .duplicateSection(section.id) }
      self.sections.add(section.id, as: UInt32(counts.count))
      for item in section.items {
        if !self.items.addNew(item) { throw .duplicateItem(item) }
      }
      counts.append(section.items.count)
    }
    index = OrderedIndex(itemCounts: counts)
  }
}

extension Snapshot: Equatable {
  /// Whether both show the same sections and the same items in the same order. Hidden items and marks do not count.
  ///
  /// O(1) for a copy that nothing was done to, else O(n).
  @inlinable
  public static func == (a: Snapshot, b: Snapshot) -> Bool {
    if a.index.isIdentical(to: b.index) { return true }
    guard a.numberOfItems == b.numberOfItems, a.numberOfSections == b.numberOfSections else { return false }
    for rank in 0..<a.numberOfSections {
      guard let one = a.index.section(at: rank, .shown), let other = b.index.section(at: rank, .shown) else { return false }
      if a.sections[one] != b.sections[other] { return false }
      if a.index.locate(section: one).itemCount(.shown) != b.index.locate(section: other).itemCount(.shown) { return false }
    }
    return zip(a.items(in: 0..<a.numberOfItems), b.items(in: 0..<b.numberOfItems)).allSatisfy { $0 == $1 }
  }
}

extension Snapshot: CustomStringConvertible {
  /// What is shown, section by section.
  public var description: String {
    sectionIdentifiers.map { "\($0): \(itemIdentifiers(inSection: $0))" }.joined(separator: "\n")
  }
}
