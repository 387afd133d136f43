import Files
package import Folder
public import Query
public import TextEdits
public import Values

/// Writing through the store. When one of these functions returns, every list of the store shows
/// the change. The later file event of the same write is not a second update.
///
/// A save that was begun is completed, even if its task is cancelled.
extension ItemStore {
  /// Makes a scope of changes to the items as the store has them now. If another program changes
  /// the same items before the scope is saved, that is a conflict. O(1).
  public func makeEditScope() -> EditScope {
    EditScope(reading: EditScope.Base(published.state, options, models))
  }

  /// Writes the changes of a scope in their order, and returns when every list shows them. One call
  /// is one update, however long it takes: meanwhile the lists of this store stand still, and other
  /// saves and changes wait. The lists of other stores and processes do not wait.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// scope.update("ada", [.set("rating", 9)])
  /// scope.delete("bob")
  /// try await store.save(scope)
  /// ```
  ///
  /// Costs an `fsync` of each file and of its folder. If another program locks a folder (`flock`) or has a
  /// file open for writing, the save waits for it, and so do the lists, for at most 5 seconds.
  /// Then the change fails with `busy`, and the later changes of this save wait only briefly.
  ///
  /// A change to a large file is computed first, while others save and the lists continue.
  ///
  /// With `atomically: true` all changes are made or none. If one fails, each file that was changed gets its old
  /// text back, unless another program has changed it since; then the report says so. If the program is killed,
  /// the next one that writes to the folder does that, with the journal that the save leaves in the folder
  /// (`.notes-watch.journal`); `notes-watch check` names it until then.
  ///
  /// - Parameters:
  ///   - policy: Decides about items that another program changed in the meantime; nil for
  ///     `StoreOptions.mergePolicy`.
  ///   - atomically: True to make all changes or none. What the policy discards is an error, too. Costs
  ///     one more `fsync` for each group of files that are written together.
  /// - Returns: The outcome of each change, in their order.
  /// - Throws: `SaveError` with the report if a change was not saved; the other changes were saved, unless the
  ///   save is atomic: then they have failed with the code `rolledBack`.
  ///   `StoreError` if the folder or its settings cannot be read, and the error of `validate` of an item
  ///   that was edited without a type; then nothing was written.
  @discardableResult
  public func save(_ scope: EditScope, policy: MergePolicy? = nil, atomically: Bool = false) async throws
    -> SaveReport
  {
    var scope = scope
    if let error = scope.validateEdits() { throw error }
    let report = try await saveEach(scope, policy, turn: nil, atomically: atomically)
    try report.check()
    return report
  }

  /// Writes the changes of a scope as `save` does, and returns the errors of single changes in the report.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// for id in ["ada", "bob"] as [Item.ID] { scope.update(id, [.append("seen", to: "tags")]) }
  /// let report = try await store.saveEach(scope)
  /// for failure in report.failures { print(failure) }
  /// ```
  ///
  /// - Parameter policy: As in ``save(_:policy:)``.
  /// - Throws: `StoreError` if the folder or its settings cannot be read. Then nothing was written.
  package func saveEach(_ scope: EditScope, policy: MergePolicy? = nil) async throws(StoreError) -> SaveReport
  {
    var scope = scope
    _ = scope.validateEdits()
    return try await saveEach(scope, policy, turn: nil)
  }

  /// - Parameter turn: Ends when the lists have what was written, unless a change failed.
  func saveEach(
    _ scope: EditScope, _ policy: MergePolicy?, turn: UpdateTurn?, atomically: Bool = false
  ) async throws(StoreError) -> SaveReport {
    let start = ContinuousClock.now
    var request = SaveRequest(
      changes: scope.changes, policy: policy, isAtomic: atomically, turn: turn)
    defer { withExtendedLifetime(self) {} }
    while true {
      let current = request
      switch try await withCheckedContinuation({ messages.send(.save(current, reply: $0)) }).get() {
      case .made(let report):
        published.report(.save(report.outcomes.map(\.description)), since: start)
        for outcome in report.outcomes where outcome.isWritten { current.changes[outcome.number].didSave?() }
        return report
      case .slow(let numbers):
        request.rounds += 1
        for number in numbers { request.preparations[number] = nil }
        if request.rounds > EditSession.maxPreparations { continue }
        let found = try await slowEdits.run { [editor] () throws(StoreError) in
          try editor.prepare(current.changes, numbers, policy)
        }
        request.preparations.merge(found) { $1 }
      }
    }
  }

