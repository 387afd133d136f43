import Files
import Store
import TestSupport
import Testing
import Values
import Streams

/// A list that changes at random.
struct RandomList {
  private var sections: [(id: SectionID, rows: [ListRow])] = [("", [])]
  private var titles: [SectionID: String] = [:]
  private var nextNumber = 0
  private let hasSections: Bool
  var generator: SeededGenerator

  init(seed: UInt64, count: Int, hasSections: Bool = true) {
    generator = SeededGenerator(seed: seed)
    self.hasSections = hasSections
    for _ in 0..<count { insert() }
  }

  /// The request of all lists.
  static let request = FetchRequest(section: SectionDescriptor("group"))

  /// The list as it is now.
  var list: ListSnapshot<Item> {
    get throws {
      var request = Self.request
      request.section?.titles = titles
      let sections = sections.map { (id: $0.id, title: titles[$0.id]) }
      return try #require(
        ListSnapshot<Item>(restoring: sections, rows: self.sections.flatMap(\.rows), request: request))
    }
  }

  /// Makes up to `most` changes.
  mutating func change(most: Int) {
    for _ in 0...generator.below(most) { change() }
  }

  private mutating func change() {
    switch generator.below(hasSections ? 12 : 8) {
    case 0...1: insert()
    case 2...3: _ = remove()
    case 4...5: update()
    case 6...7:
      if let row = remove() { place(row) }
    case 8: addSection()
    case 9: removeSection()
    case 10: sections.append(sections.remove(at: generator.below(sections.count)))
    default:
      titles[generator.one(of: sections).id] = generator.oneIn(3) ? nil : "Title \(generator.below(100))"
    }
  }

  private static let texts = [
    "", "a", "é", "e\u{301}", "null\0", "50% off", "\u{202E}", String(repeating: "long ", count: 600),
  ]

  private mutating func value() -> PackedValue {
    PackedValue([
      "name": .string(generator.one(of: Self.texts)), "rating": .number(.integer(generator.below(1_000))),
    ])
  }

  /// Inserts a row at a random place, some as occurrences, some with a name that is not UTF-8.
  private mutating func insert() {
    nextNumber += 1
    let bytes =
      Array("item \(nextNumber)".utf8)
      + (generator.oneIn(5) ? [0xFF, 0x25, UInt8(generator.below(256)) | 1] : [])
    let id = Item.ID(bytes: bytes)
    let path = RelativePath(bytes: bytes + Array(".yaml".utf8))
    place(
      ListRow(
        section: "", id: generator.oneIn(4) ? Item.ID(id, in: "friends") : id, path: path, value: value()))
  }

  private mutating func place(_ row: ListRow) {
    let section = generator.below(sections.count)
    let index = generator.below(sections[section].rows.count + 1)
    let placed = ListRow(section: sections[section].id, id: row.id, path: row.path, value: row.value)
    sections[section].rows.insert(placed, at: index)
  }

  private mutating func remove() -> ListRow? {
    let section = generator.below(sections.count)
    guard !sections[section].rows.isEmpty else { return nil }
    return sections[section].rows.remove(at: generator.below(sections[section].rows.count))
  }

  private mutating func update() {
    let section = generator.below(sections.count)
    guard !sections[section].rows.isEmpty else { return }
    let index = generator.below(sections[section].rows.count)
    let old = sections[section].rows[index]
    sections[section].rows[index] = ListRow(section: old.section, id: old.id, path: old.path, value: value())
  }

  private mutating func addSection() {
    nextNumber += 1
    sections.insert((SectionID("section \(nextNumber)"), []), at: generator.below(sections.count + 1))
  }

  private mutating func removeSection() {
    if sections.count > 1 { sections.remove(at: generator.below(sections.count)) }
  }
}

/// What a list shows, for comparisons.
struct Shown: Equatable {
  private let sections: [SectionID]
  private let titles: [String?]
  private let rows: [ListRow]

  init(_ list: ListSnapshot<Item>) {
    sections = list.sectionTitles.map(\.id)
    titles = list.sectionTitles.map(\.title)
    var rows: [ListRow] = []
    list.forEachRow { rows.append($0) }
    self.rows = rows
  }
}
