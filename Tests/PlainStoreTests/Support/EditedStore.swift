import DirectoryWatch
import PlainText

@testable import PlainStore

/// A store without a folder: what is edited here is handed to its lists as one step.
struct EditedStore {
  private var model = StoreModel()
  private var version = 0
  var settings = Settings()
  private(set) var lists: [FetchedResults] = []

  init() {}

  var state: StoreState { StoreState(items: model.items, problems: model.problems, settings: settings, version: version) }

  mutating func results(_ request: FetchRequest = FetchRequest()) -> FetchedResults {
    lists.append(FetchedResults(state, request: request))
    return lists[lists.count - 1]
  }

  mutating func results(_ resolve: @escaping RequestResolver) throws -> FetchedResults {
    lists.append(try FetchedResults(state, resolving: resolve))
    return lists[lists.count - 1]
  }

  /// One step; nil takes a file away.
  mutating func edit(_ edits: KeyValuePairs<RelativePath, Fields?>, origin: ResultsUpdate.Origin = .files) {
    deliver(model.apply(edits.map { ($0.key, $0.value.map { .item(FileStamp(), PackedValue(.map($0))) } ?? .missing) }), origin)
  }

  mutating func fail(_ path: RelativePath, _ message: String = "bad") {
    deliver(model.apply([(path, .problem(Problem(path: path, message: message)))]), .files)
  }

  mutating func set(_ settings: Settings) {
    self.settings = settings
    deliver(StoreChanges(), .view)
  }

  private mutating func deliver(_ changes: StoreChanges, _ origin: ResultsUpdate.Origin) {
    version += 1
    for results in lists { results.take(StoreStep(state: state, changes: changes, origin: origin)) }
  }
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

extension EditedStore: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral items: (RelativePath, Fields)...) {
    _ = model.apply(items.map { ($0, .item(FileStamp(), PackedValue(.map($1)))) })
  }
}
