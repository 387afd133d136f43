import Folder
public import Query
public import Store

extension EditScope {
  /// Returns a model with the changes of the scope; nil if there is no such item.
  ///
  /// - Throws: `EditError` with the code `invalid` if the item cannot be read as this type.
  public func object<Object: PlainModel>(_ id: some ItemIDConvertible, as type: Object.Type) throws -> Object?
  {
    let id = id.itemID
    record(type, id)
    return try item(id).map { try ModelEdits.decode($0, as: type) }
  }

  /// Adds a model: as a new item, or with its original as the changes that were made to it.
  ///
  /// Without the original there's no telling what changed. If the store has the item with other
  /// values, the save of the scope fails with `conflict`; see ``replace(_:)``. An item that this
  /// scope added gets all values of the model.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// try scope.save(Contact(id: "ada", name: "Ada", rating: 9))
  /// try await store.save(scope)
  /// ```
  ///
  /// - Parameter original: The model as it was read. Only fields in which `object` differs from it
  ///   are changed; if the item was changed since, that is a conflict.
  /// - Throws: The error of `validate`. `EditError` with the code `invalid` if the model cannot be
  ///   encoded, or if the item cannot be decoded as this type: it may be another kind of item.
  ///   `EditError` with the code `invalidID` if the models have different ids.
  public mutating func save<Object: PlainModel>(_ object: Object, from original: Object? = nil) throws {
    try object.validate()
    let id = try savedID(of: object, original)
    record(Object.self, id)
    if let item = item(id) {
      let lacksOriginal = original == nil && base?.state.items[id] != nil
      try change(item, to: object, from: original) { if lacksOriginal, $1 { $0.lacksOriginal = true } }
    } else if let original {
      // Without the item, the save finds out whether it was deleted or is only missing here.
      try restore(object, from: original)
    } else {
      try add(object, lacksOriginal: true)
    }
  }

  /// Adds a model that overwrites the item: it gets all values of the model, even if
  /// others changed it since. Fields that the type does not know stay. If there is no item, it is
  /// added. If the item changes after the scope was made, that is a conflict as for every change.
  ///
  /// - Throws: The error of `validate`. `EditError` with the code `invalid` if the model cannot be
  ///   encoded, or if the item cannot be decoded as this type: it may be another kind of item.
  public mutating func replace<Object: PlainModel>(_ object: Object) throws {
    try object.validate()
    record(Object.self, object.itemID)
    if let item = item(object.itemID) {
      try change(item, to: object, from: nil) { pending, _ in pending.lacksOriginal = pending.isInsertion }
    } else {
      try add(object, lacksOriginal: true)
    }
  }

  /// Adds a new model. The save fails with `exists` if there is already an item with its id.
  ///
  /// - Parameters:
  ///   - format: The format of its file; nil for the most frequent one in its folder.
  ///   - path: The path of its file; nil for the id with the format's extension.
  /// - Throws: The error of `validate`, or `EditError` with the code `invalid` if the model cannot
  ///   be encoded.
  public mutating func insert<Object: PlainModel>(
    _ object: Object, format: TextFormat? = nil, at path: String? = nil
  ) throws {
    let path = try path.map(RelativePath.init(below:))
    try object.validate()
    record(Object.self, object.itemID, at: path)
    try add(object, format, path, lacksOriginal: false)
  }

  /// Changes a model as the scope has it now.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// try scope.update("ada", as: Contact.self) { $0.rating += 1 }
  /// ```
  ///
  /// - Throws: `EditError` with the code `notFound` if there is no such item; the errors of
  ///   decoding it, of `body` and of ``save(_:from:)``.
  @discardableResult
  public mutating func update<Object: PlainModel>(
    _ id: some ItemIDConvertible, as type: Object.Type, _ body: (inout Object) throws -> Void
  ) throws -> Object {
    let id = id.itemID
    record(type, id)
    guard let item = item(id) else { throw EditError(.notFound, id, nil, "There is no item with this id.") }
    let original = try ModelEdits.decode(item, as: type)
    var object = original
    try body(&object)
    try object.validate()
    _ = try savedID(of: object, original)
    return try change(item, to: object, from: nil) { _, _ in }
  }

  private func record<Object: PlainModel>(_ type: Object.Type, _ id: Item.ID, at path: RelativePath? = nil) {
    guard let base else { return }
    let path = base.state.items[id]?.path ?? path ?? RelativePath(printed: id.description)
    base.models.record(type, in: path?.parent ?? .root, isDeep: false)
  }

  /// Gives the values of a model to the item that holds its value of a field; without one, adds it as a new
  /// item. `holders` are those of all models.
  mutating func upsert<Object: PlainModel>(
    _ object: Object, to holder: Item.ID?, amongst holders: [Item.ID: Item.ID]
  ) throws {
    guard let holder, let item = item(holder) else {
      if holders.values.contains(object.itemID) {
        throw EditError(
          .exists, object.itemID, nil,
          "An item with this id exists, and another one of these objects gives it its values.")
      }
      return try insert(object)
    }
    try object.validate()
    record(Object.self, holder)
    let saved = try change(item, to: object, from: nil) { _, _ in }
    guard let edits = changes(of: holder)?.last?.edits else { return }
    let fields = (try? (item.fields.value.fields ?? [:]).applying(edits)) ?? [:]
    let changed = Item(id: item.id, path: item.path, stamp: item.stamp, fields: PackedValue(.map(fields)))
    let newID = try? Item.ID(of: changed.fields, at: item.path, by: base?.idFields ?? [])
    if newID == item.id, (try? changed.decode(Object.self)) != nil { return }
    rollback(holder)
    let other = (newID == item.id ? saved.itemID : newID).map { "another id, `\($0)`" } ?? "no id"
    throw EditError(
      .invalidID, holder, item.path, "The item has this value, but the values of the model make \(other).",
      advice: "Rename the item first.")
  }

