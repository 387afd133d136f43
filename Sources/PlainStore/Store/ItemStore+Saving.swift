import DirectoryWatch
public import PlainText

/// Writing through the store: read-your-writes. When one of these returns, every list of the store has what was written, and the event that the watch hears of it later is
/// no second update.
extension ItemStore {
  /// A scratch pad of changes to the items as the store has them now: what somebody else makes of them until it is saved is a conflict. O(1).
  public func makeEditScope() -> EditScope { EditScope(reading: published.state.items) }

  /// Makes the changes of a scope, in their order, and has every list show them. What one call writes is one update, unless it takes longer than `WatchOptions.maxWait`.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// scope.update("ada", [.set("rating", 9)])
  /// scope.delete("bob")
  /// for failure in try await store.save(scope).failures { print(failure) }
  /// ```
  ///
  /// Costs an `fsync` of each file and of its folder. Another program that locks a folder (`flock`), or has a file open for writing, is waited for, and the lists with it, up to
  /// `WatchOptions.maxWait`; then the change fails with `busy`, and the next of this save waits hardly any longer.
  ///
  /// - Throws: where the folder or its settings cannot be read: then nothing was done. What is wrong with one change is in the report.
  @discardableResult
  public func save(_ scope: EditScope, policy: MergePolicy = .error) async throws(StoreError) -> SaveReport {
    let changes = scope.changes
    defer { withExtendedLifetime(self) {} }
    return try await withCheckedContinuation { messages.send(.save(changes, policy, reply: $0)) }.get()
  }

  /// Adds an item.
  ///
  /// - Throws: `EditError` where it cannot be added, `StoreError` where the folder cannot be read.
  public func insert(_ id: Item.ID, fields: Fields, format: TextFormat = .yaml) async throws {
    var scope = EditScope()
    scope.insert(id, fields: fields, format: format)
    try await save(scope).check()
  }

  /// Changes an item as the store has it now.
  ///
  /// - Throws: `EditError` where that cannot be done, `StoreError` where the folder cannot be read.
  public func update(_ id: Item.ID, _ edits: [TextEdit], policy: MergePolicy = .error) async throws {
    var scope = makeEditScope()
    scope.update(id, edits)
    try await save(scope, policy: policy).check()
  }

  /// Deletes an item as the store has it now.
  ///
  /// - Throws: `EditError` where that cannot be done, `StoreError` where the folder cannot be read.
  public func delete(_ id: Item.ID, policy: MergePolicy = .error) async throws {
    var scope = makeEditScope()
    scope.delete(id)
    try await save(scope, policy: policy).check()
  }
}
