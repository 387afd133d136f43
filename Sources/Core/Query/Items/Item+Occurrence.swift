/// The ids of a list that shows an item in several sections (`SectionDescriptor.Grouping.element`).
///
/// In such a list each occurrence of an item has its own id: that of the item, with the section. So
/// the ids of a list stay unique, and each change names one row. Snapshots find the item by either
/// id.
extension Item.ID {
  /// Creates the id of an item's occurrence in a section.
  ///
  /// - Parameters:
  ///   - id: The id of the item, or of another occurrence of it.
  ///   - section: The section.
  public init(_ id: Item.ID, in section: SectionID) {
    // A printed id contains no NUL.
    stored = "\0\(id.item.stored)\0\(section)"
  }

  /// The id of the item: for an occurrence without its section, otherwise the id itself.
  public var item: Item.ID { occurrence?.item ?? self }

  /// The section in which the item occurs; nil for the id of an item.
  public var section: SectionID? { occurrence?.section }

  /// The printed form: `50%25 off` for the id `50% off`. For an occurrence, the item's id with the
  /// section: `ada [friends]`.
  public var description: String { occurrence.map { "\($0.item.stored) [\($0.section)]" } ?? stored }

  /// The two parts of an occurrence; nil for any other id, which costs a comparison of one byte.
  private var occurrence: (item: Item.ID, section: SectionID)? {
    guard stored.utf8.first == 0 else { return nil }
    let text = stored.utf8.dropFirst()
    guard let end = text.firstIndex(of: 0) else { return nil }
    return (
      Item.ID(stored: String(stored[text.startIndex..<end])),
      SectionID(String(stored[stored.utf8.index(after: end)...]))
    )
  }

  private init(stored: String) {
    self.stored = stored
  }
}