  /// Adds an item. The folder's settings apply: the item gets their `defaults`, and then these
  /// fields. Where ids are fields, those that are missing are filled with the parts of the id.
  ///
  /// ```swift
  /// try await store.insert("friends/bob", fields: ["name": "Bob", "rating": 3])
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the new item. Without id fields it is also the path of its file without the extension.
  ///   - format: Nil for the most frequent one in its folder, whose names are then read.
  ///   - path: The path of its file; nil for the id with the format's extension.
  ///   - policy: Decides about an item that exists already: `mergeByPropertyObjectTrump` updates it, the
  ///     others fail with `exists`. Nil for `StoreOptions.mergePolicy`.
  /// - Throws: `EditError` if the item cannot be added, `StoreError` if the folder cannot be read.
  @discardableResult
  public func insert(
    _ id: some ItemIDConvertible, fields: Fields, format: TextFormat? = nil, at path: String? = nil,
    policy: MergePolicy? = nil
  ) async throws -> SaveOutcome {
    var scope = makeEditScope()
    scope.insert(id.itemID, fields: fields, format: format, at: try path.map(RelativePath.init(below:)))
    return try await saveChange(of: scope, to: id.itemID, policy)
  }

  /// Changes an item as the store has it now.
  ///
  /// ```swift
  /// try await store.update("ada", [.set("rating", 9), .append("new", to: "tags")])
  /// ```
  ///
  /// - Parameters:
  ///   - edits: The changes to its fields, in their order. Without edits an existing item is `unchanged`.
  ///   - policy: As in ``save(_:policy:)``.
  /// - Throws: The error of `validate`, if the item is a model that the store was used with. `EditError` if
  ///   the item cannot be changed, `StoreError` if the folder cannot be read. Then nothing was written.
  @discardableResult
  public func update(_ id: some ItemIDConvertible, _ edits: [TextEdit], policy: MergePolicy? = nil)
    async throws
    -> SaveOutcome
  {
    var scope = makeEditScope()
    scope.update(id, edits)
    if let error = scope.validateEdits() { throw error }
    return try await saveChange(of: scope, to: id.itemID, policy)
  }

  /// Deletes an item as the store has it now.
  ///
  /// - Parameter policy: As in ``save(_:policy:)``.
  /// - Throws: `EditError` if the item cannot be deleted, `StoreError` if the folder cannot be read.
  @discardableResult
  public func delete(_ id: some ItemIDConvertible, policy: MergePolicy? = nil) async throws -> SaveOutcome {
    var scope = makeEditScope()
    scope.delete(id)
    return try await saveChange(of: scope, to: id.itemID, policy)
  }

  /// Saves a scope with changes to one item, and returns the last outcome or throws the first error.
  package func saveChange(of scope: EditScope, to id: Item.ID, _ policy: MergePolicy?) async throws
    -> SaveOutcome
  {
    try await saveEach(scope, policy, turn: nil).single(id)
  }
}

/// Changes to all items that a predicate matches, as one update of the lists.
///
/// A predicate that names a field that no item has is refused: `done != true` would match everything if
/// `done` was a misspelling. So are strings whose quotes were probably forgotten.
extension ItemStore {
  /// Edits the items that a predicate matches. If another program changes one of them at the same time, the
  /// edits are made to the newest version if that still matches.
  ///
  /// ```swift
  /// try await store.update(in: "todos/", where: "due < \(Date.now)", [.set("late", true)])
  /// ```
  ///
  /// Costs O(n) and a save of the items that match.
  ///
  /// - Throws: The errors of the predicate; `StoreError` with the code `malformed` for an unknown field.
  ///   `SaveError` with the report if an item was not changed; the others were.
  @discardableResult
  public nonisolated(nonsending) func update(
    in folder: String? = nil, where predicate: ItemPredicate, _ edits: [TextEdit], policy: MergePolicy? = nil
  ) async throws -> SaveReport {
    try await change(matching: try FetchRequest(in: folder, where: predicate), policy) { scope, id in
      scope.update(id, edits)
    }
  }

  /// Deletes the items that a predicate matches. One that another program changes at the same time is deleted
  /// if it still matches.
  ///
  /// ```swift
  /// try await store.delete(in: "todos/", where: "done = \(true)")
  /// ```
  ///
  /// The costs and errors are those of ``update(in:where:_:policy:)``.
  @discardableResult
  public nonisolated(nonsending) func delete(
    in folder: String? = nil, where predicate: ItemPredicate, policy: MergePolicy? = nil
  ) async throws -> SaveReport {
    try await change(matching: try FetchRequest(in: folder, where: predicate), policy) { scope, id in
      scope.delete(id)
    }
  }

