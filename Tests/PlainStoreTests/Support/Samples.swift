import Files
import HashTreeCollections
@testable import Store
import Values

@testable import Folder
@testable import Query

extension Item {
  /// Makes an item as if it had been read from a path.
  static func sample(_ path: RelativePath, _ fields: Fields, stamp: FileStamp = FileStamp()) -> Item {
    Item(id: ID(path: path), path: path, stamp: stamp, fields: PackedValue(.map(fields)))
  }
}

extension ItemFilter {
  /// Makes the filter of a list of items, which tests the predicate itself.
  init(_ request: FetchRequest, context: PredicateContext) {
    self.init(request, predicate: request.predicate, context: context)
  }
}

extension FileStamp {
  init(size: UInt64 = 0, modified: Int64 = 0, created: Int64 = 0) {
    self.init(
      size: size, modified: FileTime(seconds: modified), changed: FileTime(seconds: 0),
      created: FileTime(seconds: created))
  }
}

extension StoreState {
  init(_ items: [Item], problems: [Problem] = [], settings: Settings = Settings(), version: Int = 0) {
    self.init(
      items: ItemTable(uniqueKeysWithValues: items.map { ($0.id, $0) }),
      problems: TreeDictionary(uniqueKeysWithValues: problems.map { ($0.path, $0) }), settings: settings,
      version: version)
  }
}

/// Returns the value of a YAML text.
func yaml(_ text: String) throws -> Value { try PackedValue(reading: text, as: .yaml).value }

extension ListIndex {
  /// Updates a list with items that changed, and returns the rows that may be different.
  mutating func update(_ ids: Set<Item.ID>, of state: StoreState) -> Set<Item.ID> {
    update(StoreStep(state: state, changes: StoreChanges(ids: ids), origin: .files)).touched
  }
}
