import PlainStore

/// The examples in the documentation comments of `PlainStore` about models, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct PlainStoreModelExamples {
  struct Contact: PlainModel {
    var id: String
    var name: String
    var rating: Int
  }

  // PlainStore/Links/Link.swift
  func link(_ store: ItemStore) {
    struct Author: PlainModel {
      var id: String
      var name: String
    }

    struct Book: PlainModel {
      var id: String
      var title: String
      var author: Link<Author>?  // author: people/ada
      var reviewers: [Link<Author>] = []
    }

    let books = store.results(of: Book.self).snapshot
    for book in books { print(book.title, books.resolve(book.author)?.name ?? "unknown") }
  }

  // PlainStore/Models/PlainModel.swift
  func plainModel() {
    struct Contact: PlainModel {
      var id: String  // friends/ada.yaml is "friends/ada"
      var name: String
      var rating: Int
      var note: String?
      static let defaults: Fields = ["rating": 0]  // for files without the field
    }
    _ = Contact.self
  }

  // PlainStore/Models/EditScope+Models.swift
  func saveInScope(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    try scope.save(Contact(id: "ada", name: "Ada", rating: 9))
    try await store.save(scope)
  }

  // PlainStore/Models/EditScope+Models.swift
  func updateInScope(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    try scope.update("ada", as: Contact.self) { $0.rating += 1 }
    try await store.save(scope)
  }

  // PlainStore/Models/ItemStore+Models.swift
  func object(_ store: ItemStore) throws {
    if let ada = try store.object("ada", as: Contact.self) { print(ada.name) }
  }

  // PlainStore/Models/ItemStore+Models.swift
  func save(_ store: ItemStore) async throws {
    try await store.save(Contact(id: "ada", name: "Ada", rating: 9))
  }

  // PlainStore/Models/ItemStore+Models.swift
  func update(_ store: ItemStore) async throws {
    try await store.update("ada", as: Contact.self) { $0.rating += 1 }
  }

  // PlainStore/Models/ItemStore+Models.swift
  func replace(_ store: ItemStore) async throws {
    try await store.replace(Contact(id: "ada", name: "Ada", rating: 9))
  }

  // PlainStore/Models/UpdateOutcome.swift
  func updateOutcome(_ store: ItemStore) async throws {
    let outcome = try await store.update("ada", as: Contact.self) { $0.rating += 1 }
    print(outcome.object.rating, outcome.result)
    try await store.save(outcome.inverse)  // undo
  }

  // PlainStore/Models/ItemStore+Models.swift
  func updateSeveral(_ store: ItemStore) async throws {
    try await store.update(["ada", "bob"], as: Contact.self) { $0.rating = 0 }
  }

  // PlainStore/Models/ItemStore+Models.swift
  func deleteSeveral(_ store: ItemStore) async throws {
    try await store.delete(["ada", "bob"])
  }

  // PlainStore/Models/ItemStore+Models.swift
  func insertMarkdown(_ store: ItemStore) async throws {
    try await store.insert(Contact(id: "bob", name: "Bob", rating: 3), format: .markdown)  // bob.md
  }

  // PlainStore/Observation/LiveObject.swift
  func liveObject() {
    @MainActor func show(_ store: ItemStore) {
      let ada = store.live("ada", as: Contact.self)
      print(ada.value?.name ?? "nobody")
    }
    _ = show
  }

  // PlainStore/Observation/LiveResults.swift
  func settledResults() {
    @MainActor func test(_ store: ItemStore) async throws {
      let contacts = store.results(of: Contact.self).live()
      try await store.update("ada", as: Contact.self) { $0.rating = 9 }
      await contacts.settled()
      print(contacts[id: "ada"]?.rating ?? 0)  // 9
    }
    _ = test
  }

  // PlainStore/Observation/LiveResults.swift
  func liveResults() {
    @MainActor final class ContactScreen {
      let contacts: LiveResults<Contact>

      init(_ store: ItemStore) {
        contacts = store.results(of: Contact.self).live()
      }

      var rows: [String] { contacts.map(\.name) }

      func search(_ text: String) { contacts.search = text }
    }
    _ = ContactScreen.self
  }

  // PlainStore/Store/ItemStore+Fetching.swift
  func fetchOfType(_ store: ItemStore) throws {
    let friends = try store.fetch(of: Contact.self, where: "group = \("friends")", sort: "name")
    print(friends.map(\.name))
  }

  // PlainStore/Store/ItemStore+Lists.swift
  func lists(_ store: ItemStore) throws {
    let least = 3
    let best = try store.list(of: Contact.self, where: "rating >= \(least)", sort: "-rating", "name")
    let people = try store.list(of: Contact.self, in: "people/", sort: "name", search: "ada", limit: 20)
    let byLength = try store.list(
      of: Contact.self, sortedBy: \.name.count, sectionedBy: { $0.rating > 5 ? "top" : "rest" })
    _ = (best, people, byLength)
  }

  // PlainStore/Store/ItemStore+Results.swift
  func resultsOfType(_ store: ItemStore) async {
    struct Color: Decodable, Identifiable, Equatable {
      var id: String { name }
      var name: String
      var hex: String
    }
    let colors = store.results(of: Color.self, FetchRequest(sort: ["name"]))
    for await update in colors.updates { print(update.new.fetchedObjects.map(\.hex)) }
  }

  // PlainStore/Typed/Results/TypedResults+Map.swift
  func mapToRows(_ store: ItemStore) {
    struct ContactRow: Equatable {
      let title: String
      init(_ contact: Contact) { title = contact.name.uppercased() }
    }
    let rows = store.results(of: Contact.self).map { ContactRow($0) }
    for row in rows.snapshot { print(row.title) }
  }

  // PlainStore/Typed/Results/TypedResults+Map.swift
  func mapWithLinks(_ store: ItemStore) {
    struct Note: PlainModel {
      var id: String
      var text: String
      var author: Link<Contact>?
    }
    let lines = store.results(of: Note.self).map { note, resolve in
      "\(note.text) by \(resolve(note.author)?.name ?? "nobody")"
    }
    _ = lines
  }

  // PlainStore/Typed/Results/TypedResults+Map.swift
  func mapItems(_ store: ItemStore) {
    let names = store.results().map { $0.value(at: "name")?.text ?? "" }
    for name in names.snapshot { print(name) }
  }

  // PlainStore/Request/FetchRequest+Objects.swift
  func sectionsByClosure(_ store: ItemStore) throws {
    let byFirstWord = SectionDescriptor(of: Contact.self, by: { String($0.name.prefix { $0 != " " }) })
    let byName = SectionDescriptor(of: Contact.self, by: \.name, titles: ["Ada": "Countess"])
    let list = try store.list(of: Contact.self, section: byName)
    _ = (byFirstWord, list)
  }

  // PlainStore/Request/FetchRequest+Objects.swift
  func sortByKeyPath(_ store: ItemStore) throws {
    let longestFirst = ItemSortDescriptor(of: Contact.self, by: \.name.count, descending: true)
    let list = try store.list(of: Contact.self, sort: longestFirst, "name")
    _ = list
  }

  // PlainStore/Aggregates/TypedSnapshot+Aggregates.swift
  func typedCounts(_ store: ItemStore) {
    let counts = store.results(of: Contact.self).snapshot.counts(by: "rating")
    print(counts["9"] ?? 0)
  }

  // PlainStore/Aggregates/TypedSnapshot+Aggregates.swift
  func typedGroups(_ store: ItemStore) {
    for group in store.results(of: Contact.self).snapshot.grouped(by: "rating") {
      print(group.id, group.map(\.name))
    }
  }

  // PlainStore/Typed/Results/TypedSnapshot+Models.swift
  func typedItem(_ store: ItemStore) {
    let ada = store.results(of: Contact.self).snapshot[id: "ada"]
    _ = ada
  }

  // PlainStore/Typed/Results/TypedResults.swift
  func typedResults(_ store: ItemStore) {
    let contacts = store.results(of: Contact.self)
    for contact in contacts.snapshot { print(contact.name) }
  }

  // PlainStore/Typed/Results/TypedResults.swift
  func typedUpdates(_ store: ItemStore) async {
    for await update in store.results(of: Contact.self).updates { print(update) }
  }

  // PlainStore/Typed/Results/TypedResults.swift
  func typedChanges(_ store: ItemStore) async {
    for await change in store.results(of: Contact.self).changes { print(change) }
  }

  // PlainStore/Typed/Results/TypedResults.swift
  func typedUpdatesAfter(_ store: ItemStore) async {
    let contacts = store.results(of: Contact.self)
    let shown = contacts.snapshot
    for await update in contacts.updates(after: shown) { print(update.changes) }
  }

  // PlainStore/Typed/Results/TypedSnapshot.swift
  func typedSnapshot(_ store: ItemStore) {
    let contacts = store.results(of: Contact.self).snapshot
    for contact in contacts { print(contact.name) }
    let ada = contacts[id: "ada"]
    let first = contacts[0, 0]
    _ = (ada, first)
  }

  // PlainStore/Typed/Results/TypedUpdate.swift
  func typedUpdate(_ store: ItemStore) async {
    var rows: [Contact] = []
    for await update in store.results(of: Contact.self).updates {
      update.apply(to: &rows)
      print(update.diffableSnapshot.reconfiguredItemIdentifiers)
    }
  }

  // PlainStore/Typed/Results/TypedUpdate.swift
  func applyToSections(_ store: ItemStore) async throws {
    var sections: [[Contact]] = []
    for await update in try store.list(of: Contact.self, section: SectionDescriptor("group")).updates {
      update.apply(to: &sections)
      print(update.new.sections.map(\.id), sections.map(\.count))
    }
  }

  // PlainStore/Typed/ValueDecoder.swift
  func decode(_ item: Item) throws {
    struct Color: Decodable { var name: String, hex: String }
    let color = try item.decode(Color.self)
    _ = color
  }
}
