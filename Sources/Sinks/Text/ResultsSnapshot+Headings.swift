import PlainStore
import PlainText

extension ResultsSnapshot {
  /// What a person calls a section: its title, else its id, else what it lacks.
  func heading(of section: SectionID) -> String {
    if let title = title(of: section) { return title }
    guard section.description.isEmpty, let path = request.section?.path else { return section.description }
    return PseudoField(path) == .dir ? "." : "no \(path)"
  }
}
