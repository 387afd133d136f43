import Files
import Query

/// The last good item of each path: those that were loaded together, and what changed since.
struct FileTable: Sendable {
  private let base: ItemBase
  /// The items that are not as in `base`; nil for a path without one.
  private var changes: [RelativePath: Item?] = [:]

  package init(_ base: ItemBase = .empty) {
    self.base = base
  }

  /// The item of a path; nil if it has none.
  subscript(path: RelativePath) -> Item? {
    get { changes[path] ?? base[path] }
    set {
      if newValue == nil, base[path] == nil {
        changes[path] = nil
      } else {
        changes.updateValue(newValue, forKey: path)
      }
    }
  }

  /// The items that are not as in `base`.
  var changedItems: [Item] { changes.values.compactMap { $0 } }

  /// All items. O(n).
  var items: [Item] {
    (changes.isEmpty ? base.items : base.items.filter { changes[$0.path] == nil }) + changedItems
  }

  /// All paths with an item. O(n).
  var paths: [RelativePath] { items.map(\.path) }
}
