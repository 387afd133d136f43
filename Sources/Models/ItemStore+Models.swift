public import Query
public import Store
import Values

/// Reading and writing models. When one of the writing functions returns, every list of the store
/// shows the change. The `policy` is the treatment of items that others changed in the meantime, or
/// that exist already; nil for `StoreOptions.mergePolicy`.
extension ItemStore {
  /// Returns a model by the id of its item; nil if there is none.
  ///
  /// ```swift
  /// if let ada = try store.object("ada", as: Contact.self) { print(ada.name) }
  /// ```
  ///
  /// - Throws: A `Problem` at the line of the value that cannot be read as this type.
  public func object<Object: PlainModel>(_ id: some ItemIDConvertible, as type: Object.Type) throws -> Object?
  {
    guard let item = item(id) else { return nil }
    models.record(type, in: item.path.parent ?? .root, isDeep: false)
    return try decode(item, as: type)
  }

  /// Writes the fields in which a model differs from the one that you read, so that changes of others to
  /// other fields are not undone; without an original, writes the model as a new item.
  ///
  /// ```swift
  /// try await store.save(Contact(id: "ada", name: "Ada", rating: 9))
  /// var edited = original
  /// edited.name = "Ada King"
  /// try await store.save(edited, from: original)
  /// ```
  ///
  /// Unknown fields, comments and untouched values keep their bytes. Saving an unchanged model writes
  /// nothing. Without an original there's no telling which values you changed: if the item exists with
  /// different ones, the save fails with `conflict`, and no change of another task is undone. Change the
  /// newest value with ``update(_:as:policy:_:)``, or overwrite the item with ``replace(_:)``.
  ///
  /// - Parameters:
  ///   - original: The model as it was read before it was edited. If the item was changed since, the policy
  ///     decides.
  ///   - policy: The treatment of an item that others changed; nil for `StoreOptions.mergePolicy`. Without an
  ///     original, the values of the model win under `mergeByPropertyObjectTrump` and `overwrite`.
  /// - Throws: The error of `validate`, `EditError` if the model cannot be saved, `StoreError` if
  ///   the folder cannot be read. Then nothing was written.
  @discardableResult
  public func save<Object: PlainModel>(
    _ object: Object, from original: Object? = nil, policy: MergePolicy? = nil
  ) async throws -> UpdateOutcome<Object> {
    var scope = makeEditScope()
    try scope.save(object, from: original)
    let outcome = try await saveChange(of: scope, to: original?.itemID ?? object.itemID, policy)
    return UpdateOutcome(object, outcome, in: self)
  }

  /// Writes several models as one update of the lists, each as ``save(_:from:policy:)`` does.
  ///
  /// - Parameter objects: The models to save. All are validated before the first is written.
  /// - Throws: The error of `validate`, or `EditError` with the code `invalid` if a model cannot be
  ///   encoded or two models have one id; then nothing was written. `SaveError` with the report if
  ///   a model was not saved; the others were saved. `StoreError` if the folder cannot be read.
  @discardableResult
  public func save<Object: PlainModel>(_ objects: [Object], policy: MergePolicy? = nil) async throws
    -> SaveReport
  {
    _ = try ItemStore.byID(objects)
    var scope = makeEditScope()
    for object in objects { try scope.save(object) }
    return try await save(scope, policy: policy)
  }

  /// Overwrites an item with a model: the item gets all of its values, even if others
  /// changed them since. If there is no item, it is added.
  ///
  /// ```swift
  /// try await store.replace(Contact(id: "ada", name: "Ada", rating: 9))
  /// ```
  ///
  /// Fields that the type does not know, comments and equal values keep their bytes.
  ///
  /// - Returns: The outcome. Its `inverse` brings back what was overwritten.
  /// - Throws: The error of `validate`, `EditError` if the item cannot be written or is not of this
  ///   type, `StoreError` if the folder cannot be read. Then nothing was written.
  @discardableResult
  public nonisolated(nonsending) func replace<Object: PlainModel>(_ object: Object) async throws
    -> UpdateOutcome<Object>
  {
    let id = object.itemID
    let report = try await changeNewest([id], .mergeByPropertyObjectTrump) { scope, _ in
      try scope.replace(object)
    }
    return UpdateOutcome(object, try report.single(id), in: self)
  }

