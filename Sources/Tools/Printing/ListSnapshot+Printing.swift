package import Store

extension ListSnapshot<Item> {
  func forEachItem(_ body: (Item, SectionID) throws -> Void) rethrows {
    for section in list.sectionIdentifiers {
      for item in items(in: section) { try body(item, section) }
    }
  }

  /// Returns the name that people read for a section: its title, otherwise its id. The section of
  /// items without a value is `no FIELD`, or `.` when the sections are folders.
  package func heading(of section: SectionID) -> String {
    if let title = title(of: section) { return title }
    guard section.description.isEmpty, let path = request.section?.path else { return section.description }
    return PseudoField(path) == .dir ? "." : "no \(path)"
  }
}
