/// The parts of the short texts that lists, changes and requests print. Ids and section names come
/// from files, so control characters in them are shown as escapes.
enum Printing {
  private static let maxIDs = 10

  static func ids(_ ids: some Sequence<Item.ID>, count: Int) -> String {
    ids.prefix(maxIDs).map(text).joined(separator: ", ") + (count > maxIDs ? ", …" : "")
  }

  static func list(_ parts: [String]) -> String {
    parts.prefix(maxIDs).joined(separator: ", ") + (parts.count > maxIDs ? ", …" : "")
  }

  /// Returns the id of an item. That of an occurrence has no section, because its place names it.
  static func text(_ id: Item.ID) -> String { DisplayText.safe(id.item.description) }

  static func name(of section: SectionID) -> String {
    section.description.isEmpty ? "\"\"" : DisplayText.safe(section.description)
  }

  static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension ListEvent: CustomStringConvertible {
  /// The snapshot, or one line per change of the list and of the problems.
  public var description: String {
    switch self {
    case .snapshot(let snapshot): snapshot.description
    case .step(let update, let problems):
      ((update.map { [$0.description] } ?? []) + problems.map(\.description)).joined(separator: "\n")
    }
  }
}

extension ProblemChange: CustomStringConvertible {
  /// The problem, with the word `raised` or `cleared`.
  public var description: String {
    switch self {
    case .raised(let problem): "raised \(problem)"
    case .cleared(let problem): "cleared \(problem)"
    }
  }
}

extension FieldChanges: CustomStringConvertible {
  /// The JSON Pointers to the changed values: `/rating, /address/city`.
  package var description: String { DisplayText.safe(pointers.joined(separator: ", ")) }
}

extension ListSnapshot: CustomStringConvertible {
  /// The number of items and their ids, at most ten of them: `2 items: ada, bob`. With sections,
  /// their names and their items: `2 items: friends [ada], work [bob]`.
  public var description: String {
    if request.section != nil {
      return "\(Printing.count(count, "item")): \(sections.map(\.description).joined(separator: ", "))"
    }
    return count == 0
      ? "0 items"
      : "\(Printing.count(count, "item")): \(Printing.ids(list.items(in: 0..<count), count: count))"
  }
}
