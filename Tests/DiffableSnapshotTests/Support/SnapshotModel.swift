import TestSupport

@testable import DiffableSnapshot

/// A simple model of a snapshot with arrays, as the reference for tests.
struct SnapshotModel: Equatable {
  struct Section: Equatable {
    var id: Int
    var items: [Int]
    var isPinned = false
  }

  var sections: [Section] = []
  var hidden: Set<Int> = []

  /// The shown sections with their shown items.
  var shown: [Section] {
    sections.filter { isShown($0) }.map {
      Section(id: $0.id, items: $0.items.filter { !hidden.contains($0) })
    }
  }

  var items: [Int] { sections.flatMap(\.items) }

  private func isShown(_ section: Section) -> Bool {
    section.isPinned || section.items.isEmpty || section.items.contains { !hidden.contains($0) }
  }

  init() {}

  init(_ lists: [[Int]]) {
    sections = lists.enumerated().map { Section(id: $0.offset, items: $0.element) }
  }

  func snapshot() throws -> Snapshot<Int, Int> {
    var snapshot = try Snapshot(sections.map { (id: $0.id, items: $0.items) })
    snapshot.setHidden { hidden.contains($0) }
    for section in sections where section.isPinned { try snapshot.setPinned(true, section: section.id) }
    return snapshot
  }

  func place(of item: Int) -> (section: Int, index: Int)? {
    for (place, section) in sections.enumerated() {
      if let index = section.items.firstIndex(of: item) { return (place, index) }
    }
    return nil
  }

  mutating func remove(_ item: Int) {
    guard let place = place(of: item) else { return }
    sections[place.section].items.remove(at: place.index)
  }
}

extension SnapshotModel {
  /// Makes the same random edit to a snapshot and to this model.
  mutating func edit(_ snapshot: inout Snapshot<Int, Int>, _ random: inout SeededGenerator, newID: inout Int)
    throws
  {
    if sections.isEmpty {
      newID += 1
      sections.append(Section(id: newID, items: []))
      return try snapshot.appendSections([newID])
    }
    let section = random.below(sections.count)
    switch random.below(20) {
    case 0: try editSections(&snapshot, &random, newID: &newID)
    case 1: try editPin(&snapshot, section)
    case 2: hideSome(&snapshot, &random)
    case 3...5: try toggle(&snapshot, &random)
    case 6...10: try insert(&snapshot, &random, section, newID: &newID)
    case 11...14: try delete(&snapshot, &random)
    default: try move(&snapshot, &random, section)
    }
  }

  private mutating func editSections(
    _ snapshot: inout Snapshot<Int, Int>, _ random: inout SeededGenerator, newID: inout Int
  ) throws {
    let place = random.below(sections.count)
    switch random.below(3) {
    case 0:
      newID += 1
      try snapshot.insertSections([newID], beforeSection: sections[place].id)
      sections.insert(Section(id: newID, items: []), at: place)
    case 1 where sections[place].items.count < 20:
      hidden.subtract(sections[place].items)
      try snapshot.deleteSections([sections.remove(at: place).id])
    default:
      let section = sections.remove(at: place)
      if sections.isEmpty { return sections.append(section) }
      let other = random.below(sections.count)
      try snapshot.moveSection(section.id, afterSection: sections[other].id)
      sections.insert(section, at: other + 1)
    }
  }

  private mutating func editPin(_ snapshot: inout Snapshot<Int, Int>, _ section: Int) throws {
    sections[section].isPinned.toggle()
    try snapshot.setPinned(sections[section].isPinned, section: sections[section].id)
  }

  private mutating func hideSome(_ snapshot: inout Snapshot<Int, Int>, _ random: inout SeededGenerator) {
    let divisor = 1 + random.below(4)
    hidden = Set(items.filter { $0 % divisor == 1 })
    snapshot.setHidden { $0 % divisor == 1 }
  }

  private mutating func toggle(_ snapshot: inout Snapshot<Int, Int>, _ random: inout SeededGenerator) throws {
    guard let item = items.randomElement(using: &random) else { return }
    let isHidden = hidden.remove(item) == nil
    if isHidden { hidden.insert(item) }
    try snapshot.setHidden(isHidden, [item])
  }

  private mutating func insert(
    _ snapshot: inout Snapshot<Int, Int>, _ random: inout SeededGenerator, _ section: Int, newID: inout Int
  )
    throws
  {
    newID += 1
    let id = sections[section].id
    if random.oneIn(2) {
      let index = random.below(sections[section].items.count + 1)
      try snapshot.insertItem(newID, inSection: id, atIndexAmongAll: index)
      sections[section].items.insert(newID, at: index)
    } else {
      try snapshot.appendItems([newID], toSection: id)
      sections[section].items.append(newID)
    }
  }

  private mutating func delete(_ snapshot: inout Snapshot<Int, Int>, _ random: inout SeededGenerator) throws {
    guard let item = items.randomElement(using: &random) else { return }
    remove(item)
    hidden.remove(item)
    try snapshot.deleteItems([item])
  }

  private mutating func move(
    _ snapshot: inout Snapshot<Int, Int>, _ random: inout SeededGenerator, _ section: Int
  ) throws {
    guard let item = items.randomElement(using: &random) else { return }
    remove(item)
    if random.oneIn(2), let other = sections[section].items.indices.randomElement(using: &random) {
      try snapshot.moveItem(item, beforeItem: sections[section].items[other])
      sections[section].items.insert(item, at: other)
    } else {
      let index = random.below(sections[section].items.count + 1)
      try snapshot.moveItem(item, toSection: sections[section].id, atIndexAmongAll: index)
      sections[section].items.insert(item, at: index)
    }
  }
}
