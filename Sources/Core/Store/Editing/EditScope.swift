/// Changes to items that are collected first and written together by a save: the counterpart of a
/// managed object context of Core Data.
///
/// ```swift
/// var scope = store.makeEditScope()
/// scope.update("ada", [.set("rating", 9)])
/// scope.insert("bob", fields: ["name": "Bob"])
/// try await store.save(scope)
/// ```
///
/// A scope is a value, and each copy is independent: hand it to a task, keep it for another try, or
/// drop it. Several changes to one item become one change. A save does not empty the scope; create
/// a new scope for the next changes.
public struct EditScope: Sendable, CustomStringConvertible {
  /// The changes in the order of the calls; nil instead of a change that was cancelled.
  private var slots: [PendingChange?] = []
  private var places: [Item.ID: Int] = [:]
  /// The items that have had several changes, such as a deletion and an insertion.
  private var repeatedIDs: Set<Item.ID> = []
  private var hasRenames = false
  /// The items that a change deleted or renamed; some of those changes may be discarded again.
  private var removedIDs: Set<Item.ID> = []
  /// The store when the scope was made, on which changes are based; nil without one.
  package private(set) var base: Base?

  /// Creates a scope that is not based on any reading of the items.
  ///
  /// A change without a revision is made no matter what the file contains when it is saved.
  package init() {}

  init(_ changes: [PendingChange]) {
    for change in changes { add(change) }
  }

  init(reading base: Base) {
    self.base = base
  }

  var changes: [PendingChange] { slots.compactMap { $0 } }

  /// True if there is anything to save.
  public var hasChanges: Bool { slots.contains { $0 != nil } }

  /// The changes, such as `update ada, delete bob`.
  public var description: String {
    hasChanges ? DisplayText.safe(changes.map(\.description).joined(separator: ", ")) : "no changes"
  }

  /// Discards all changes.
  public mutating func rollback() {
    slots = []
    places = [:]
    repeatedIDs = []
    hasRenames = false
    removedIDs = []
  }

  /// Discards the changes to one item, including those that give it this id.
  public mutating func rollback(_ id: some ItemIDConvertible) {
    let id = id.itemID.item
    for index in slots.indices where slots[index]?.id == id || slots[index]?.newID == id {
      slots[index] = nil
    }
    places = places.filter { slots[$0.value] != nil }
  }

  /// The changes to one item, in order; nil if it may depend on changes to other items. O(1) for one.
  package func changes(of id: Item.ID) -> [PendingChange]? {
    if hasRenames { return nil }
    guard let place = places[id] else { return [] }
    return repeatedIDs.contains(id) ? changes.filter { $0.id == id } : [slots[place]].compactMap { $0 }
  }

  package mutating func setUniqueValues(_ values: [UniqueValue], of id: Item.ID) {
    if let place = places[id] { slots[place]?.uniqueValues = values }
  }

  /// Adds a new item. The folder's settings apply: the item gets their `defaults`, and then these
  /// fields. Where ids are fields, those that are missing are filled with the parts of the id.
  ///
  /// If there is already an item with this id, the save fails with `exists`. Under the policy
  /// `mergeByPropertyObjectTrump` it is an update instead: these fields are set, maps key by key,
  /// and the item keeps its other fields, its comments and its file.
  ///
  /// - Parameters:
  ///   - id: The id of the new item. Without id fields it is also the path of its file without the extension.
  ///   - fields: Written in this order. A pseudo-field such as `@size` is refused.
  ///   - format: Nil for the most frequent one in its folder.
  public mutating func insert(_ id: some ItemIDConvertible, fields: Fields, format: TextFormat? = nil) {
    insert(id.itemID, fields: fields, format: format, at: nil)
  }

  /// - Parameter path: The path of the file; nil for the id with the format's extension.
  package mutating func insert(_ id: Item.ID, fields: Fields, format: TextFormat?, at path: RelativePath?) {
    let id = id.item
    add(PendingChange(id: id, act: .insert(.fields(fields, isTyped: false), format, path)))
  }

