import PlainStore
import PlainText

extension ItemStore {
  /// Returns the paths of the fields that items have, also those in maps, sorted by their text.
  func fieldPaths(max: Int) -> [FieldPath] {
    var paths: Set<FieldPath> = []
    for (_, item) in fetch(FetchRequest()).storeItems {
      item.fields.value.collectPaths(below: [], max: max, into: &paths)
    }
    return paths.sorted { $0.description < $1.description }
  }
}

extension Value {
  /// Adds the paths of the fields in this map, three levels deep.
  fileprivate func collectPaths(below keys: [String], max: Int, into paths: inout Set<FieldPath>) {
    guard case .map(let fields) = self, keys.count < 3 else { return }
    for (key, value) in fields where paths.count < max {
      paths.insert(FieldPath(keys: keys + [key]))
      value.collectPaths(below: keys + [key], max: max, into: &paths)
    }
  }
}
