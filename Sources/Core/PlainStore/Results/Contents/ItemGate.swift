import Files
import Query
import Values

/// A test for the items and problems of the store that belong to a list.
///
/// It always tests the folder. It tests the predicate if user code runs for each item, such as the
/// `init(from:)` of a model: then that code runs for matching items only. Otherwise the list's
/// `ItemFilter` tests the predicate, which is cheaper when the predicate changes.
struct ItemGate: Sendable {
  private let folder: RelativePath?
  private let predicate: ItemPredicate?
  private let context: PredicateContext
  private let defaults: Fields

  /// - Parameter defaults: The values of fields that an item does not have.
  init(_ request: FetchRequest, callsUserCode: Bool, context: PredicateContext, defaults: Fields = [:]) {
    self.defaults = defaults
    folder = request.folder == .root ? nil : request.folder
    predicate = callsUserCode ? request.predicate : nil
    self.context = context
  }

  /// True if every item belongs to the list.
  var isOpen: Bool { folder == nil && predicate == nil }

  /// True if the gate tests the request's predicate.
  var testsPredicate: Bool { predicate != nil }

  /// Returns true if an item belongs to the list.
  func admits(_ item: Item) -> Bool {
    if let folder, !item.path.isBelow(folder) { return false }
    return predicate?.matches(ItemFields(item: item, defaults: defaults), in: context) ?? true
  }

  /// Returns true if a problem at a path belongs to the list: that of a file in the folder, or of a
  /// folder that contains it.
  func admits(problemAt path: RelativePath) -> Bool {
    guard let folder else { return true }
    return path == folder || path.isBelow(folder) || folder.isBelow(path)
  }

  /// Returns true if both gates are known to admit the same items and problems.
  func isSame(as other: ItemGate) -> Bool {
    folder == other.folder && predicate == other.predicate
      && (context == other.context || predicate?.usesToday != true)
  }
}
