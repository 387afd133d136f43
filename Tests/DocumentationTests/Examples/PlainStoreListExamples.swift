import DiffableSnapshot
import Foundation
import PlainStore

/// The examples in the documentation comments of `PlainStore` about lists, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct PlainStoreListExamples {
  typealias Contact = PlainStoreModelExamples.Contact

  // Store/Lists/StoreTrace.swift
  func trace(_ store: ItemStore) {
    store.trace { print($0) }
  }

  // Store/Lists/Snapshot/ListSnapshot+Aggregates.swift
  func aggregates(_ store: ItemStore) throws {
    let list = try store.fetch()
    print(list.max("rating") ?? .null, list.average("rating") ?? .null, list.sum("price"))
  }

  // Store/Lists/Snapshot/ListSnapshot+Aggregates.swift
  func counts(_ store: ItemStore) throws {
    let counts = try store.fetch().counts(by: "group")
    print(counts["friends"] ?? 0)
    let tags = try store.fetch().counts(by: SectionDescriptor("tags", by: .element))
    _ = tags
  }

  // Store/Lists/Snapshot/ListSnapshot+Aggregates.swift
  func groups(_ store: ItemStore) throws {
    for group in try store.fetch().grouped(by: "group") { print(group.id, group.count) }
  }

  // Store/Lists/Hint.swift
  func hints(_ store: ItemStore) throws {
    let best = try store.list(sort: "-raiting")
    for hint in best.snapshot.hints { print(hint) }
  }

  // Query/Items/Item.ID.swift
  func ids() {
    let name = "50% off"
    let offers: [Item.ID] = ["friends/ada", "sale/\(name)", Item.ID(name)]
    _ = offers
  }

  // Query/Items/Item.ID.swift
  func idOfOwnType(_ store: ItemStore) async throws {
    struct ISBN: RawRepresentable, Hashable, Codable, Sendable, ItemIDConvertible { var rawValue: String }
    try await store.delete(ISBN(rawValue: "9780262033848"))
  }

  // Query/Items/PlainStoreError.swift
  func errors(_ store: ItemStore) async throws {
    do {
      try await store.update("ada", as: Contact.self) { $0.rating += 1 }
    } catch let error as any PlainStoreError {
      print(error.code, error.place?.description ?? "", error.message)
    }
  }

  // Query/Request/FetchRequest.swift
  func fetchRequest(_ store: ItemStore) throws {
    let todos = try store.list(in: "todos/")
    todos.change { request in
      request.sort = ["-rating", "name"]
      request.predicate = "done = \(false) AND due <= @today"
    }
  }

  // Query/Request/ItemSortDescriptor.swift
  func sortByClosure(_ store: ItemStore) throws {
    let byLength = ItemSortDescriptor(by: { .number(.integer($0.id.description.count)) })
    let list = try store.list(sort: byLength)
    _ = list
  }

  // Query/Request/SectionDescriptor.swift
  func sections() {
    let byKind: SectionDescriptor = "-kind"
    let byGroup = SectionDescriptor("group", order: ["friends"])
    let byLetter = SectionDescriptor("name", by: .firstLetter)
    let byTag = SectionDescriptor("tags", by: .element)
    let bySize = SectionDescriptor(by: { $0.id.description.count > 9 ? "long" : "short" })
    _ = (byKind, byGroup, byLetter, byTag, bySize)
  }

  // Store/Lists/Changes/ListChange.swift
  func changesOfList(_ contacts: LiveList<Contact>) async {
    for await update in contacts.updates { for change in update.changes { print(change) } }
  }

  // Store/Lists/Changes/ListChange.swift
  func updatesForDataSource(_ contacts: LiveList<Contact>) async {
    for await update in contacts.updates {
      let list = update.diffableSnapshot
      print(list.itemIdentifiers, list.reconfiguredItemIdentifiers)
    }
  }

  // Store/Lists/FieldChanges.swift
  func changesOfItem(_ old: Item, _ new: Item) {
    let changes = old.changes(to: new)
    print(changes.pointers)  // ["/rating"]
  }

  // Store/Lists/LiveList+Request.swift
  func changeRequest(_ list: LiveList<Item>) {
    list.change {
      $0.sort = ["-rating"]
      $0.limit = 10
    }
  }

  // Store/Lists/LiveList+Request.swift
  func setParts(_ list: LiveList<Contact>) {
    list.search = "lon"  // at each key: a longer text tests only what is shown, a shorter one the rest
    list.sort = ["-rating"]
    list.limit = 20
  }

  // Store/Lists/Sequences/LiveList+Sequences.swift
  func updates(_ store: ItemStore, _ dataSource: (apply: (Snapshot<SectionID, Item.ID>) -> Void, Void))
    async throws
  {
    let contacts = try store.list(of: Contact.self, sort: "name")
    for await update in contacts.updates { dataSource.apply(update.diffableSnapshot) }
  }

  // Store/Lists/Changes/ListUpdate+Applying.swift
  func applyToElements(_ contacts: LiveList<Contact>) async {
    var rows: [Contact] = []
    for await update in contacts.updates { update.apply(to: &rows) }
  }

  // Store/Lists/Changes/ListUpdate+Applying.swift
  func applyToSections(_ store: ItemStore) async throws {
    var sections: [[Contact]] = []
    for await update in try store.list(of: Contact.self, section: "group").updates {
      update.apply(to: &sections)
      print(update.new.sections.map(\.id), sections.map(\.count))
    }
  }

  // Store/Lists/ListUpdate.swift
  func update(_ store: ItemStore) async throws {
    var rows: [Contact] = []
    for await update in try store.list(of: Contact.self).updates {
      for change in update.changes { print(change) }
      update.apply(to: &rows)
    }
  }

  // Store/Lists/ListSnapshot.swift
  func snapshot(_ store: ItemStore) throws {
    let contacts = try store.list(of: Contact.self, sort: "name").snapshot
    for contact in contacts { print(contact.name) }
    print(contacts[id: "ada"]?.rating ?? 0, contacts.place(of: "ada")?.description ?? "")
  }

  // Store/Lists/Sequences/LiveList+Sequences.swift
  func updatesAfter(_ contacts: LiveList<Contact>) async {
    let shown = contacts.snapshot
    for await update in contacts.updates(after: shown) { print(update.changes) }
  }

  // Store/Lists/Sequences/LiveList+Sequences.swift
  func updatesOfItem(_ contacts: LiveList<Contact>) async {
    for await ada in contacts.updates(of: "friends/ada") { print(ada?.rating ?? 0) }
  }

  // Models/JointUpdates.swift
  func jointUpdates(_ store: ItemStore) async throws {
    let open = try store.list(where: "done = \(false)")
    let done = try store.list(where: "done = \(true)")
    for await joint in store.updates(of: open, done) {
      let (opened, finished) = joint.updates
      print(opened?.new.count ?? 0, finished?.new.count ?? 0)
    }
  }

  // Store/Lists/LiveList.swift
  func search(_ store: ItemStore) throws {
    let best = try store.list(of: Contact.self, sort: "-rating")
    Task {
      for await update in best.updates { print(update.new.count, update.changes) }
    }
    best.search = "re"  // the next update, of origin `view`
  }

  // Query/Request/SearchQuery.swift
  func query(_ list: LiveList<Item>) throws {
    list.query = try SearchQuery("tags:garden -done:true")
  }

  // Query/Request/SearchHighlighter.swift
  func highlight() {
    let highlighter = SearchHighlighter(FetchRequest(search: "ada lov"))
    let ranges = highlighter.ranges(in: "Ada Lovelace", of: "name")  // "Ada", "Lov"
    print(ranges.count)
  }

  // Store/Lists/Snapshot/ListSnapshot+Collection.swift
  func place() {
    let place = ListPlace(section: 1, item: 0)
    print(place)  // [1, 0]
  }

  // Store/Lists/Snapshot/ListSection.swift
  func sectionsOfList(_ contacts: LiveList<Contact>) {
    for section in contacts.snapshot.sections {
      print(section.title ?? section.id.description, section.count)
      for contact in section { print(contact.id) }
    }
  }

  // Store/Lists/Snapshot/ListSnapshot+Collection.swift
  func firstElement(_ contacts: LiveList<Contact>) {
    let first = contacts.snapshot[ListPlace(section: 0, item: 0)]
    _ = first
  }

  // Store/Lists/Snapshot/ListSnapshot+Collection.swift
  func section(_ store: ItemStore) throws {
    let friends = try store.list(of: Contact.self, section: "group").snapshot[section: "friends"]
    _ = friends
  }

  // Store/Store/ItemStore+Lists.swift
  func sumOfFetched(_ store: ItemStore) throws {
    let hours = try store.fetch(in: "todos/", where: "done = \(false)").sum("hours")
    _ = hours
  }

  // Store/Store/ItemStore+Lists.swift
  func count(_ store: ItemStore) throws {
    print(try store.count(in: "todos/", where: "done = \(false)"))
  }

  // Store/Store/ItemStore+Lists.swift
  func listOfItems(_ store: ItemStore) throws {
    let open = try store.list(in: "todos/", where: "done = \(false)", sort: "due")
    _ = open
  }

  // Store/Store/ItemStore+Opening.swift
  func open() async throws {
    let store = try await ItemStore.open("contacts")
    print(try store.count())
  }

  // Store/Store/ItemStore+Opening.swift
  func temporary() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\n"])
    print(try store.count())  // 1
  }

  // Store/Store/ItemStore+Opening.swift
  func seed(_ store: ItemStore) async throws {
    try await store.seed(["ada.yaml": "name: Ada\n", "bob.md": "Bob is here.\n"])
  }

  // Store/Store/ItemStore+Settling.swift
  func settle(_ store: ItemStore, _ results: LiveList<Item>) async throws {
    try "name: Ada".write(toFile: "contacts/ada.yaml", atomically: true, encoding: .utf8)
    await store.settled()
    print(results.snapshot.count)  // 1
  }

  // Store/Store/ItemStore.swift
  func store() async throws {
    let store = try await ItemStore.open("contacts")
    let friends = try store.list(in: "friends/", sort: "name")
    for await update in friends.updates { print(update) }
  }
}
