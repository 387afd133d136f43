import Foundation
import PlainStore

/// The examples in the documentation comments of `PlainStore` about models, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct PlainStoreModelExamples {
  struct Contact: PlainModel {
    var id: String
    var name: String
    var rating: Int
  }

  // Models/Link.swift
  func link(_ store: ItemStore) throws {
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

    let books = try store.list(of: Book.self).snapshot
    for book in books { print(book.title, books.resolve(book.author)?.name ?? "unknown") }

    let byAuthor = try store.list(of: Book.self, sort: "author.name", section: "author.name")
    let adas = try store.fetch(of: Book.self, where: "ANY reviewers.name = \("Ada")", sort: "author.name")
    _ = (byAuthor, adas)
  }

  // Models/PlainModel.swift
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

  // Models/PlainModel.swift
  func changes() {
    struct Contact: PlainModel {
      var id: String
      var email: String
      static let changes: [ModelChange] = [.renamed("mail", to: "email")]
    }
    _ = Contact.self
  }

  // Models/ModelChange.swift
  func modelChange() {
    struct Contact: PlainModel {
      var id: String
      var email: String  // was `mail`
      var rating: Int  // was a string of stars
      static let changes: [ModelChange] = [
        .renamed("mail", to: "email"),
        .converted("rating") { (stars: String) in stars.count },
      ]
    }
    _ = Contact.self
  }

  // Models/ModelChange.swift
  func renamedPart() {
    let change = ModelChange.renamed("address.zip", to: "postcode")  // now `address.postcode`
    print(change)
  }

  // Models/ModelChange.swift
  func convertedAndRenamed() {
    let changes: [ModelChange] = [
      .converted("height") { (metres: Double) in metres / 0.3048 },
      .renamed("height", to: "feet"),
    ]
    print(changes)
  }

  // Models/ModelChange.swift
  func convertedValue() {
    let change = ModelChange.converted("done") { value in
      switch value {
      case .string(let text): .bool(text == "yes")
      case .date: true
      default: nil
      }
    }
    print(change)
  }

  // Models/ItemStore+Migrating.swift
  func migrate(_ store: ItemStore) async throws {
    let report = try await store.migrate(Contact.self, in: "people/")
    for failure in report.failures { print(failure) }  // people/eve.yaml:3:9: …
    try await store.save(report.inverse)  // undo
  }

  // Models/EditScope+Models.swift
  func saveInScope(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    try scope.save(Contact(id: "ada", name: "Ada", rating: 9))
    try await store.save(scope)
  }

  // Models/EditScope+Models.swift
  func updateInScope(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    try scope.update("ada", as: Contact.self) { $0.rating += 1 }
    try await store.save(scope)
  }

  // Models/ItemStore+Models.swift
  func object(_ store: ItemStore) throws {
    if let ada = try store.object("ada", as: Contact.self) { print(ada.name) }
  }

  // Models/ItemStore+Models.swift
  func save(_ store: ItemStore, _ original: Contact) async throws {
    try await store.save(Contact(id: "ada", name: "Ada", rating: 9))
    var edited = original
    edited.name = "Ada King"
    try await store.save(edited, from: original)
  }

  // Models/ItemStore+Models.swift
  func update(_ store: ItemStore) async throws {
    try await store.update("ada", as: Contact.self) { $0.rating += 1 }
  }

  // Models/ItemStore+Models.swift
  func replace(_ store: ItemStore) async throws {
    try await store.replace(Contact(id: "ada", name: "Ada", rating: 9))
  }

  // Models/ItemStore+Models.swift
  func updateOutcome(_ store: ItemStore) async throws {
    let outcome = try await store.update("ada", as: Contact.self) { $0.rating += 1 }
    print(outcome.object.rating, outcome.result)
    try await store.save(outcome.inverse)  // undo
  }

  // Models/ItemStore+Models.swift
  func updateSeveral(_ store: ItemStore) async throws {
    try await store.update(["ada", "bob"], as: Contact.self) { $0.rating = 0 }
  }

  // Models/ItemStore+Models.swift
  func deleteSeveral(_ store: ItemStore) async throws {
    try await store.delete(["ada", "bob"])
  }

  // Models/ItemStore+Models.swift
  func updateWhere(_ store: ItemStore) async throws {
    try await store.update(of: Contact.self, in: "friends/", where: "rating < \(3)") { $0.rating += 1 }
  }

  // Models/ItemStore+Models.swift
  func deleteWhere(_ store: ItemStore) async throws {
    try await store.delete(of: Contact.self, where: "rating = \(0)")
  }

  // Models/ItemStore+Models.swift
  func upsert(_ store: ItemStore) async throws {
    struct User: PlainModel {
      var id: String
      var email: String
      var name: String
    }
    try await store.upsert(User(id: "u7", email: "ada@example.org", name: "Ada"), by: "email")
  }

  // Models/PlainModel.swift
  func willSave() {
    struct Note: PlainModel {
      var id: String
      var updatedAt: Date
      mutating func willSave() { updatedAt = .now }
    }
    _ = Note.self
  }

  // Models/ItemStore+Models.swift
  func insertMarkdown(_ store: ItemStore) async throws {
    try await store.insert(Contact(id: "bob", name: "Bob", rating: 3), format: .markdown)  // bob.md
  }

  // Models/LiveObject.swift
  func liveObject(_ store: ItemStore) {
    let ada = store.live("ada", as: Contact.self)
    print(ada.value?.name ?? "nobody")
  }

  // Models/ItemStore+ModelLists.swift
  func fetchOfType(_ store: ItemStore) throws {
    let friends = try store.fetch(of: Contact.self, where: "group = \("friends")", sort: "name")
    print(friends.map(\.name))
  }

  // Models/ItemStore+ModelLists.swift
  func lists(_ store: ItemStore) throws {
    let least = 3
    let best = try store.list(of: Contact.self, where: "rating >= \(least)", sort: "-rating", "name")
    let people = try store.list(of: Contact.self, in: "people/", sort: "name", search: "ada", limit: 20)
    let byLength = try store.list(
      of: Contact.self, sortedBy: \.name.count, sectionedBy: { $0.rating > 5 ? "top" : "rest" })
    _ = (best, people, byLength)
  }

  // Models/LiveList+Mapped.swift
  func mapToRows(_ store: ItemStore) throws {
    struct ContactRow: Equatable {
      let title: String
      init(_ contact: Contact) { title = contact.name.uppercased() }
    }
    let rows = try store.list(of: Contact.self).mapped { ContactRow($0) }
    for row in rows.snapshot { print(row.title) }
  }

  // Models/LiveList+Mapped.swift
  func mapWithLinks(_ store: ItemStore) throws {
    struct Note: PlainModel {
      var id: String
      var text: String
      var author: Link<Contact>?
    }
    let lines = try store.list(of: Note.self).mapped { note, resolve in
      "\(note.text) by \(resolve(note.author)?.name ?? "nobody")"
    }
    _ = lines
  }

  // Query/Request/FetchRequest+Objects.swift
  func sectionsByClosure(_ store: ItemStore) throws {
    let byFirstWord = SectionDescriptor(of: Contact.self, by: { String($0.name.prefix { $0 != " " }) })
    let byName = SectionDescriptor(of: Contact.self, by: \.name, titles: ["Ada": "Countess"])
    let list = try store.list(of: Contact.self, section: byName)
    _ = (byFirstWord, list)
  }

  // Query/Request/FetchRequest+Objects.swift
  func sortByKeyPath(_ store: ItemStore) throws {
    let longestFirst = ItemSortDescriptor(of: Contact.self, by: \.name.count, descending: true)
    let list = try store.list(of: Contact.self, sort: longestFirst, "name")
    _ = list
  }

  // Models/ListSnapshot+Models.swift
  func model(_ store: ItemStore) throws {
    let ada = try store.list(of: Contact.self).snapshot[id: "ada"]
    _ = ada
  }

  // Models/Typed/ValueDecoder.swift
  func decode(_ item: Item) throws {
    struct Color: Decodable { var name: String, hex: String }
    let color = try item.decode(Color.self)
    _ = color
  }
}
