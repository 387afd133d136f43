import DiffableSnapshot
import TestSupport
import Testing

/// The examples of `DiffableSnapshot.docc/DiffableSnapshot.md` compile, and do what they say.
@Suite struct DiffableSnapshotPageTests {
  @Test func `the page has no other examples`() throws {
    let page = try DocumentationPage(
      "Sources/Core/DiffableSnapshot/DiffableSnapshot.docc/DiffableSnapshot.md", below: #filePath)
    #expect(page.lines.count > 40)
    let missing = try page.firstLineMissing(in: #filePath)
    #expect(missing == nil)
  }

  @Test func `the examples give the results that the page names`() throws {
    var list = try Snapshot([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo"])])

    var same = Snapshot<String, String>()
    try same.appendSections(["friends", "work"])
    try same.appendItems(["ada", "bob"], toSection: "friends")
    try same.appendItems(["cleo"])
    #expect(same == list)

    try list.appendItems(["dan"], toSection: "work")
    try list.insertItems(["eve", "fay"], afterItem: "cleo")
    try list.moveItem("bob", beforeItem: "ada")
    try list.moveItem("eve", afterItem: "ada")
    try list.deleteItems(["fay"])
    try list.insertSection("family", at: 0)
    try list.insertSections(["club", "team"], beforeSection: "family")
    #expect(list.sectionIdentifiers == ["club", "team", "family", "friends", "work"])
    try list.moveSection("family", afterSection: "work")
    try list.deleteSections(["club", "team", "family"])
    #expect(throws: SnapshotError<String, String>.duplicateItem("ada")) { try list.appendItems(["ada"]) }
    #expect(list.description == "friends: [\"bob\", \"ada\", \"eve\"]\nwork: [\"cleo\", \"dan\"]")

    #expect(list.place(of: "cleo")?.description == "work[0]")
    #expect(list.indexOfItem("cleo") == 3)
    #expect(list.item(atIndex: 0) == "bob")
    #expect(list.item(at: Place(section: "work", index: 1)) == "dan")
    #expect(list.sectionIdentifier(containingItem: "eve") == "friends")
    #expect(list.numberOfItems(inSection: "friends") == 3)
    #expect(list.containsSection("family") == false)
    #expect(Array(list.items(in: 1..<3)) == ["ada", "eve"])

    let place = list.partitionPoint(inSection: "work") { $0 > "coco" }
    try list.insertItem("coco", inSection: "work", at: place)
    #expect(list.itemIdentifiers(inSection: "work") == ["cleo", "coco", "dan"])

    let unmarked = list
    try list.reconfigureItems(["ada"])
    let ada = Place(section: "friends", index: 1)
    #expect(list.difference(from: unmarked).changes == [.update("ada", from: ada, to: ada)])
    list.clearMarks()
    #expect(list.difference(from: unmarked).isEmpty)

    list.setHidden { !$0.contains("o") }
    #expect(list.itemIdentifiers == ["bob", "cleo", "coco"])
    list.setHidden(asking: .shown) { !$0.contains("co") }
    #expect(list.itemIdentifiers(inSection: "work") == ["coco"])
    #expect(list.allItemIdentifiers(inSection: "work") == ["cleo", "coco", "dan"])
    #expect(list.sectionIdentifiers == ["work"])
    #expect(list.allSectionIdentifiers == ["friends", "work"])
    list.setHidden(asking: .hidden) { _ in false }
    #expect(list == unmarked)
    try change(&list)
  }

  private func change(_ list: inout Snapshot<String, String>) throws {
    let before = list
    try list.moveItem("bob", afterItem: "dan")
    try list.deleteItems(["ada"])
    let diff = list.difference(from: before)
    var printed: [String] = []
    func print(_ change: SnapshotDiff<String, String>.ItemChange) {
      printed.append("\(change.item) \(change.from?.description ?? "") \(change.to?.description ?? "")")
    }
    for change in diff.changes { print(change) }
    #expect(printed == ["ada friends[1] ", "bob friends[0] work[3]"])

    let known = list.difference(from: before, touched: ["ada", "bob"], updated: ["bob"])
    #expect(known.changes.map(\.item) == ["ada", "bob"])

    #expect(try before.applying(diff) == list)
    #expect(try list.applying(diff.inverse) == before)
    try fold(diff, before, list)
    try lower(diff, before, &list)
  }

  private func fold(
    _ diff: SnapshotDiff<String, String>, _ before: Snapshot<String, String>,
    _ after: Snapshot<String, String>
  ) throws {
    var order = before.sectionIdentifiers
    var rows = Dictionary(uniqueKeysWithValues: order.map { ($0, before.itemIdentifiers(inSection: $0)) })
    let moves = diff.changes.filter { if case .update = $0 { false } else { true } }
    let sectionMoves = diff.sections.filter { if case .update = $0 { false } else { true } }
    for from in moves.compactMap(\.from).sorted(by: { $0.index > $1.index }) {
      rows[from.section]?.remove(at: from.index)
    }
    for from in sectionMoves.compactMap(\.from).sorted(by: >) { order.remove(at: from) }
    for change in sectionMoves { if let to = change.to { order.insert(change.section, at: to) } }
    for change in moves {
      if let to = change.to { rows[to.section, default: []].insert(change.item, at: to.index) }
    }
    #expect(order == after.sectionIdentifiers)
    for section in order { #expect(rows[section, default: []] == after.itemIdentifiers(inSection: section)) }
  }

  private func lower(
    _ diff: SnapshotDiff<String, String>, _ before: Snapshot<String, String>,
    _ list: inout Snapshot<String, String>
  ) throws {
    let forViews = diff.loweredForListViews()
    #expect(forViews == diff)
    let plain = diff.loweredToDeletesAndInserts(from: before, to: list)
    #expect(plain.changes.map(\.item) == ["ada", "bob", "bob"])

    var given = list
    try list.appendItems(["gus"])
    try list.deleteItems(["gus"])
    #expect(list.difference(from: given).isEmpty)
    given = list
    #expect(given == list)
  }

  /// The same loops, where sections come, go and move as well.
  @Test func `the fold works for any two lists`() throws {
    for seed in Randomness.seeds(200) {
      var random = SeededGenerator(seed: seed)
      func list() throws -> Snapshot<String, String> {
        let sections = ["a", "b", "c", "d"].shuffled(using: &random).prefix(1 + random.below(4))
        var items = (0..<random.below(9)).map { "\($0)" }.shuffled(using: &random)[...]
        return try Snapshot(
          sections.map { section in
            let taken = items.prefix(random.below(5))
            items = items.dropFirst(taken.count)
            return (id: section, items: Array(taken))
          })
      }
      let (before, after) = (try list(), try list())
      try fold(after.difference(from: before), before, after)
    }
  }
}
