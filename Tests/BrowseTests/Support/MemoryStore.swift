import Files
import HashTreeCollections
@testable import Store
import Values

@testable import Browse
@testable import Folder
@testable import Query

/// A store without a folder: a test writes its files, and takes snapshots of its lists.
struct MemoryStore {
  private var items: [Item.ID: Item] = [:]
  private var problems: [RelativePath: Problem] = [:]
  private var version: Int64 = 0
  private var texts: [RelativePath: String] = [:]
  var settings = Settings()

  /// The number of items.
  var count: Int { items.count }

  /// Writes a file of YAML. One that cannot be read is a problem, and keeps the item.
  mutating func write(_ path: String, _ text: String) {
    let path = RelativePath(bytes: path.utf8)
    version += 1
    texts[path] = text
    do throws(TextError) {
      let fields = try PackedValue(reading: Array(text.utf8), as: .yaml)
      let stamp = FileStamp(size: UInt64(text.utf8.count), at: FileTime(seconds: version))
      let item = Item(id: Item.ID(path: path), path: path, stamp: stamp, fields: fields)
      items[item.id] = item
      problems[path] = nil
    } catch {
      problems[path] = Problem(path: path, line: error.line, column: error.column, message: error.message)
    }
  }

  /// Removes a file.
  mutating func remove(_ path: String) {
    let path = RelativePath(bytes: path.utf8)
    items[Item.ID(path: path)] = nil
    problems[path] = nil
    texts[path] = nil
  }

  /// Returns the file of a row; one that cannot be read if there is none.
  func document(_ row: ScreenRow) -> ItemDocument {
    var path = row.item.flatMap { items[$0.item]?.path }
    if case .problem(let broken) = row { path = broken }
    guard let path else {
      return ItemDocument(row, path: .root, format: .yaml, bytes: nil, problems: [])
    }
    return ItemDocument(
      row, path: path, format: .yaml, bytes: texts[path].map { Array($0.utf8) },
      problems: problems[path].map { [$0] } ?? [])
  }

  /// Returns the list that a request shows now.
  func snapshot(_ request: FetchRequest) -> ListSnapshot<Item> {
    ListSnapshot<Item>(
      of: StoreState(
        items: ItemTable(uniqueKeysWithValues: items.map { ($0.key, $0.value) }),
        problems: TreeDictionary(uniqueKeysWithValues: problems.map { ($0.key, $0.value) }),
        settings: settings, version: Int(version)),
      request: request)
  }
}
