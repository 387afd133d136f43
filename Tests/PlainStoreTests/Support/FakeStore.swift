import DirectoryWatch
import PlainText

@testable import PlainStore

/// A store without a folder: its lists are told what its items became.
struct FakeStore {
  private(set) var items: [Item.ID: Item] = [:]
  private var problems: [RelativePath: Problem] = [:]
  private var settings = Settings()
  private var version = 0
  private var results: [FetchedResults] = []

  /// Ids with their fields; each lies in the file `id.yaml`.
  init(_ items: KeyValuePairs<String, Fields> = [:]) {
    for (id, fields) in items { set(id, fields) }
  }

  var state: StoreState { StoreState(Array(items.values), problems: Array(problems.values), settings: settings, version: version) }

  private mutating func set(_ id: String, _ fields: Fields?) {
    let item = fields.map { Item.sample(RelativePath(bytes: "\(id).yaml".utf8), $0) }
    items[Item.ID(printed: id)] = item
  }

  mutating func list(_ request: FetchRequest = FetchRequest()) -> FetchedResults {
    let list = FetchedResults(state, request: request)
    results.append(list)
    return list
  }

  mutating func list(_ request: @escaping @Sendable (Settings) throws(SettingsError) -> FetchRequest) throws -> FetchedResults {
    let list = try FetchedResults(state, resolving: request)
    results.append(list)
    return list
  }

  /// One step: what is nil goes.
  mutating func change(
    _ changes: KeyValuePairs<String, Fields?>, problems changed: KeyValuePairs<RelativePath, String?> = [:], settings: Settings? = nil,
    origin: ResultsUpdate.Origin = .files
  ) {
    for (id, fields) in changes { set(id, fields) }
    for (path, message) in changed { problems[path] = message.map { Problem(path: path, message: $0) } }
    self.settings = settings ?? self.settings
    version += 1
    let told = StoreChanges(ids: Set(changes.map { Item.ID(printed: $0.key) }), paths: Set(changed.map(\.key)))
    for list in results { list.update(with: StoreStep(state: state, changes: told, origin: origin)) }
  }

  /// Holds no list any more.
  mutating func letGo() { results = [] }
}

extension ResultsSnapshot {
  /// `section: a b | other: c`, without the name of the one section that a list without sections has.
  var text: String {
    sections.map { section in
      let ids = items(in: section.id).map(\.id.description).joined(separator: " ")
      return request.section == nil ? ids : "\(section.id): \(ids)"
    }.joined(separator: " | ")
  }
}
