import Store
import Values

extension ItemDocument {
  /// Reads the file of an item as it is now. Blocks while it reads.
  init(_ id: Item.ID, in store: ItemStore) {
    let problems = store.problems
    guard let item = store.item(id) else {
      self.init(id: id, path: .root, format: .yaml, bytes: nil, problems: [])
      return
    }
    var own = problems.filter { $0.path == item.path }
    var bytes: [UInt8]?
    do throws(Problem) {
      bytes = try store.fileBytes(of: item)
    } catch {
      if own.isEmpty { own = [error] }
    }
    let ending = item.path.name.split(separator: ".").last.map(String.init) ?? ""
    self.init(
      id: id, path: item.path, format: TextFormat(pathExtension: ending) ?? .yaml, bytes: bytes, problems: own
    )
  }
}
