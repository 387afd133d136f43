import Files
import Folder
import HashTreeCollections
public import Query
import Values

/// Reading a draft: the items of the store with the changes of the scope, as a save without a
/// conflict would leave them.
///
/// A change that the save would refuse, such as an insertion of an existing item, is not shown. The
/// fields `@modified`, `@created` and `@size` are those of the file as it was read.
extension EditScope {
  /// Returns an item with the changes of the scope; nil if it does not exist or is to be deleted.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// scope.update("ada", [.set("rating", 9)])
  /// print(scope.item("ada")?.value(at: "rating") ?? .null)  // 9, and the store still has the old one
  /// ```
  ///
  /// Costs a pass over the fields of a changed item. For a new item, and where ids are fields or
  /// items are renamed, it costs a pass over all changed items.
  public func item(_ id: Item.ID) -> Item? {
    guard let base else { return nil }
    guard base.idFields.isEmpty, let changes = changes(of: id), !changes.contains(where: \.isInsertion) else {
      return state?.items[id]
    }
    var draft = Draft(base)
    for change in changes { draft.apply(change) }
    return draft.state.items[id]
  }

  /// Returns the list that a request shows of the items with the changes of the scope.
  /// O(n log n).
  ///
  /// ```swift
  /// let scope = store.makeEditScope()
  /// let list = scope.list(FetchRequest(sort: ["-rating"]))
  /// print(list.count)
  /// ```
  ///
  /// - Parameter request: The request to show; by default all items, in the order of their ids.
  public func list(_ request: FetchRequest = FetchRequest()) -> ResultsSnapshot {
    ResultsSnapshot(of: state ?? EditScope.noState, request: request)
  }

  static let noState = StoreState(items: [:], problems: [:], settings: Settings(), version: 0)

  /// The state of the store with the changes of the scope; nil for a scope that is not based on a
  /// store.
  var state: StoreState? {
    guard let base else { return nil }
    var draft = Draft(base)
    for change in changes { draft.apply(change) }
    return draft.state
  }
}
