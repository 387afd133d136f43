import Files
import HashTreeCollections
@testable import Store
import TestSupport
import Values

@testable import Folder
@testable import Query

/// A live list of random items that changes at random: items come, go, change, get another path or
/// time, and the view gets another order, other sections, titles, fields or another window.
struct RandomHistory {
  let results: LiveList<Item>
  private var items: [Item.ID: Item] = [:]
  private var version = 0

  init(_ random: inout SeededGenerator) throws {
    for _ in 0..<random.below(20) { RandomHistory.change(&items, &random) }
    results = LiveList<Item>(
      RandomHistory.state(items, version: 0), request: try RandomHistory.request(&random))
  }

  /// Makes one step: of the store, or, more rarely, of the view.
  mutating func step(_ random: inout SeededGenerator) throws {
    if random.oneIn(4) {
      let request = try RandomHistory.request(&random)
      let part = random.below(5)
      results.change { old in
        switch part {
        case 0: old.fields = request.fields
        case 1: old.section?.titles = RandomHistory.titles(&random)
        case 2: old.section?.order.reverse()
        case 3: (old.limit, old.offset) = (request.limit, request.offset)
        default: old = request
        }
      }
      return
    }
    var changed: Set<Item.ID> = []
    for _ in 0...random.below(6) { changed.formUnion(RandomHistory.change(&items, &random)) }
    version += 1
    let step = StoreStep(
      state: RandomHistory.state(items, version: version), changes: StoreChanges(ids: changed, paths: []),
      origin: .files,
      cause: random.oneIn(6) ? .rescanned : nil, since: random.oneIn(2) ? .now : nil)
    results.update(with: step)
  }

  private static func state(_ items: [Item.ID: Item], version: Int) -> StoreState {
    StoreState(
      items: ItemTable(uniqueKeysWithValues: items.map { ($0, $1) }), problems: [:], settings: Settings(),
      version: version)
  }

  @discardableResult private static func change(
    _ items: inout [Item.ID: Item], _ random: inout SeededGenerator
  ) -> Set<Item.ID> {
    let new = RandomList.item(&random)
    let old = items[new.id]
    switch random.below(old == nil ? 2 : 7) {
    case 0: items[new.id] = nil
    case 1, 2: items[new.id] = new
    case 3:
      items[new.id] = old.map { copy(of: $0, at: RelativePath(bytes: "moved/\(random.below(3)).md".utf8)) }
    case 4: items[new.id] = old.map { copy(of: $0, modified: Int64(random.below(3))) }
    case 5: items[new.id] = old.map { copy(of: $0, reversed: true) }
    default:
      var fields = old?.fields.value.fields ?? [:]
      fields["note"] = random.one(of: [
        1, 2, nil, ["deep": ["a": 1, "b": .list([1, 2])]], ["deep": ["a": 2]],
      ])
      items[new.id] = old.map { copy(of: $0, fields: fields) }
    }
    return [new.id]
  }

  private static func copy(
    of item: Item, at path: RelativePath? = nil, modified: Int64? = nil, fields: Fields? = nil,
    reversed: Bool = false
  ) -> Item {
    let own = fields ?? item.fields.value.fields ?? [:]
    return Item(
      id: item.id, path: path ?? item.path, stamp: modified.map { FileStamp(modified: $0) } ?? item.stamp,
      fields: PackedValue(.map(reversed ? Fields(unique: own.reversed()) : own)))
  }

  private static func request(_ random: inout SeededGenerator) throws -> FetchRequest {
    var request = try RandomList.oracle(&random).request
    request.section?.titles = titles(&random)
    if random.oneIn(2) {
      request.fields = random.one(of: [
        ["rating", "@path"], ["note.deep.a", "@modified"], ["tags.@count", "word", "@dir"], ["@id", "note"],
        ["note.deep", "note.deep.b[0]"],
      ])
    }
    return request
  }

  private static func titles(_ random: inout SeededGenerator) -> [SectionID: String] {
    let titles: [[SectionID: String]] = [
      [:], [:], ["x": "Ex"], ["x": "Ex", "y": "Why", "red": "Red"], ["y": "Y", "": "None", "A": "a"],
    ]
    return random.one(of: titles)
  }
}
