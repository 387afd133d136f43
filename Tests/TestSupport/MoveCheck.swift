/// Checks that an update has no needless move: an element that moved is out of order among those
/// that stayed.
struct MoveCheck {
  let before: [StreamReader.Section]
  let after: [StreamReader.Section]

  /// Throws for a needless move. The cost is linear in the two lists.
  func check(_ changes: [StreamReader.Change], _ sections: [StreamReader.SectionChange]) throws {
    let moved = Set(changes.filter { $0.op == "move" }.map(\.id))
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0.items) })
    let new = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0.items) })
    let inPlace = changes.filter { $0.op == "move" && $0.from?.section == $0.to?.section }
    for (section, changes) in Dictionary(grouping: inPlace, by: { $0.from?.section }) {
      guard let section else { continue }
      let (was, now) = MoveCheck.ranks(old[section] ?? [], new[section] ?? [], moved)
      for change in changes where was[change.id] == now[change.id] {
        throw StreamReader.Violation(description: "the move of \(change.id) is not needed")
      }
    }
    let movedSections = sections.filter { $0.op == "move" }
    if movedSections.isEmpty { return }
    let (was, now) = MoveCheck.ranks(before.map(\.id), after.map(\.id), Set(movedSections.map(\.id)))
    for change in movedSections where was[change.id] == now[change.id] {
      throw StreamReader.Violation(description: "the move of section \(change.id) is not needed")
    }
  }

  /// For each element that moved, the number of elements that stayed and come before it, in each of
  /// two lists.
  private static func ranks(_ old: [ExactText], _ new: [ExactText], _ moved: Set<ExactText>) -> (
    [ExactText: Int], [ExactText: Int]
  ) {
    let stayed = Set(old).intersection(new).subtracting(moved)
    func ranks(in list: [ExactText]) -> [ExactText: Int] {
      var count = 0
      var ranks: [ExactText: Int] = [:]
      for id in list {
        if stayed.contains(id) { count += 1 } else { ranks[id] = count }
      }
      return ranks
    }
    return (ranks(in: old), ranks(in: new))
  }
}
