import DiffableSnapshot
public import Store
import Values

extension ResultsSnapshot {
  func forEachItem(_ body: (Item, SectionID) throws -> Void) rethrows {
    for section in list.sectionIdentifiers {
      for item in items(in: section) { try body(item, section) }
    }
  }

  /// Returns the first `count` items, or all of them if the list is shorter. Costs O(count + log
  /// n).
  func firstItems(_ count: Int) -> [Item] {
    list.items(in: 0..<Swift.min(count, self.count)).compactMap { item($0) }
  }

  /// Returns the name that people read for a section: its title, otherwise its id. The section of
  /// items without a value is `no FIELD`, or `.` when the sections are folders.
  public func heading(of section: SectionID) -> String {
    if let title = title(of: section) { return title }
    guard section.description.isEmpty, let path = request.section?.path else { return section.description }
    return PseudoField(path) == .dir ? "." : "no \(path)"
  }
}
