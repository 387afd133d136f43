public import DirectoryWatch
import HashTreeCollections
public import PlainText

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
public struct EditScope: Sendable {
  /// The changes in the order of the calls; nil in place of a change that was cancelled.
  private var slots: [PendingChange?] = []
  /// The index of the last change to each item.
  private var places: [Item.ID: Int] = [:]
  /// The items that have had several changes, such as a deletion and an insertion.
  private var repeatedIDs: Set<Item.ID> = []
  /// The store when the scope was made; nil for a scope that is not based on a store. Changes are
  /// based on its items.
  let base: ScopeBase?

  /// Creates a scope that is not based on any reading of the items.
  ///
  /// A change without a revision is made whatever the file holds when it is saved.
  public init() {
    base = nil
  }

  init(reading base: ScopeBase) {
    self.base = base
  }

  /// The changes in the order of the calls.
  var changes: [PendingChange] { slots.compactMap { $0 } }

  /// True if there is anything to save.
  public var hasChanges: Bool { !places.isEmpty }

  /// Discards all changes.
  public mutating func rollback() {
    slots = []
    places = [:]
  }

  /// Discards the changes to one item.
  public mutating func rollback(_ id: Item.ID) {
    for index in slots.indices where slots[index]?.id == id { slots[index] = nil }
    places[id] = nil
  }

  /// Returns the changes to one item, in order. O(1), unless there are several.
  func changes(of id: Item.ID) -> [PendingChange] {
    guard let place = places[id] else { return [] }
    return repeatedIDs.contains(id) ? changes.filter { $0.id == id } : [slots[place]].compactMap { $0 }
  }

  /// Sets the values of an item's last change that no other item may have.
  mutating func setUniqueValues(_ values: [UniqueValue], of id: Item.ID) {
    if let place = places[id] { slots[place]?.uniqueValues = values }
  }

  /// Adds a new item. The save fails with `exists` if there is already an item with this id.
  ///
  /// - Parameters:
  ///   - id: The id of the new item. In a folder with an `id-field` the fields must hold it.
  ///   - fields: The fields of the item, in the order in which they are written.
  ///   - format: The format of the file.
  ///   - path: The path of the file; by default the id with the format's extension.
  public mutating func insert(_ id: Item.ID, fields: Fields, format: TextFormat = .yaml, at path: RelativePath? = nil) {
    add(PendingChange(id: id, act: .insert(.fields(fields), format, path)))
  }

  /// Adds a new item with this text.
  ///
  /// - Parameters:
  ///   - id: The id of the new item. In a folder with an `id-field` the text must hold it.
  ///   - text: The complete text of the file.
  ///   - format: The format of the text.
  ///   - path: The path of the file; by default the id with the format's extension.
  public mutating func insert(_ id: Item.ID, text: [UInt8], format: TextFormat, at path: RelativePath? = nil) {
    add(PendingChange(id: id, act: .insert(.text(text), format, path)))
  }

  /// Adds edits of an item, after those that were added before.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - edits: The edits, in order. Without edits the save only checks that the item exists.
  ///   - revision: The reading of the item on which the edits are based; nil for the item as the
  ///     scope read it. If there are several for one item, the first counts.
  public mutating func update(_ id: Item.ID, _ edits: [TextEdit], readAt revision: ItemRevision? = nil) {
    if !change(id, { $0.edits += edits }) {
      add(PendingChange(id: id, act: .update, edits: edits, revision: revision ?? base?.state.items[id]?.revision))
    }
  }

  /// Replaces the complete text of an item's file, as a text editor does.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - text: The complete new text.
  ///   - revision: The reading of the item on which the text is based; nil for the item as the
  ///     scope read it.
  public mutating func replace(_ id: Item.ID, with text: [UInt8], readAt revision: ItemRevision? = nil) {
    let isChanged = change(id) { change in
      if case .insert(_, let format, let path) = change.act {
        change.act = .insert(.text(text), format, path)
      } else {
        change.act = .replace(text)
      }
      change.edits = []
    }
    if !isChanged { add(PendingChange(id: id, act: .replace(text), revision: revision ?? base?.state.items[id]?.revision)) }
  }

  /// Deletes an item with its file. An item that this scope inserts is simply not inserted.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - revision: The reading of the item on which the decision is based; nil for the item as the
  ///     scope read it.
  public mutating func delete(_ id: Item.ID, readAt revision: ItemRevision? = nil) {
    guard let place = places[id], let last = slots[place] else {
      add(PendingChange(id: id, act: .delete, revision: revision ?? base?.state.items[id]?.revision))
      return
    }
    if case .insert = last.act {
      slots[place] = nil
      // The insertion may follow a deletion of the same id.
      places[id] = slots[..<place].lastIndex { $0?.id == id }
    } else {
      slots[place]?.act = .delete
      slots[place]?.edits = []
    }
  }

  private mutating func add(_ change: PendingChange) {
    if places[change.id] != nil { repeatedIDs.insert(change.id) }
    places[change.id] = slots.count
    slots.append(change)
  }

  /// Changes the pending change of an item. Returns false if there is none, or if it is a deletion.
  private mutating func change(_ id: Item.ID, _ body: (inout PendingChange) -> Void) -> Bool {
    guard let place = places[id], var change = slots[place], change.act != .delete else { return false }
    body(&change)
    slots[place] = change
    return true
  }
}