  /// Adds a new item with fields that a person typed: the text of a page gets a blank first line and
  /// a final line break where most of the other pages have them.
  ///
  /// - Parameter format: Nil for the most frequent one in its folder.
  package mutating func insert(_ id: Item.ID, typed fields: Fields, format: TextFormat? = nil) {
    add(PendingChange(id: id.item, act: .insert(.fields(fields, isTyped: true), format, nil)))
  }

  package mutating func insert(_ plan: NewItems.Plan) {
    add(PendingChange(id: plan.id, act: .insert(.planned(plan.fields, plan.style), plan.format, plan.path)))
  }

  /// Adds a new item with exactly this text. The `defaults` of the settings do not apply.
  ///
  /// - Parameters:
  ///   - id: In a folder with an `id-field` the text must hold it.
  ///   - text: The complete text of the file.
  ///   - path: Nil for the id with the format's extension.
  package mutating func insert(_ id: Item.ID, text: [UInt8], format: TextFormat, at path: RelativePath? = nil)
  {
    let id = id.item
    add(PendingChange(id: id, act: .insert(.text(text), format, path)))
  }

  /// Adds edits of an item, after those that were added before.
  ///
  /// - Parameter edits: Without edits the save only checks that the item exists. A pseudo-field such as
  ///   `@size` cannot be changed, unless the file has a key of this name: then that key is.
  public mutating func update(_ id: some ItemIDConvertible, _ edits: [TextEdit]) {
    update(id.itemID, edits, readAt: nil)
  }

  /// - Parameter revision: The reading on which the edits are based; nil for the item as the scope read it.
  ///   If there are several for one item, the first counts.
  package mutating func update(_ id: Item.ID, _ edits: [TextEdit], readAt revision: ItemRevision?) {
    update(id, edits, readAt: revision) { if !edits.isEmpty { $0.hasUntypedEdits = true } }
  }

  /// Adds edits of an item, and sets the properties of its change that depend on their origin.
  package mutating func update(
    _ id: Item.ID, _ edits: [TextEdit], readAt revision: ItemRevision?, _ mark: (inout PendingChange) -> Void
  ) {
    let id = id.item
    let isAdded = change(id) { change in
      change.edits += edits
      mark(&change)
    }
    if isAdded { return }
    var change = PendingChange(
      id: id, act: .update, edits: edits, revision: revision ?? base?.state.items[id]?.revision)
    mark(&change)
    add(change)
  }

  /// Validates the items that were edited without a type as models of the store. Returns the first error.
  mutating func validateEdits() -> (any Error)? {
    guard let base, slots.contains(where: { $0?.hasUntypedEdits == true }), !base.models.isEmpty else {
      return nil
    }
    var draft = Draft(base)
    var first: (any Error)?
    for index in slots.indices {
      guard let change = slots[index] else { continue }
      let old = draft.state.items[change.id]
      guard let new = draft.apply(change), let old, change.hasUntypedEdits else { continue }
      do {
        if let values = try base.models.validate(old, new) { slots[index]?.uniqueValues = values }
      } catch {
        slots[index]?.violation = "\(error)"
        first = first ?? error
      }
    }
    return first
  }

  /// Replaces the complete text of an item's file, as a text editor does.
  ///
  /// - Parameter revision: The reading on which the text is based; nil for the item as the scope read it.
  package mutating func replace(_ id: Item.ID, with text: [UInt8], readAt revision: ItemRevision? = nil) {
    let id = id.item
    let isChanged = change(id) { change in
      if case .insert(_, let format, let path) = change.act {
        change.act = .insert(.text(text), format, path)
      } else {
        change.act = .replace(text)
      }
      change.edits = []
    }
    if !isChanged {
      add(PendingChange(id: id, act: .replace(text), revision: revision ?? base?.state.items[id]?.revision))
    }
  }

