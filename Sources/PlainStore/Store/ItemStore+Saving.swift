import DirectoryWatch
public import PlainText

/// Writing through the store, with read-your-writes: when one of these functions returns, every
/// list of the store has what was written. The watch's later event for the same write is not a
/// second update.
///
/// A save that was begun is completed, even if its task is cancelled.
extension ItemStore {
  /// Makes a scope of changes to the items as the store has them now. If another program changes
  /// the same items before the scope is saved, that is a conflict. O(1).
  public func makeEditScope() -> EditScope { EditScope(reading: published.state.items) }

  /// Writes the changes of a scope in their order, and returns when every list shows them. One call
  /// is one update, unless it takes longer than `WatchOptions.maxWait`.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// scope.update("ada", [.set("rating", 9)])
  /// scope.delete("bob")
  /// for failure in try await store.save(scope).failures { print(failure) }
  /// ```
  ///
  /// Costs an `fsync` of each file and of its folder. If another program locks a folder (`flock`)
  /// or has a file open for writing, the save waits for it, and so do the lists, for at most
  /// `WatchOptions.maxWait`. Then the change fails with `busy`, and the later changes of this save
  /// wait only briefly.
  ///
  /// - Parameters:
  ///   - scope: The changes to write.
  ///   - policy: What to do with a change to an item that another program has changed in the
  ///     meantime. By default the change fails.
  /// - Returns: The outcome of each change, in their order.
  /// - Throws: `StoreError` if the folder or its settings cannot be read. Then nothing was written.
  ///   The error of a single change is in the report.
  @discardableResult
  public func save(_ scope: EditScope, policy: MergePolicy = .error) async throws(StoreError) -> SaveReport {
    let changes = scope.changes
    defer { withExtendedLifetime(self) {} }
    return try await withCheckedContinuation { messages.send(.save(changes, policy, reply: $0)) }.get()
  }

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - id: The id of the new item. Without id fields it is also the name of its file.
  ///   - fields: The fields of the new item.
  ///   - format: The format of its file; YAML by default.
  /// - Throws: `EditError` if the item cannot be added, `StoreError` if the folder cannot be read.
  public func insert(_ id: Item.ID, fields: Fields, format: TextFormat = .yaml) async throws {
    var scope = EditScope()
    scope.insert(id, fields: fields, format: format)
    try await save(scope).check()
  }

  /// Changes an item as the store has it now.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - edits: The changes to its fields, in their order.
  ///   - policy: What to do if another program has changed the item in the meantime. By default the
  ///     change fails.
  /// - Throws: `EditError` if the item cannot be changed, `StoreError` if the folder cannot be
  ///   read.
  public func update(_ id: Item.ID, _ edits: [TextEdit], policy: MergePolicy = .error) async throws {
    var scope = makeEditScope()
    scope.update(id, edits)
    try await save(scope, policy: policy).check()
  }

  /// Deletes an item as the store has it now.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - policy: What to do if another program has changed the item in the meantime. By default the
  ///     change fails.
  /// - Throws: `EditError` if the item cannot be deleted, `StoreError` if the folder cannot be
  ///   read.
  public func delete(_ id: Item.ID, policy: MergePolicy = .error) async throws {
    var scope = makeEditScope()
    scope.delete(id)
    try await save(scope, policy: policy).check()
  }
}
