import Files
@testable import Store
import Values

@testable import Folder
@testable import Query

/// A store without a folder: the test changes its items, and its lists get the steps.
struct FakeStore {
  private(set) var items: [Item.ID: Item] = [:]
  private var problems: [RelativePath: Problem] = [:]
  private var settings = Settings()
  private var version = 0
  private var results: [LiveList<Item>] = []

  /// Makes a store of ids with their fields. Each item is in the file `id.yaml`.
  init(_ items: KeyValuePairs<String, Fields> = [:]) {
    for (id, fields) in items { set(id, fields) }
  }

  var state: StoreState {
    StoreState(Array(items.values), problems: Array(problems.values), settings: settings, version: version)
  }

  private mutating func set(_ id: String, _ fields: Fields?) {
    let item = fields.map { Item.sample(RelativePath(bytes: "\(id).yaml".utf8), $0) }
    items[Item.ID(printed: id)] = item
  }

  mutating func list(_ request: FetchRequest = FetchRequest()) -> LiveList<Item> {
    let list = LiveList<Item>(state, request: request)
    results.append(list)
    return list
  }

  mutating func list(_ request: @escaping @Sendable (Settings) throws(SettingsError) -> FetchRequest) throws
    -> LiveList<Item>
  {
    let list = LiveList<Item>(state, request: try request(state.settings), resolving: request)
    results.append(list)
    return list
  }

  /// Makes one step. Items and problems that are nil go.
  mutating func change(
    _ changes: KeyValuePairs<String, Fields?>, problems changed: KeyValuePairs<RelativePath, String?> = [:],
    settings: Settings? = nil,
    origin: UpdateOrigin = .files
  ) {
    for (id, fields) in changes { set(id, fields) }
    for (path, message) in changed { problems[path] = message.map { Problem(path: path, message: $0) } }
    self.settings = settings ?? self.settings
    version += 1
    let changes = StoreChanges(
      ids: Set(changes.map { Item.ID(printed: $0.key) }), paths: Set(changed.map(\.key)))
    for list in results { list.update(with: StoreStep(state: state, changes: changes, origin: origin)) }
  }

  /// Releases all lists.
  mutating func releaseLists() { results = [] }
}

extension ListSnapshot<Item> {
  /// The list as `section: a b | other: c`; the name of the section is left out if there are no sections.
  var text: String {
    sections.map { section in
      let ids = items(in: section.id).map(\.id.description).joined(separator: " ")
      return request.section == nil ? ids : "\(section.id): \(ids)"
    }.joined(separator: " | ")
  }
}