  /// Overwrites several items as one update of the lists, each as ``replace(_:)`` does.
  ///
  /// - Parameter objects: The models to write. All are validated before the first is written.
  /// - Throws: The error of `validate`, or `EditError` with the code `invalid` if a model cannot be
  ///   encoded or two models have one id; then nothing was written. `SaveError` with the report if
  ///   a model was not written; the others were. `StoreError` if the folder cannot be read.
  @discardableResult
  public nonisolated(nonsending) func replace<Object: PlainModel>(_ objects: [Object]) async throws
    -> SaveReport
  {
    let byID = try ItemStore.byID(objects)
    let report = try await changeNewest(objects.map(\.itemID), .mergeByPropertyObjectTrump) { scope, id in
      if let object = byID[id] { try scope.replace(object) }
    }
    try report.check()
    return report
  }

  /// - Throws: `EditError` if two models have one id: only one of them could be saved.
  private static func byID<Object: PlainModel>(_ objects: [Object]) throws(EditError) -> [Item.ID: Object] {
    var byID: [Item.ID: Object] = [:]
    for object in objects where byID.updateValue(object, forKey: object.itemID.item) != nil {
      throw EditError(
        .invalid, object.itemID, nil,
        "Two of these objects have this id, and only one of them could be saved.",
        advice: "Leave one of them out.")
    }
    return byID
  }

  /// Writes models for a test or a preview, as ``replace(_:)`` does.
  public func seed<Object: PlainModel>(_ objects: [Object]) async throws { try await replace(objects) }

