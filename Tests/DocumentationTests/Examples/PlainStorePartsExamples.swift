import DiffableSnapshot
import Folder
import PlainStore
import Query
import Store
import Values
import Streams

@testable import Files

/// The examples in the documentation comments below `PlainStore` whose types are not a part of its interface,
/// copied line by line. They only have to compile.
struct PlainStorePartsExamples {
  // Store/Editing/ItemEditor.swift
  func itemEditor() throws {
    let editor = try ItemEditor(root: "contacts")
    var scope = EditScope()
    scope.update("friends/ada", [.set("rating", 9)])
    try editor.save(scope)
  }

  // Store/Lists/LiveList+Request.swift
  func changeForSubscriber(_ list: LiveList<Item>, _ subscription: ListSubscription) {
    let (earlier, snapshot) = list.change(for: subscription) { $0.search = "re" }
    print(earlier as Any, snapshot.count)
  }

  // Files/Threads/QueueExecutor.swift
  func saveOnQueue(_ store: ItemStore) {
    let executor = QueueExecutor("main")
    Task(executorPreference: executor) { try await store.delete("ada") }
  }

  // Folder/Settings/ViewDefinition.swift
  func view(_ settings: Settings) {
    let friends = settings.views["friends"] ?? ViewDefinition()
    var own = ViewDefinition()
    own.search = "ada"
    let request = friends.overridden(by: own).request
    _ = request
  }
}