  private mutating func add<Object: PlainModel>(
    _ object: Object, _ format: TextFormat? = nil, _ path: RelativePath? = nil, lacksOriginal: Bool
  ) throws {
    let object = try hooked(object)
    let fields = try ModelEdits.fields(of: object, nil)
    let inserted = try ModelEdits.settled(
      ModelMerge(defaults: Object.defaults).inserted(fields), of: object.itemID, path, as: Object.self)
    insert(object.itemID, fields: inserted, format: format, at: path)
    update(object.itemID, [], readAt: nil) {
      if lacksOriginal { $0.lacksOriginal = true }
      $0.migration = ModelMigration.edits(as: Object.self)
      $0.didSave = { object.didSave() }
    }
    setUniqueValues(ModelEdits.uniqueValues(of: Object.self, in: inserted), of: object.itemID)
  }

  /// Returns a model that is about to be written, after its hook.
  ///
  /// - Throws: The error of `validate`, and `EditError` if the hook changed the id.
  private func hooked<Object: PlainModel>(_ object: Object) throws -> Object {
    var hooked = object
    hooked.willSave()
    if hooked == object { return hooked }
    if hooked.itemID != object.itemID {
      throw EditError(
        .invalidID, object.itemID, nil, "`willSave` changed the id to `\(hooked.itemID)`.",
        advice: "Set the id when the model is made.")
    }
    try hooked.validate()
    return hooked
  }

  /// - Parameter mark: Sets the properties of the change, and knows if it has edits.
  /// - Returns: The model as it is written.
  @discardableResult
  private mutating func change<Object: PlainModel>(
    _ item: Item, to object: Object, from original: Object?,
    _ mark: (inout PendingChange, _ hasEdits: Bool) -> Void
  ) throws -> Object {
    var (object, change) = (object, try ModelEdits(item, to: object, from: original))
    if !change.edits.isEmpty {
      let hooked = try hooked(object)
      if hooked != object { (object, change) = (hooked, try ModelEdits(item, to: hooked, from: original)) }
    }
    update(item.id, change.edits, readAt: original == nil ? nil : change.revision) {
      mark(&$0, !change.edits.isEmpty)
      if change.edits.isEmpty { return }
      // Another type of the same item may have had its own.
      $0.migration = ModelMigration.edits(as: Object.self) ?? $0.migration
      $0.didSave = { [object] in object.didSave() }
    }
    setUniqueValues(ModelEdits.uniqueValues(of: Object.self, in: change.fields), of: item.id)
    return object
  }

  private mutating func restore<Object: PlainModel>(_ object: Object, from original: Object) throws {
    let id = original.itemID
    guard let name = RelativePath(printed: id.description), name != .root else {
      throw EditError(.invalidID, id, nil, "No file can have this name. An id is a path below the root.")
    }
    let path = RelativePath(bytes: name.bytes + ".\(TextFormat.yaml.pathExtensions[0])".utf8)
    let merge = ModelMerge(defaults: Object.defaults)
    let old = merge.inserted(try ModelEdits.fields(of: original, nil))
    let item = Item(id: id, path: path, stamp: .none, fields: PackedValue(.map(old)))
    let object = try object == original ? object : hooked(object)
    let change = try ModelEdits(item, to: object, from: original)
    update(id, change.edits, readAt: change.revision) {
      $0.migration = ModelMigration.edits(as: Object.self)
      $0.didSave = { object.didSave() }
    }
    setUniqueValues(ModelEdits.uniqueValues(of: Object.self, in: change.fields), of: id)
  }

  /// The id of the item that a model is saved to: that of the original, unless ids are fields. Then
  /// the id of the item changes with its fields.
  private func savedID<Object: PlainModel>(of object: Object, _ original: Object?) throws(EditError)
    -> Item.ID
  {
    guard let original, original.itemID != object.itemID else { return object.itemID }
    if let base, !base.idFields.isEmpty { return original.itemID }
    throw EditError(
      .invalidID, original.itemID, nil,
      "The new value has the id `\(object.itemID)`. A save cannot change the id.",
      advice: "Rename the item, then change it.")
  }

  /// Returns the list of your own type with the changes of the scope. O(n log n).
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// try scope.update("ada", as: Contact.self) { $0.rating += 1 }
  /// print(try scope.fetch(of: Contact.self, where: "rating >= \(3)", sort: "-rating").map(\.name))
  /// ```
  ///
  /// - Parameter type: The type to decode. Items that do not decode are problems of the list.
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func fetch<Object: Decodable & Equatable & Sendable>(
    of type: Object.Type, in folder: String? = nil, where predicate: ItemPredicate? = nil,
    sort: ItemSortDescriptor...
  ) throws -> ListSnapshot<Object> {
    ListSnapshot(
      of: state ?? EditScope.noState,
      request: try FetchRequest(of: type, in: folder, where: predicate, sort: sort),
      decoder: ModelDecoder(type) { _ in nil })
  }
}
