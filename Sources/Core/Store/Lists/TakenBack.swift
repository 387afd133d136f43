/// A row that a consumer was offered and that is again as in the list that it has acknowledged.
package struct TakenBack: Hashable {
  package let id: Item.ID
  /// The path of its file; for a delete the one at which it was offered.
  package let path: RelativePath
  /// True if the list does not have the row at this path. Otherwise its complete value is to be set.
  package let isDeleted: Bool
  /// The rows whose deletes have to come before.
  package let causes: Set<Item.ID>

  package init(_ id: Item.ID, at path: RelativePath, isDeleted: Bool, after causes: Set<Item.ID> = []) {
    self.id = id
    self.path = path
    self.isDeleted = isDeleted
    self.causes = causes
  }
}
