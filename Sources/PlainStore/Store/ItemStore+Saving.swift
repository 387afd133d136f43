import DirectoryWatch
public import PlainText
import Synchronization

/// Writing through the store: read-your-writes. When one of these returns, every list of the store has what was written, and the event that the watch hears of it later is
/// no second update.
extension ItemStore {
  /// A scratch pad of changes to the items as the store has them now: what somebody else makes of them until it is saved is a conflict. O(1).
  public func makeEditScope() -> EditScope { EditScope(reading: state.withLock { $0.contents.model.items }) }

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
    try await withTaskExecutorPreference(executor) { () async throws(StoreError) in
      var session = try editor.session(policy)
      session.patience = min(session.patience, options.watch.maxWait)
      let changes = scope.changes
      session.await(changes)
      var rest = Array(changes.enumerated())[...]
      var outcomes = [SaveOutcome?](repeating: nil, count: changes.count)
      while !rest.isEmpty {
        await save(&rest, with: &session, &outcomes)
        // Other writers get a turn while nothing is written.
        session.rootLock = nil
      }
      while let time = session.confirmationTime {
        // The lists go on meanwhile.
        try? await Task.sleep(until: time)
        await confirm(&session, &outcomes)
      }
      return SaveReport(outcomes: outcomes.compactMap { $0 })
    }
  }

  /// As much as fits into one update.
  private func save(
    _ rest: inout ArraySlice<(offset: Int, element: PendingChange)>, with session: inout EditSession, _ outcomes: inout [SaveOutcome?]
  ) async {
    // Nobody looks at what is half saved.
    await turns.take()
    defer { turns.give() }
    var dirty = DirtyPaths()
    dirty.since = .now
    let end = ContinuousClock.now + options.watch.maxWait
    repeat {
      guard !session.isFull, let (number, change) = rest.popFirst() else { break }
      let outcome = session.save(change, as: number)
      outcomes[number] = outcome
      // The lists stand still while it waits: who was waited for in vain is not waited for once more with each change.
      if outcome?.error?.code == .busy { session.patience = min(session.patience, .milliseconds(100)) }
      // What failed is looked at too: others may have written it, or a part of it may have been done.
      if let outcome = outcome ?? session.unconfirmed.last?.outcome, let path = outcome.path, outcome.result != .unchanged {
        dirty.files.insert(path)
      }
    } while ContinuousClock.now < end
    look(at: dirty, isCertain: true)
    if session.isFull { confirm(&session, &outcomes, &dirty) }
  }

  private func confirm(_ session: inout EditSession, _ outcomes: inout [SaveOutcome?]) async {
    await turns.take()
    defer { turns.give() }
    var dirty = DirtyPaths()
    dirty.since = .now
    confirm(&session, &outcomes, &dirty)
  }

  private func confirm(_ session: inout EditSession, _ outcomes: inout [SaveOutcome?], _ dirty: inout DirtyPaths) {
    dirty.files = Set(session.unconfirmed.compactMap(\.outcome.path))
    for (number, outcome) in session.confirm() { outcomes[number] = outcome }
    look(at: dirty, isCertain: true)
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
