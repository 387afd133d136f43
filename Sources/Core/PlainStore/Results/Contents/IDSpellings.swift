import Folder
import HashTreeCollections
import Query

/// The ids that Swift may call equal as strings although their bytes differ: `é` is one character or
/// two.
struct IDSpellings: Sendable {
  /// The ids by their strings, which are compared as Swift compares them. Ids in ASCII have one
  /// spelling, and are not here.
  private var ids: TreeDictionary<String, TreeSet<Item.ID>> = [:]

  /// Updates the spellings of changed items.
  ///
  /// - Returns: The changed ids, and those that are spelled differently.
  mutating func update(_ changed: Set<Item.ID>, in state: StoreState) -> Set<Item.ID> {
    var all = changed
    for id in changed {
      guard let text = IDSpellings.text(of: id) else { continue }
      if state.items[id] != nil { ids[text, default: []].insert(id) } else { ids[text]?.remove(id) }
      if ids[text]?.isEmpty == true { ids[text] = nil }
      all.formUnion(ids[text] ?? [])
    }
    return all
  }

  /// Returns the other ids with the same string, in the order of their bytes.
  func others(_ id: Item.ID) -> [Item.ID] {
    guard let text = IDSpellings.text(of: id), let same = ids[text], same.count > 1 else { return [] }
    return same.filter { $0 != id }.sorted { $0.stored.utf8.lexicographicallyPrecedes($1.stored.utf8) }
  }

  private static func text(of id: Item.ID) -> String? {
    id.stored.utf8.contains { $0 >= 0x80 } ? id.text : nil
  }
}

extension Problem {
  /// Makes the problem of an item whose id Swift calls equal to that of another item.
  init(_ item: Item, hasIDOf other: Item) {
    func spelled(_ id: Item.ID) -> String {
      id.description.unicodeScalars.reduce(into: "") {
        $0 += $1.isASCII ? String($1) : "\\u{\(String($1.value, radix: 16, uppercase: true))}"
      }
    }
    self.init(
      path: item.path,
      message:
        "The ids `\(spelled(item.id))` and `\(spelled(other.id))` (\(other.path)) are the same string to Swift, so they cannot be distinguished."
        + " Rename one of the two files.")
  }
}
