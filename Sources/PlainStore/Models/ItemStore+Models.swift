import PlainText

/// Reading and writing models. When one of the writing functions returns, every list of the store
/// shows the change.
extension ItemStore {
  /// Returns a model by the id of its item; nil if there is none.
  ///
  /// ```swift
  /// if let ada = try store.object("ada", as: Contact.self) { print(ada.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - type: The type of the model.
  /// - Throws: A `Problem` at the line of the value that cannot be read as this type.
  public func object<Object: PlainModel>(_ id: Item.ID, as type: Object.Type) throws -> Object? {
    try item(id).map { item throws(Problem) in try decode(item, as: type) }
  }

  /// Writes a model: as a new item, or the fields in which the item differs from it.
  ///
  /// ```swift
  /// try await store.save(Contact(id: "ada", name: "Ada", rating: 9))
  /// ```
  ///
  /// Unknown fields, comments and untouched values keep their bytes. Saving an unchanged model
  /// writes nothing.
  ///
  /// - Parameters:
  ///   - object: The model to save. The item gets all of its values.
  ///   - policy: The treatment of an item that another program changed in the meantime; nil for
  ///     `StoreOptions.mergePolicy`.
  /// - Returns: The outcome.
  /// - Throws: The error of `validate`, `EditError` if the model cannot be saved, `StoreError` if
  ///   the folder cannot be read. Then nothing was written.
  @discardableResult
  public func save(_ object: some PlainModel, policy: MergePolicy? = nil) async throws -> SaveOutcome {
    try await save(object, from: nil, policy: policy)
  }

  /// Writes the fields in which a model differs from the one that you read, so that changes of other
  /// programs to other fields are not undone.
  ///
  /// - Parameters:
  ///   - object: The model to save.
  ///   - original: The model as it was read before it was edited; nil to write all values of
  ///     `object`. If another program changed the item since, the policy decides.
  ///   - policy: The treatment of an item that another program changed in the meantime; nil for
  ///     `StoreOptions.mergePolicy`.
  /// - Returns: The outcome.
  /// - Throws: The error of `validate`, `EditError` if the model cannot be saved, `StoreError` if
  ///   the folder cannot be read. Then nothing was written.
  @discardableResult
  public func save<Object: PlainModel>(
    _ object: Object, from original: Object?, policy: MergePolicy? = nil
  ) async throws -> SaveOutcome {
    var scope = makeEditScope()
    try scope.save(object, from: original)
    return try await saveChange(of: scope, to: original?.itemID ?? object.itemID, policy)
  }

  /// Writes several models as one update of the lists, each as `save` does.
  ///
  /// - Parameters:
  ///   - objects: The models to save. All are validated before the first is written.
  ///   - policy: The treatment of items that another program changed in the meantime; nil for
  ///     `StoreOptions.mergePolicy`.
  /// - Returns: The outcome of each model, in their order.
  /// - Throws: The error of `validate`, or `EditError` if a model cannot be encoded; then nothing
  ///   was written. `SaveError` with the report if a model was not saved; the others were saved.
  ///   `StoreError` if the folder cannot be read.
  @discardableResult
  public func save<Object: PlainModel>(_ objects: [Object], policy: MergePolicy? = nil) async throws -> SaveReport {
    var scope = makeEditScope()
    for object in objects { try scope.save(object) }
    return try await save(scope, policy: policy)
  }

  /// Writes models for a test or a preview, as ``save(_:policy:)`` does.
  ///
  /// - Parameter objects: The models to save.
  /// - Throws: The errors of ``save(_:policy:)``.
  public func seed<Object: PlainModel>(_ objects: [Object]) async throws { try await save(objects) }

  /// Adds a model as a new item.
  ///
  /// ```swift
  /// try await store.insert(Contact(id: "bob", name: "Bob", rating: 3), format: .markdown)  // bob.md
  /// ```
  ///
  /// Where ids are fields, the id does not say where the file is: name its path.
  ///
  /// - Parameters:
  ///   - object: The model to add.
  ///   - format: The format of its file; nil for the most frequent one in its folder.
  ///   - path: The path of its file; nil for the id with the format's extension.
  ///   - policy: The treatment of an item that exists already; nil for `StoreOptions.mergePolicy`.
  /// - Returns: The outcome.
  /// - Throws: The error of `validate`, `EditError` if the item cannot be added, `StoreError` if
  ///   the folder cannot be read. Then nothing was written.
  @discardableResult
  public func insert<Object: PlainModel>(
    _ object: Object, format: TextFormat? = nil, at path: RelativePath? = nil, policy: MergePolicy? = nil
  ) async throws -> SaveOutcome {
    var scope = makeEditScope()
    try scope.insert(object, format: format, at: path)
    return try await saveChange(of: scope, to: object.itemID, policy)
  }

