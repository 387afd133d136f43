import Store
import Values

/// The rows of the last line of a view, whose values the client has.
struct KnownRows {
  private var items: [Item.ID: Item] = [:]
  private var fields: [FieldPath] = []

  /// Makes the rows of a client that has none.
  init() {}

  init(_ ids: [Item.ID], of list: ResultsSnapshot) {
    fields = list.request.fields
    for id in ids { items[id] = list.item(ofShownRow: id) }
  }

  /// Returns true if the client has this version of the item.
  func has(_ item: Item, as id: Item.ID) -> Bool {
    guard let known = items[id] else { return false }
    return known === item || known.path == item.path && known.fields == item.fields
  }

  /// Returns true if the client has the row with this value.
  func has(_ item: Item, as id: Item.ID, showing fields: [FieldPath]) -> Bool {
    guard let known = items[id], fields == self.fields else { return false }
    if known === item { return true }
    return known.path == item.path && known.projected(fields) == item.projected(fields)
  }
}
