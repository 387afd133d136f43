/// No move of an update could be left out: what moved does not stand in order among what stayed.
struct MoveCheck {
  let before: [StreamFolder.Section]
  let after: [StreamFolder.Section]

  /// Linear in the two lists.
  func check(_ changes: [StreamFolder.Change], _ sections: [StreamFolder.SectionChange]) throws {
    let moved = Set(changes.filter { $0.op == "move" }.map(\.id))
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0.items) })
    let new = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0.items) })
    let inPlace = changes.filter { $0.op == "move" && $0.from?.section == $0.to?.section }
    for (section, changes) in Dictionary(grouping: inPlace, by: { $0.from?.section }) {
      guard let section else { continue }
      let (was, now) = MoveCheck.ranks(old[section] ?? [], new[section] ?? [], moved)
      for change in changes where was[change.id] == now[change.id] {
        throw StreamFolder.Violation(description: "the move of \(change.id) could be left out")
      }
    }
    let movedSections = sections.filter { $0.op == "move" }
    if movedSections.isEmpty { return }
    let (was, now) = MoveCheck.ranks(before.map(\.id), after.map(\.id), Set(movedSections.map(\.id)))
    for change in movedSections where was[change.id] == now[change.id] {
      throw StreamFolder.Violation(description: "the move of section \(change.id) could be left out")
    }
  }

  /// How many of those that stayed stand before each of those that moved, in each of two lists.
  private static func ranks(_ old: [ExactText], _ new: [ExactText], _ moved: Set<ExactText>) -> ([ExactText: Int], [ExactText: Int]) {
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