  /// Changes the newest value of a model.
  ///
  /// ```swift
  /// try await store.update("ada", as: Contact.self) { $0.rating += 1 }
  /// ```
  ///
  /// Updates of an item through one store wait for each other. If another program changes the item
  /// at the same time, the closure runs again on the value that is then the newest. So all
  /// concurrent `+= 1` count. The closure runs on the actor of the caller, and should have no other
  /// effects.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - type: The type of the model.
  ///   - policy: The treatment of an item that other programs changed during each try, at least 100
  ///     times and for five seconds; nil for `StoreOptions.mergePolicy`.
  ///   - body: Changes the model.
  /// - Returns: The model as it was saved.
  /// - Throws: The errors of `body`, of decoding and of `validate`; `EditError` if the item cannot
  ///   be changed, with the code `notFound` if there is none; `StoreError` if the folder cannot be
  ///   read. Then nothing was written.
  @discardableResult
  public nonisolated(nonsending) func update<Object: PlainModel>(
    _ id: Item.ID, as type: Object.Type, policy: MergePolicy? = nil, _ body: (inout Object) throws -> Void
  ) async throws -> Object {
    var turn = await updateTurns.begin([id])
    var patience = UpdatePatience()
    defer { turn.end() }
    while true {
      if turn.isOver { turn = await updateTurns.begin([id]) }
      let isLast = patience.isLastTry
      var scope = makeEditScope()
      let object = try scope.update(id, as: type, body)
      do {
        _ = try await saveChange(of: scope, to: id, isLast ? policy : .error, turn: turn)
        return object
      } catch let error as EditError where error.dependsOnPolicy && !isLast {
        // Nothing was written. After other conflicts our text may be in the file, and the closure
        // would change it twice.
        patience.tries += 1
      }
    }
  }

  /// Changes the newest values of several models as one update of the lists, each as
  /// ``update(_:as:policy:_:)`` does.
  ///
  /// ```swift
  /// try await store.update(["ada", "bob"], as: Contact.self) { $0.rating = 0 }
  /// ```
  ///
  /// - Parameters:
  ///   - ids: The ids of the items.
  ///   - type: The type of the models.
  ///   - policy: The treatment of an item that other programs changed during each try, at least 100
  ///     times and for five seconds; nil for `StoreOptions.mergePolicy`.
  ///   - body: Changes one model. It runs again if another program changed the item at the same
  ///     time.
  /// - Returns: The outcome of each item, in the order of the ids.
  /// - Throws: The errors of `body`, of decoding and of `validate` in the first try; then nothing
  ///   was written. `SaveError` with the report if an item was not changed; the others were.
  ///   `StoreError` if the folder cannot be read.
  @discardableResult
  public nonisolated(nonsending) func update<Object: PlainModel>(
    _ ids: [Item.ID], as type: Object.Type, policy: MergePolicy? = nil, _ body: (inout Object) throws -> Void
  ) async throws -> SaveReport {
    var outcomes: [Item.ID: SaveOutcome] = [:]
    var rest = ids
    var turn = await updateTurns.begin(ids)
    var patience = UpdatePatience()
    defer { turn.end() }
    while !rest.isEmpty {
      if turn.isOver { turn = await updateTurns.begin(rest) }
      let isLast = patience.isLastTry
      var scope = makeEditScope()
      for id in rest { try scope.update(id, as: type, body) }
      for outcome in try await saveEach(scope, isLast ? policy : .error, turn: turn).outcomes { outcomes[outcome.id] = outcome }
      rest = isLast ? [] : rest.filter { outcomes[$0]?.error?.dependsOnPolicy == true }
      patience.tries += 1
    }
    let report = SaveReport(outcomes: ids.compactMap { outcomes.removeValue(forKey: $0) })
    try report.check()
    return report
  }

  /// Deletes the item of a model, as the store has it now.
  ///
  /// - Parameters:
  ///   - object: The model to delete.
  ///   - policy: The treatment of an item that another program changed in the meantime; nil for
  ///     `StoreOptions.mergePolicy`.
  /// - Returns: The outcome.
  /// - Throws: `EditError` if the item cannot be deleted, `StoreError` if the folder cannot be
  ///   read.
  @discardableResult
  public func delete(_ object: some PlainModel, policy: MergePolicy? = nil) async throws -> SaveOutcome {
    try await delete(object.itemID, policy: policy)
  }

  /// Deletes the items of several models as one update of the lists.
  ///
  /// - Parameters:
  ///   - objects: The models to delete.
  ///   - policy: The treatment of items that another program changed in the meantime; nil for
  ///     `StoreOptions.mergePolicy`.
  /// - Returns: The outcome of each item, in the order of the models.
  /// - Throws: `SaveError` with the report if an item was not deleted; the others were.
  ///   `StoreError` if the folder cannot be read.
  @discardableResult
  public func delete<Object: PlainModel>(_ objects: [Object], policy: MergePolicy? = nil) async throws -> SaveReport {
    try await delete(objects.map(\.itemID), policy: policy)
  }

  /// Deletes several items as one update of the lists.
  ///
  /// ```swift
  /// try await store.delete(["ada", "bob"])
  /// ```
  ///
  /// - Parameters:
  ///   - ids: The ids of the items.
  ///   - policy: The treatment of items that another program changed in the meantime; nil for
  ///     `StoreOptions.mergePolicy`.
  /// - Returns: The outcome of each item, in the order of the ids.
  /// - Throws: `SaveError` with the report if an item was not deleted; the others were.
  ///   `StoreError` if the folder cannot be read.
  @discardableResult
  public func delete(_ ids: [Item.ID], policy: MergePolicy? = nil) async throws -> SaveReport {
    var scope = makeEditScope()
    for id in ids { scope.delete(id) }
    return try await save(scope, policy: policy)
  }
}

/// How often and how long a change of a model is tried while other programs change its item.
///
/// Two stores that update one item all the time are a conflict for each other in every second try.
/// On a busy machine ten such tries in a row are nothing rare.
private struct UpdatePatience {
  var tries = 0
  private let start = ContinuousClock.now

  private static let minTries = 100
  private static let time = Duration.seconds(5)

  /// True if the next try is the last one.
  var isLastTry: Bool { tries + 1 >= UpdatePatience.minTries && ContinuousClock.now - start > UpdatePatience.time }
}