  /// Adds a model as a new item.
  ///
  /// ```swift
  /// try await store.insert(Contact(id: "bob", name: "Bob", rating: 3), format: .markdown)  // bob.md
  /// ```
  ///
  /// Where ids are fields, the id does not say where the file is: name its path.
  ///
  /// - Parameters:
  ///   - format: The format of its file; nil for the most frequent one in its folder.
  ///   - path: The path of its file; nil for the id with the format's extension.
  /// - Throws: The error of `validate`, `EditError` if the item cannot be added, `StoreError` if
  ///   the folder cannot be read. Then nothing was written.
  @discardableResult
  public func insert<Object: PlainModel>(
    _ object: Object, format: TextFormat? = nil, at path: String? = nil, policy: MergePolicy? = nil
  ) async throws -> UpdateOutcome<Object> {
    var scope = makeEditScope()
    try scope.insert(object, format: format, at: path)
    let outcome = try await saveChange(of: scope, to: object.itemID, policy)
    return UpdateOutcome(object, outcome, in: self)
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
  /// - Parameter policy: The treatment of an item that other programs changed during each try, at
  ///   least 100 times and for five seconds; nil for `StoreOptions.mergePolicy`.
  /// - Returns: The outcome, with the model as it was saved and the `inverse`.
  /// - Throws: The errors of `body`, of decoding and of `validate`; `EditError` if the item cannot
  ///   be changed, with the code `notFound` if there is none; `StoreError` if the folder cannot be
  ///   read. Then nothing was written.
  @discardableResult
  public nonisolated(nonsending) func update<Object: PlainModel>(
    _ id: some ItemIDConvertible, as type: Object.Type, policy: MergePolicy? = nil,
    _ body: (inout Object) throws -> Void
  ) async throws -> UpdateOutcome<Object> {
    let id = id.itemID
    var object: Object?
    let report = try await changeNewest([id], policy) { scope, id in
      object = try scope.update(id, as: type, body)
    }
    let outcome = try report.single(id)
    guard let object else { throw EditError(.notFound, id, nil, "There is no item with this id.") }
    return UpdateOutcome(object, outcome, in: self)
  }

  /// Changes the newest values of several models as one update of the lists, each as
  /// ``update(_:as:policy:_:)`` does.
  ///
  /// ```swift
  /// try await store.update(["ada", "bob"], as: Contact.self) { $0.rating = 0 }
  /// ```
  ///
  /// - Parameter body: Changes one model. It runs again if another program changed the item meanwhile.
  /// - Throws: The errors of `body`, of decoding and of `validate` in the first try; then nothing
  ///   was written. `SaveError` with the report if an item was not changed; the others were.
  ///   `StoreError` if the folder cannot be read.
  @discardableResult
  public nonisolated(nonsending) func update<Object: PlainModel>(
    _ ids: [some ItemIDConvertible], as type: Object.Type, policy: MergePolicy? = nil,
    _ body: (inout Object) throws -> Void
  ) async throws -> SaveReport {
    let report = try await changeNewest(ids.map(\.itemID), policy) { scope, id in
      try scope.update(id, as: type, body)
    }
    try report.check()
    return report
  }

  /// Changes the models that a predicate matches, as one update of the lists, each as
  /// ``update(_:as:policy:_:)`` does. One that no longer matches when it is written stays as it is.
  ///
  /// ```swift
  /// try await store.update(of: Contact.self, in: "friends/", where: "rating < \(3)") { $0.rating += 1 }
  /// ```
  ///
  /// Costs O(n) and a save of the models that match.
  ///
  /// - Parameter body: Changes one model. It runs again if another program changed the item meanwhile.
  /// - Throws: The errors of the predicate, of `body` and of `validate`, and the `Problem` of the first
  ///   matching file that does not decode; then nothing was written. `SaveError` with the report if an item
  ///   was not changed; the others were.
  @discardableResult
  public nonisolated(nonsending) func update<Object: PlainModel>(
    of type: Object.Type, in folder: String? = nil, where predicate: ItemPredicate,
    policy: MergePolicy? = nil, _ body: (inout Object) throws -> Void
  ) async throws -> SaveReport {
    try await change(try fetch(of: type, in: folder, where: predicate), policy) { scope, id in
      try scope.update(id, as: type, body)
    }
  }

  /// Deletes the models that a predicate matches, as one update of the lists. One that another program changes
  /// at the same time is deleted if it still matches.
  ///
  /// ```swift
  /// try await store.delete(of: Contact.self, where: "rating = \(0)")
  /// ```
  ///
  /// The costs and errors are those of ``update(of:in:where:policy:_:)``.
  @discardableResult
  public nonisolated(nonsending) func delete<Object: PlainModel>(
    of type: Object.Type, in folder: String? = nil, where predicate: ItemPredicate,
    policy: MergePolicy? = nil
  ) async throws -> SaveReport {
    try await change(try fetch(of: type, in: folder, where: predicate), policy) { scope, id in
      scope.delete(id)
    }
  }

  private nonisolated(nonsending) func change<Object: PlainModel>(
    _ found: ListSnapshot<Object>, _ policy: MergePolicy?, _ add: (inout EditScope, Item.ID) throws -> Void
  ) async throws -> SaveReport {
    try await change(
      found.list.itemIdentifiers, matching: found.request,
      as: ModelFields(of: Object.self, reading: found.request.orderingPaths), policy, add)
  }

  /// Adds a model, or gives its values to the item of this type that has the same value of a field. That item
  /// keeps its id, and the fields that the type does not know.
  ///
  /// ```swift
  /// try await store.upsert(User(id: "u7", email: "ada@example.org", name: "Ada"), by: "email")
  /// ```
  ///
  /// Upserts by the same value wait for each other, so two at the same time add one item. Costs O(n).
  ///
  /// - Throws: `EditError` with the code `ambiguous` if several items have the value, with `invalid` if the
  ///   model has none, with `exists` if the model has the id of an item with another value, and with
  ///   `invalidID` if it would change the id of the item. The errors of ``replace(_:)``. Then nothing was
  ///   written.
  @discardableResult
  public nonisolated(nonsending) func upsert<Object: PlainModel>(_ object: Object, by field: FieldPath)
    async throws -> UpdateOutcome<Object>
  {
    UpdateOutcome(object, try await upsertEach([object], by: field).single(object.itemID), in: self)
  }

  /// Adds or changes several models as one update of the lists, each as ``upsert(_:by:)`` does.
  ///
  /// - Throws: `EditError` with the code `invalid` if two of the models have the same value, with `exists` if
  ///   one has the id of the item that another one changes, and the errors of ``upsert(_:by:)``; then nothing
  ///   was written. `SaveError` with the report if a model was not
  ///   written; the others were.
  @discardableResult
  public nonisolated(nonsending) func upsert<Object: PlainModel>(_ objects: [Object], by field: FieldPath)
    async throws -> SaveReport
  {
    let report = try await upsertEach(objects, by: field)
    try report.check()
    return report
  }

  private nonisolated(nonsending) func upsertEach<Object: PlainModel>(
    _ objects: [Object], by field: FieldPath
  )
    async throws -> SaveReport
  {
    try ModelKeys(of: Object.self).check([field])
    let values = try ModelValues(of: objects, at: field)
    let turn = await beginTurn(of: values.turns)
    defer { turn.end() }
    var outcomes: [Item.ID: SaveOutcome] = [:]
    var rest = objects
    var tries = TryLimit()
    while !rest.isEmpty {
      let isLast = tries.isLast()
      let holders = try values.holders(among: currentState.items)
      var scope = makeEditScope()
      for object in rest {
        do {
          try scope.upsert(object, to: holders[object.itemID], amongst: holders)
        } catch  where outcomes.values.contains(where: \.isWritten) {
          // Others are written already, so the report has to say it.
          outcomes[object.itemID] = SaveOutcome(failing: object.itemID, error)
          rest.removeAll { $0.itemID == object.itemID }
        }
      }
      let report = try await saveEach(scope, policy: isLast ? .mergeByPropertyObjectTrump : .error)
      let byTarget = Dictionary(report.outcomes.map { ($0.id, $0) }) { $1 }
      for object in rest {
        let target = holders[object.itemID] ?? object.itemID
        outcomes[object.itemID] = byTarget[target.item]
      }
      // Another program or task changed these meanwhile, and may have changed whose value it is.
      rest = isLast ? [] : rest.filter { outcomes[$0.itemID]?.error?.dependsOnPolicy == true }
    }
    return SaveReport(outcomes: objects.compactMap { outcomes[$0.itemID] })
  }

  /// Deletes several items as one update of the lists.
  ///
  /// ```swift
  /// try await store.delete(["ada", "bob"])
  /// ```
  ///
  /// - Throws: `SaveError` with the report if an item was not deleted; the others were.
  ///   `StoreError` if the folder cannot be read.
  @discardableResult
  public func delete(_ ids: [some ItemIDConvertible], policy: MergePolicy? = nil) async throws -> SaveReport {
    var scope = makeEditScope()
    for id in ids { scope.delete(id) }
    return try await save(scope, policy: policy)
  }
}

/// The outcome of a change to one model: the object as it was written, and everything from ``SaveOutcome``.
///
/// ```swift
/// let outcome = try await store.update("ada", as: Contact.self) { $0.rating += 1 }
/// print(outcome.object.rating, outcome.result)
/// try await store.save(outcome.inverse)  // undo
/// ```
@dynamicMemberLookup
public struct UpdateOutcome<Object: Sendable>: Sendable, CustomStringConvertible {
  /// The object as it was written: with what `willSave` made, and merged with the changes of others. If
  /// nothing was written, the object of the call.
  public let object: Object
  /// The outcome of its item.
  public let outcome: SaveOutcome

  /// Accesses what the outcome says about the item: `result`, `path`, `warnings`, and the `inverse`.
  public subscript<Part>(dynamicMember part: KeyPath<SaveOutcome, Part>) -> Part { outcome[keyPath: part] }

  /// The id and the result, such as `ada: updated`.
  public var description: String { outcome.description }
}

extension UpdateOutcome where Object: PlainModel {
  fileprivate init(_ object: Object, _ outcome: SaveOutcome, in store: ItemStore) {
    self.outcome = outcome
    let id = outcome.newID
    let written = outcome.newText.flatMap { try? $0.fields.get() }.flatMap { fields in
      let path = outcome.path ?? .root
      let stamp = store.item(id)?.stamp ?? .none
      return try? Item(id: id, path: path, stamp: stamp, fields: fields).decode(Object.self)
    }
    self.object = written ?? object
  }
}
