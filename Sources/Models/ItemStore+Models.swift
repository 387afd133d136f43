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
  public func object<Object: PlainModel>(_ id: Item.ID, as type: Object.Type) throws -> Object? {
    guard let item = item(id) else { return nil }
    models.record(type, in: item.path.parent ?? .root, isDeep: false)
    return try decode(item, as: type)
  }

  /// Writes a model as a new item. If the item exists with these values, nothing is written.
  ///
  /// ```swift
  /// try await store.save(Contact(id: "ada", name: "Ada", rating: 9))
  /// ```
  ///
  /// If the item exists with different values, there's no telling which of them you changed, so the
  /// save fails with `conflict`: no change of another task is undone. Save a value that was read
  /// with ``save(_:from:policy:)``, change the newest value with ``update(_:as:policy:_:)``, or
  /// overwrite the item with ``replace(_:)``.
  ///
  /// - Parameter policy: The treatment of an item with other values: those of the model win under
  ///   `mergeByPropertyObjectTrump` and `overwrite`. Nil for `StoreOptions.mergePolicy`.
  /// - Throws: The error of `validate`, `EditError` if the model cannot be saved, `StoreError` if
  ///   the folder cannot be read. Then nothing was written.
  @discardableResult
  public func save(_ object: some PlainModel, policy: MergePolicy? = nil) async throws -> SaveOutcome {
    try await save(object, from: nil, policy: policy)
  }

  /// Writes the fields in which a model differs from the one that you read, so that changes of others
  /// to other fields are not undone.
  ///
  /// Unknown fields, comments and untouched values keep their bytes. Saving an unchanged model
  /// writes nothing.
  ///
  /// - Parameter original: The model as it was read before it was edited; nil for
  ///   ``save(_:policy:)``. If the item was changed since, the policy decides.
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

  /// Writes several models as one update of the lists, each as ``save(_:policy:)`` does.
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
    -> SaveOutcome
  {
    let id = object.itemID
    let report = try await changeNewest([id], .mergeByPropertyObjectTrump) { scope, _ in
      try scope.replace(object)
    }
    return try report.single(id)
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
    for object in objects where byID.updateValue(object, forKey: object.itemID) != nil {
      throw EditError(
        .invalid, object.itemID, nil,
        "Two of these objects have this id, and only one of them could be saved. Leave one of them out.")
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
  /// - Parameter policy: The treatment of an item that other programs changed during each try, at
  ///   least 100 times and for five seconds; nil for `StoreOptions.mergePolicy`.
  /// - Returns: The outcome, with the model as it was saved and the `inverse`.
  /// - Throws: The errors of `body`, of decoding and of `validate`; `EditError` if the item cannot
  ///   be changed, with the code `notFound` if there is none; `StoreError` if the folder cannot be
  ///   read. Then nothing was written.
  @discardableResult
  public nonisolated(nonsending) func update<Object: PlainModel>(
    _ id: Item.ID, as type: Object.Type, policy: MergePolicy? = nil, _ body: (inout Object) throws -> Void
  ) async throws -> UpdateOutcome<Object> {
    var object: Object?
    let report = try await changeNewest([id], policy) { scope, id in
      object = try scope.update(id, as: type, body)
    }
    let outcome = try report.single(id)
    guard let object else { throw EditError(.notFound, id, nil, "There is no item with this id.") }
    return UpdateOutcome(object: object, outcome: outcome)
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
    _ ids: [Item.ID], as type: Object.Type, policy: MergePolicy? = nil, _ body: (inout Object) throws -> Void
  ) async throws -> SaveReport {
    let report = try await changeNewest(ids, policy) { scope, id in try scope.update(id, as: type, body) }
    try report.check()
    return report
  }

  /// Deletes the item of a model, as the store has it now.
  ///
  /// - Throws: `EditError` if the item cannot be deleted, `StoreError` if the folder cannot be read.
  @discardableResult
  public func delete(_ object: some PlainModel, policy: MergePolicy? = nil) async throws -> SaveOutcome {
    try await delete(object.itemID, policy: policy)
  }

  /// Deletes the items of several models as one update of the lists.
  ///
  /// - Throws: `SaveError` with the report if an item was not deleted; the others were.
  ///   `StoreError` if the folder cannot be read.
  @discardableResult
  public func delete<Object: PlainModel>(_ objects: [Object], policy: MergePolicy? = nil) async throws
    -> SaveReport
  {
    try await delete(objects.map(\.itemID), policy: policy)
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
  public func delete(_ ids: [Item.ID], policy: MergePolicy? = nil) async throws -> SaveReport {
    var scope = makeEditScope()
    for id in ids { scope.delete(id) }
    return try await save(scope, policy: policy)
  }
}

/// The outcome of an update of one model: the object as it is now, and everything from
/// ``SaveOutcome``.
///
/// ```swift
/// let outcome = try await store.update("ada", as: Contact.self) { $0.rating += 1 }
/// print(outcome.object.rating, outcome.result)
/// try await store.save(outcome.inverse)  // undo
/// ```
@dynamicMemberLookup
public struct UpdateOutcome<Object: Sendable>: Sendable, CustomStringConvertible {
  /// The object as it was saved.
  public let object: Object
  /// The outcome of its item.
  public let outcome: SaveOutcome

  /// Accesses what the outcome says about the item: `result`, `path`, `warnings`, and the `inverse`.
  public subscript<Part>(dynamicMember part: KeyPath<SaveOutcome, Part>) -> Part { outcome[keyPath: part] }

  /// The id and the result, such as `ada: updated`.
  public var description: String { outcome.description }
}
