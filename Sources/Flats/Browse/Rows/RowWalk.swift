import DiffableSnapshot
import Store

/// The place of a line in a list: a row, or the heading of a section, which comes before its first
/// row.
struct RowPlace: Hashable, Comparable, Sendable {
  /// The number of the section, from 0.
  var section: Int
  /// The number of the row in the section, from 0; -1 for the heading.
  var row: Int

  /// Returns true if `a` is above `b`.
  static func < (a: RowPlace, b: RowPlace) -> Bool { (a.section, a.row) < (b.section, b.row) }
}

/// Walks over the lines of a list without reading all of it. Each step costs O(log n).
struct RowWalk: Sendable {
  /// The list.
  let list: Snapshot<SectionID, Item.ID>
  /// True if sections have headings.
  let hasHeadings: Bool

  /// The first line; nil if there is none.
  var first: RowPlace? { next(after: RowPlace(section: 0, row: hasHeadings ? -2 : -1)) }

  /// The last line; nil if there is none.
  var last: RowPlace? { previous(before: RowPlace(section: list.numberOfSections, row: -1)) }

  /// Returns the line below a line; nil at the end.
  func next(after place: RowPlace) -> RowPlace? {
    var section = place.section
    var row = place.row + 1
    while section < list.numberOfSections {
      if row < count(section) { return RowPlace(section: section, row: row) }
      section += 1
      row = hasHeadings ? -1 : 0
    }
    return nil
  }

  /// Returns the line above a line; nil at the start.
  func previous(before place: RowPlace) -> RowPlace? {
    let lowest = hasHeadings ? -1 : 0
    if place.row > lowest { return RowPlace(section: place.section, row: place.row - 1) }
    var section = place.section - 1
    while section >= 0 {
      let row = count(section) - 1
      if row >= lowest { return RowPlace(section: section, row: row) }
      section -= 1
    }
    return nil
  }

  /// Returns the line `steps` above a line, or the first one.
  func place(_ steps: Int, above place: RowPlace) -> RowPlace {
    var place = place
    for _ in 0..<max(steps, 0) {
      guard let above = previous(before: place) else { break }
      place = above
    }
    return place
  }

  /// Returns the place of a row; nil if the list does not have it.
  func place(of id: Item.ID) -> RowPlace? {
    guard let place = list.place(of: id), let section = list.indexOfSection(place.section) else { return nil }
    return RowPlace(section: section, row: place.index)
  }

  /// Returns the number of lines above a row; nil if the list does not have it.
  func line(of id: Item.ID) -> Int? {
    guard let index = list.indexOfItem(id), let place = place(of: id) else { return nil }
    return hasHeadings ? index + place.section + 1 : index
  }

  /// Returns the id of a row; nil for a heading.
  func id(at place: RowPlace) -> Item.ID? {
    guard place.row >= 0, let section = list.sectionIdentifier(at: place.section) else { return nil }
    return list.item(at: Place(section: section, index: place.row))
  }

  private func count(_ section: Int) -> Int {
    list.sectionIdentifier(at: section).map { list.numberOfItems(inSection: $0) } ?? 0
  }
}