  /// Renames an item. Changes to it that were added before are made before it is renamed; later
  /// ones use the new id.
  ///
  /// Where ids are paths, the file moves to the path of the new id, with the extension it has, and
  /// missing folders are created. It never replaces another item, whatever its extension: the save
  /// then fails with `exists`. Where ids are fields, the id fields are set and the file stays.
  ///
  /// A rename does not depend on the item's content, so it never conflicts with changes of other
  /// programs: the newest version is renamed, under every policy.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// scope.rename("ada", to: "friends/ada")
  /// scope.update("friends/ada", [.set("group", "friends")])
  /// try await store.save(scope)
  /// ```
  ///
  /// - Parameter newID: In a folder with several id fields it has as many parts.
  public mutating func rename(_ id: some ItemIDConvertible, to newID: some ItemIDConvertible) {
    let id = id.itemID.item
    let newID = newID.itemID
    if id == newID { return update(id, []) }
    guard let place = places[id], let last = slots[place], last.act != .delete else {
      add(PendingChange(id: id, act: .update, revision: base?.state.items[id]?.revision, newID: newID))
      return
    }
    if last.newID == nil {
      // It moves to the end, because an earlier change may have to make the new id free.
      slots[place] = nil
      var change = last
      change.newID = newID
      add(change)
    } else {
      add(PendingChange(id: id, act: .update, revision: last.revisionAfterwards, newID: newID))
    }
    places[id] = slots.dropLast().lastIndex { $0?.id == id && $0?.newID == nil }
  }

  /// Deletes an item with its file. An item that this scope inserts is simply not inserted.
  public mutating func delete(_ id: some ItemIDConvertible) { delete(id.itemID, readAt: nil) }

  /// - Parameter revision: The reading on which the decision is based; nil for the item as the scope read it.
  package mutating func delete(_ id: Item.ID, readAt revision: ItemRevision?) {
    let id = id.item
    guard let place = places[id], let last = slots[place] else {
      add(PendingChange(id: id, act: .delete, revision: revision ?? base?.state.items[id]?.revision))
      return
    }
    places[id] = nil
    if case .insert = last.act {
      slots[place] = nil
      // The insertion may follow a deletion of the same id.
      if let earlier = slots[..<place].lastIndex(where: { $0?.id == last.id }) { places[last.id] = earlier }
    } else {
      slots[place]?.act = .delete
      removedIDs.insert(last.id)
      slots[place]?.edits = []
      slots[place]?.newID = nil
      // Another item may have got its id.
      if places[last.id] == nil { places[last.id] = place }
    }
  }

  private func removes(_ id: Item.ID) -> Bool {
    removedIDs.contains(id) && slots.contains { $0?.id == id && ($0?.newID != nil || $0?.act == .delete) }
  }

  private mutating func add(_ change: PendingChange) {
    let id = change.newID ?? change.id
    if places[id] != nil { repeatedIDs.insert(id) }
    if change.newID != nil { hasRenames = true }
    places[id] = slots.count
    var change = change
    change.followsRemoval = change.undo == nil && !change.isInsertion && removes(change.id)
    if change.newID != nil || change.act == .delete { removedIDs.insert(change.id) }
    slots.append(change)
  }

  /// Returns false if there is no change to the item, or if it is a deletion.
  private mutating func change(_ id: Item.ID, _ body: (inout PendingChange) -> Void) -> Bool {
    guard let place = places[id], var change = slots[place], change.act != .delete else { return false }
    body(&change)
    slots[place] = change
    return true
  }
}

extension PendingChange {
  /// The state of the item after this change, as the base of the next one; nil if it is not known.
  fileprivate var revisionAfterwards: ItemRevision? {
    if isCheck { return revision }
    guard act == .update, let revision, let fields = try? revision.fields.value.fields?.applying(edits) else {
      return nil
    }
    return ItemRevision(path: revision.path, stamp: revision.stamp, fields: PackedValue(.map(fields)))
  }
}
