public import DirectoryWatch
import HashTreeCollections
public import PlainText

/// A scratch pad of changes to items, none of which is written before it is saved: what a managed object context is to Core Data.
///
/// ```swift
/// var scope = store.makeEditScope()
/// scope.update("ada", [.set("rating", 9)])
/// scope.insert("bob", fields: ["name": "Bob"])
/// let report = try await store.save(scope)
/// ```
///
/// A value: a copy is another scratch pad, so that one can be handed to a task, kept for another try, or thrown away, and nothing has to be locked.
/// Several changes to one item become one. Saving does not empty it; whoever goes on with it sets a new one in its place.
public struct EditScope: Sendable {
  /// In the order in which they were asked for; nil in the place of one that came to nothing.
  private var slots: [PendingChange?] = []
  /// Where the last change to each item is.
  private var places: [Item.ID: Int] = [:]
  /// What the store held when the scope was made: each item changes from what it was then.
  private let known: TreeDictionary<Item.ID, Item>

  /// A scope that has read nothing: what is changed without a revision is changed whatever the file holds when it is saved.
  public init() {
    known = [:]
  }

  init(reading items: TreeDictionary<Item.ID, Item>) {
    known = items
  }

  var changes: [PendingChange] { slots.compactMap { $0 } }

  /// Whether there is anything to save.
  public var hasChanges: Bool { !places.isEmpty }

  /// The items that it would change, in the order in which that was asked for.
  public var changedIDs: [Item.ID] { changes.map(\.id) }

  /// Forgets all changes.
  public mutating func rollback() {
    slots = []
    places = [:]
  }

  /// A new item. That there is none of this id yet is looked at when it is saved.
  ///
  /// - Parameter path: where its file goes; by default the id with the format's extension. In a data set with an `id-field` the fields have to hold the id.
  public mutating func insert(_ id: Item.ID, fields: Fields, format: TextFormat = .yaml, at path: RelativePath? = nil) {
    add(PendingChange(id: id, act: .insert(.fields(fields), format, path)))
  }

  /// A new item with this text, which has to be one of the format.
  public mutating func insert(_ id: Item.ID, text: [UInt8], format: TextFormat, at path: RelativePath? = nil) {
    add(PendingChange(id: id, act: .insert(.text(text), format, path)))
  }

  /// Changes to an item, behind those that were asked for before.
  ///
  /// - Parameter revision: what the item was like when these changes were thought of; nil: as the scope read it. Of several, the first counts.
  public mutating func update(_ id: Item.ID, _ edits: [TextEdit], readAt revision: ItemRevision? = nil) {
    if edits.isEmpty { return }
    if !change(id, { $0.edits += edits }) {
      add(PendingChange(id: id, act: .update, edits: edits, revision: revision ?? known[id]?.revision))
    }
  }

  /// Another text for the whole file of an item, as an editor saves it.
  public mutating func replace(_ id: Item.ID, with text: [UInt8], readAt revision: ItemRevision? = nil) {
    let isChanged = change(id) { change in
      if case .insert(_, let format, let path) = change.act {
        change.act = .insert(.text(text), format, path)
      } else {
        change.act = .replace(text)
      }
      change.edits = []
    }
    if !isChanged { add(PendingChange(id: id, act: .replace(text), revision: revision ?? known[id]?.revision)) }
  }

  /// The item's file goes. One that the scope itself was to insert is just not inserted.
  public mutating func delete(_ id: Item.ID, readAt revision: ItemRevision? = nil) {
    guard let place = places[id], let last = slots[place] else {
      add(PendingChange(id: id, act: .delete, revision: revision ?? known[id]?.revision))
      return
    }
    if case .insert = last.act {
      slots[place] = nil
      // There may be one behind which it was to come.
      places[id] = slots[..<place].lastIndex { $0?.id == id }
    } else {
      slots[place]?.act = .delete
      slots[place]?.edits = []
    }
  }

  private mutating func add(_ change: PendingChange) {
    places[change.id] = slots.count
    slots.append(change)
  }

  /// Whether there was a change to the item to be changed. What is to be deleted is not changed any more.
  private mutating func change(_ id: Item.ID, _ body: (inout PendingChange) -> Void) -> Bool {
    guard let place = places[id], var change = slots[place], change.act != .delete else { return false }
    body(&change)
    slots[place] = change
    return true
  }
}
