import Files
import Store

/// A store in a folder of its own, and the list that was fetched from it last.
struct SampleStore {
  let store: ItemStore
  let request: FetchRequest
  private(set) var snapshot: ListSnapshot<Item>

  init(_ files: [String: String], request: FetchRequest = FetchRequest()) async throws {
    store = try await ItemStore.temporary(files, watching: false)
    self.request = request
    snapshot = store.fetch(request)
  }

  /// Writes files, and returns the update of the list.
  mutating func seed(_ files: [String: String], origin: UpdateOrigin = .files) async throws
    -> ListUpdate<Item>
  {
    try await store.seed(files)
    let new = store.fetch(request)
    defer { snapshot = new }
    return ListUpdate<Item>(from: snapshot, to: new, touched: nil, origin: origin)
  }

  /// Deletes an item, and returns the update of the list.
  mutating func delete(_ id: Item.ID) async throws -> ListUpdate<Item> {
    _ = try await store.delete(id)
    let new = store.fetch(request)
    defer { snapshot = new }
    return ListUpdate<Item>(from: snapshot, to: new, touched: nil, origin: .files)
  }
}
