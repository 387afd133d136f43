import DiffableSnapshot
import PlainStore

extension ResultsSnapshot {
  /// The items in order, with their sections.
  func forEachItem(_ body: (Item, SectionID) throws -> Void) rethrows {
    for section in list.sectionIdentifiers {
      for item in items(in: section) { try body(item, section) }
    }
  }

  /// At most so many, from the front; costs no more than they do.
  func firstItems(_ count: Int) -> [Item] {
    list.items(in: 0..<min(count, self.count)).compactMap { item($0) }
  }
}