  private nonisolated(nonsending) func change(
    matching request: FetchRequest, _ policy: MergePolicy?, _ add: (inout EditScope, Item.ID) throws -> Void
  ) async throws -> SaveReport {
    let found = fetch(request)
    if let error = found.mistake { throw error }
    return try await change(found.list.itemIdentifiers, matching: request, policy, add)
  }

  /// Makes changes to items that match a request, each as long as its newest version matches.
  package nonisolated(nonsending) func change(
    _ ids: [Item.ID], matching request: FetchRequest, as modelFields: ModelFields = ModelFields(),
    _ policy: MergePolicy?, _ add: (inout EditScope, Item.ID) throws -> Void
  ) async throws -> SaveReport {
    let gate = ItemGate(request, callsUserCode: true, context: .now)
    let report = try await changeNewest(ids, policy) { scope, id in
      guard let items = scope.base?.state.items, let item = items[id] else { return }
      if gate.admits(FieldReader(modelFields, in: items).fields(of: item)) { try add(&scope, id) }
    }
    try report.check()
    return report
  }
}

extension ListSnapshot<Item> {
  /// The error of a predicate that is probably not what its author meant.
  fileprivate var mistake: StoreError? {
    if let string = unquotedStrings.first { return StoreError(.malformed, string.error.message) }
    guard let field = unknownFields(max: 1).first else { return nil }
    return StoreError(
      .malformed, "No item has the field `\(field)`.",
      advice: nearestField(to: field).map { "Did you mean `\($0)`?" } ?? "Check the name.")
  }
}

/// Counts the tries of a change to the newest versions of items.
///
/// Two stores that update one item all the time are a conflict for each other in every second try. On a busy
/// machine ten such tries in a row are nothing rare.
package struct TryLimit {
  private static let minTries = 100
  private static let tryingTime = Duration.seconds(5)

  private var tries = 0
  private let start = ContinuousClock.now

  package init() {}

  /// Begins a try. Returns true if it is the last one.
  package mutating func isLast() -> Bool {
    tries += 1
    return tries >= TryLimit.minTries && ContinuousClock.now - start > TryLimit.tryingTime
  }
}

extension ItemStore {
  /// Waits until no other change of these items, which need not exist, is in progress.
  package nonisolated(nonsending) func beginTurn(of ids: [Item.ID]) async -> UpdateTurn {
    await published.beginUpdate(of: ids)
  }

  /// Makes changes to the newest versions of items, and makes them again while other programs change
  /// the items at the same time.
  ///
  /// - Parameter policy: Decides about such changes in the last try.
  package nonisolated(nonsending) func changeNewest(
    _ ids: [Item.ID], _ policy: MergePolicy?, _ add: (inout EditScope, Item.ID) throws -> Void
  ) async throws -> SaveReport {
    // Outcomes have the ids of items, even if a row of a list by elements was named; several rows are one item.
    var seen: Set<Item.ID> = []
    let ids = ids.map(\.item).filter { seen.insert($0).inserted }
    var outcomes: [Item.ID: SaveOutcome] = [:]
    var rest = ids
    var turn = await published.beginUpdate(of: ids)
    var tries = TryLimit()
    defer { turn.end() }
    while !rest.isEmpty {
      if turn.isOver { turn = await published.beginUpdate(of: rest) }
      let isLast = tries.isLast()
      var scope = makeEditScope()
      for id in rest {
        // An earlier try may have an outcome for an item that no longer needs a change.
        outcomes[id] = nil
        do { try add(&scope, id) } catch  where outcomes.values.contains(where: \.isWritten) {
          // Others are written already, so the report has to say it.
          outcomes[id] = SaveOutcome(failing: id, error)
        }
      }
      if let error = scope.validateEdits(), !outcomes.values.contains(where: \.isWritten) { throw error }
      for outcome in try await saveEach(scope, isLast ? policy : .error, turn: turn).outcomes {
        outcomes[outcome.id] = outcome
      }
      // Nothing was written of these. After other conflicts our text may be in the file, and the
      // change would be made twice.
      rest = isLast ? [] : rest.filter { outcomes[$0]?.error?.dependsOnPolicy == true }
    }
    return SaveReport(outcomes: ids.compactMap { outcomes.removeValue(forKey: $0) })
  }
}
