import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

@testable import Query

/// Files that have an older form of their type: reading and saving them.
struct ModelChangeTests {
  struct Contact: PlainModel {
    struct Address: Codable, Equatable { var postcode: String? }
    struct Phone: Codable, Equatable { var number: String }
    struct BadStars: Error {}

    var id: String
    var name: String
    var email: String?
    var stars: Int
    var feet: Double?
    var address: Address?
    var phones: [Phone]
    static let defaults: Fields = ["stars": 0, "phones": []]
    static let changes: [ModelChange] = [
      .renamed("mail", to: "email"),
      .renamed("rating", to: "stars"),
      .converted("stars") { (text: String) in
        guard text.allSatisfy({ $0 == "*" }) else { throw BadStars() }
        return text.count
      },
      .converted("height") { (metres: Double) in metres * 3 },
      .renamed("height", to: "feet"),
      .renamed("address.zip", to: "postcode"),
      .renamed("phones.nr", to: "number"),
    ]
  }

  static let old = """
    # Ada
    mail: ada@x  # work
    rating: '***'  # of five
    name: Ada
    height: 2
    address: {zip: '1', floor: 3}
    phones:
      - nr: '7'  # mobile
        mark: a
    extra: 1

    """

  static let new = """
    # Ada
    email: ada@x  # work
    stars: 3  # of five
    name: Ada
    feet: 6.0
    address: {postcode: '1', floor: 3}
    phones:
      - number: '7'  # mobile
        mark: a
    extra: 1

    """

  static let ada = Contact(
    id: "ada", name: "Ada", email: "ada@x", stars: 3, feet: 6, address: Contact.Address(postcode: "1"),
    phones: [Contact.Phone(number: "7")])

  private static func item(_ text: String) throws -> Item {
    Item(
      id: "ada", path: "ada.yaml", stamp: .none, fields: try PackedValue(reading: Array(text.utf8), as: .yaml)
    )
  }

  private static func edits(of text: String, _ changes: ModelChange...) throws -> MigrationEdits {
    ModelMigration(changes).edits(of: try item(text))
  }

  @Test func `an older file is read as it is`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": Self.old])
    #expect(try store.object("ada", as: Contact.self) == Self.ada)
    #expect(store.item("ada")?.value(at: "mail") == "ada@x")
  }

  @Test func `a save of a change also writes the new form, and nothing else`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": Self.old])
    let store = try await ItemStore.open(folder.path, watching: false)
    let outcome = try await store.update("ada", as: Contact.self) { $0.name = "Ada King" }
    #expect(try folder.text(of: "ada.yaml") == Self.new.replacing("name: Ada\n", with: "name: Ada King\n"))
    #expect(outcome.object.email == "ada@x")
    try await store.save(outcome.inverse)
    #expect(try folder.text(of: "ada.yaml") == Self.old)
  }

  @Test func `a changed value is written under the new name`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": Self.old])
    let store = try await ItemStore.open(folder.path, watching: false)
    var edited = Self.ada
    edited.email = "ada@y"
    edited.stars = 4
    edited.phones[0].number = "8"
    try await store.save(edited, from: Self.ada)
    #expect(
      try folder.text(of: "ada.yaml")
        == Self.new.replacing("ada@x", with: "ada@y").replacing("stars: 3", with: "stars: 4")
        .replacing("number: '7'", with: "number: '8'"))
  }

  @Test func `saving an unchanged object writes nothing`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": Self.old])
    let store = try await ItemStore.open(folder.path, watching: false)
    #expect(try await store.save(Self.ada, from: Self.ada).result == .unchanged)
    #expect(try await store.save(Self.ada).result == .unchanged)
    #expect(try await store.replace(Self.ada).result == .unchanged)
    #expect(try await store.update("ada", as: Contact.self) { _ in }.result == .unchanged)
    #expect(try folder.text(of: "ada.yaml") == Self.old)
  }

  @Test func `a new file has the new form`() async throws {
    let folder = try TemporaryFolder()
    let store = try await ItemStore.open(folder.path, watching: false)
    try await store.insert(Contact(id: "bob", name: "Bob", email: "bob@x", stars: 2, phones: []))
    #expect(try folder.text(of: "bob.yaml") == "name: Bob\nemail: bob@x\nstars: 2\nphones: []\n")
  }

  @Test func `each call that saves finds an older file`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": Self.old])
    let store = try await ItemStore.open(folder.path, watching: false)
    var other = Self.ada
    other.name = "Ada King"
    await #expect(throws: EditError.self) { try await store.save(other) }
    #expect(try folder.text(of: "ada.yaml") == Self.old)
    let named = Self.new.replacing("name: Ada\n", with: "name: Ada King\n")
    for number in 0..<5 {
      let report: SaveReport
      switch number {
      case 0: report = SaveReport(outcomes: [try await store.replace(other).outcome])
      case 1: report = try await store.save([other], policy: .mergeByPropertyObjectTrump)
      case 2: report = SaveReport(outcomes: [try await store.upsert(other, by: "email").outcome])
      case 3:
        report = try await store.update(of: Contact.self, where: "email = \("ada@x")") {
          $0.name = "Ada King"
        }
      default:
        var draft = store.makeEditScope()
        try draft.update("ada", as: Contact.self) { $0.name = "Ada" }
        try draft.update("ada", as: Contact.self) { $0.name = "Ada King" }
        #expect(try draft.object("ada", as: Contact.self) == other)
        report = try await store.save(draft)
      }
      #expect(try folder.text(of: "ada.yaml") == named, "\(number)")
      try await store.save(report.inverse)
      #expect(try folder.text(of: "ada.yaml") == Self.old, "\(number)")
    }
    try await store.delete(of: Contact.self, where: "stars = \(3)")
    #expect(store.item("ada") == nil)
  }

  @Test func `of two names the new one counts, and the older one stays as it is`() async throws {
    let text = "mail: old  # mine\nemail: new\nname: Ada\n"
    let folder = try TemporaryFolder(["ada.yaml": text])
    let store = try await ItemStore.open(folder.path, watching: false)
    #expect(try store.object("ada", as: Contact.self)?.email == "new")
    try await store.update("ada", as: Contact.self) { $0.email = "newest" }
    #expect(try folder.text(of: "ada.yaml") == "mail: old  # mine\nemail: newest\nname: Ada\n")
    // Without the new name, the older one would be read again.
    try await store.update("ada", as: Contact.self) { $0.email = nil }
    #expect(try store.object("ada", as: Contact.self)?.email == nil)
    #expect(store.item("ada")?.value(at: "email") == .null)
    #expect(store.item("ada")?.value(at: "mail") == "old")
  }

  @Test func `a chain of names leads to the newest that the file has`() throws {
    let changes: [ModelChange] = [
      .renamed("a", to: "b"), .converted("b") { (text: String) in text.count }, .renamed("b", to: "c"),
    ]
    func edits(_ text: String) throws -> [TextEdit] {
      ModelMigration(changes).edits(of: try Self.item(text)).edits
    }
    #expect(try edits("a: xx\n") == [.rename("a", to: "b"), .rename("b", to: "c"), .set("c", 2)])
    #expect(try edits("b: xx\n") == [.rename("b", to: "c"), .set("c", 2)])
    #expect(try edits("c: xx\n").isEmpty)
    #expect(try edits("a: xx\nc: 1\n").isEmpty)
    #expect(try edits("a: x\nb: xx\n") == [.rename("b", to: "c"), .set("c", 2)])
  }

  @Test func `several older names can lead to one field`() throws {
    let changes: [ModelChange] = [.renamed("mail", to: "email"), .renamed("e-mail", to: "email")]
    #expect(
      try Self.edits(of: "e-mail: x\n", changes[0], changes[1]).edits == [.rename("e-mail", to: "email")])
    #expect(
      try Self.edits(of: "e-mail: x\nmail: y\n", changes[0], changes[1]).edits == [
        .rename("mail", to: "email")
      ]
    )
  }

  @Test func `a field of a converted map can be renamed`() throws {
    let edits = try Self.edits(
      of: "size: 3x4\n",
      .converted("size") { (text: String) in
        let parts = text.split(separator: "x").compactMap { Int($0) }
        return ["w": parts[0], "h": parts[1]]
      }, .renamed("size.w", to: "width"), .renamed("size.h", to: "height"))
    #expect(edits.applied(to: ["size": "3x4"]) == ["size": ["height": 4, "width": 3]])
    #expect(edits.edits.count == 1)
  }

  @Test func `a value that only looks different is not converted`() throws {
    #expect(try Self.edits(of: "a: 8\n", .converted("a") { (number: Double) in number }).edits.isEmpty)
    #expect(try Self.edits(of: "a:\n", .converted("a") { _ in 1 }).edits.isEmpty)
  }

  @Test func `a value that cannot be converted is a problem at its line, and changes nothing`() async throws {
    let text = "name: Ada\nrating: '**x'\nmail: ada@x\n"
    let folder = try TemporaryFolder(["ada.yaml": text])
    let store = try await ItemStore.open(folder.path, watching: false)
    let error = #expect(throws: Problem.self) { try store.object("ada", as: Contact.self) }
    #expect(error?.description == "ada.yaml:2:9: rating: This value cannot be converted: BadStars()")
    let list = try store.list(of: Contact.self, where: "email = \("ada@x")")
    #expect(list.snapshot.isEmpty)
    #expect(list.snapshot.problems.map(\.line) == [2])
    await #expect(throws: EditError.self) {
      try await store.update("ada", as: Contact.self) { $0.name = "A" }
    }
    #expect(try folder.text(of: "ada.yaml") == text)
  }

  @Test func `a value of the wrong type has the name and the line that it has in the file`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\nphones:\n  - nr: 7\nmail: [x]\n"])
    let error = #expect(throws: Problem.self) { try store.object("ada", as: Contact.self) }
    #expect(error?.line == 4)
    #expect(error?.message.hasPrefix("mail: ") == true)
  }

  private struct Double1: PlainModel {
    var id: String
    var size: Int
    static let changes: [ModelChange] = [.converted("size") { (size: Int) in size * 2 }]
  }

  @Test func `a closure that converts its own result is a problem`() async throws {
    let store = try await ItemStore.temporary(["a.yaml": "size: 2\n"])
    let error = #expect(throws: Problem.self) { try store.object("a", as: Double1.self) }
    #expect(error?.message.contains("converts its own result again") == true)
    await #expect(throws: EditError.self) { try await store.insert(Double1(id: "b", size: 1)) }
    #expect(store.item("b") == nil)
  }

  private struct Price: PlainModel {
    var id: String
    var price: Int
    static let changes: [ModelChange] = [
      .converted("price") { (cents: Int) in cents >= 100 ? cents / 100 : nil }
    ]
  }

  @Test func `a new value that would be converted is not written`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "price: 200\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    #expect(try store.object("a", as: Price.self)?.price == 2)
    let error = await #expect(throws: EditError.self) {
      try await store.update("a", as: Price.self) { $0.price = 300 }
    }
    #expect(error?.message == "`changes` of `Price` would convert the new value of `price`.")
    #expect(try folder.text(of: "a.yaml") == "price: 200\n")
  }

  // MARK: Names

  private struct Wrong<Mark>: PlainModel {
    enum CodingKeys: String, CodingKey { case id, email }
    var id: String
    var email: String
    static var changes: [ModelChange] { WrongChanges.of(Mark.self) }
  }

  private enum WrongChanges {
    static func of(_ mark: Any.Type) -> [ModelChange] {
      switch mark {
      case is Int.Type: [.renamed("mail", to: "emial")]
      case is String.Type: [.renamed("email", to: "mail")]
      case is Bool.Type: [.converted("emails[0]") { _ in nil }]
      default: [.renamed("mail", to: "address"), .renamed("address", to: "email")]
      }
    }
  }

  private static func mistake(_ body: () throws -> some Any) -> String? {
    do { _ = try body() } catch { return (error as? StoreError)?.message }
    return nil
  }

  @Test func `a change of a field that the type does not have is an error`() async throws {
    let store = try await ItemStore.temporary()
    #expect(
      Self.mistake { try store.list(of: Wrong<Int>.self) }?.hasSuffix(
        "names `emial`, which is not a field of the type. Did you mean `email`?") == true)
    #expect(
      Self.mistake { try store.fetch(of: Wrong<String>.self) }?.hasSuffix(
        "still has the field `email`, so `changes` cannot rename it to `mail`.") == true)
    #expect(
      Self.mistake { try store.count(of: Wrong<Bool>.self) }?.hasSuffix(
        "names `emails[0]`. Its paths consist of keys.") == true)
    await #expect(throws: StoreError.self) { try await store.migrate(Wrong<Int>.self) }
    #expect(try store.list(of: Wrong<Double>.self).snapshot.isEmpty)
  }

  @Test func `an older name is refused with the new one`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": Self.old])
    #expect(
      Self.mistake { try store.list(of: Contact.self, where: "mail = \("x")") }
        == "`Contact` has no field `mail`. `mail` is now `email`.")
    #expect(
      Self.mistake { try store.list(of: Contact.self, sort: "height") }
        == "`Contact` has no field `height`. `height` is now `feet`.")
  }

  // MARK: Lists

  @Test func `a list sees older files as the type is now`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": Self.old, "bob.yaml": "name: Bob\nemail: bob@x\nstars: 1\n",
      "eve.yaml": "name: Eve\nmail: a@x\nrating: '*****'\nphones: [{nr: '7'}]\n",
    ])
    let list = try store.list(of: Contact.self, sort: "email")
    #expect(list.snapshot.map(\.id) == ["eve", "ada", "bob"])
    #expect(list.snapshot.sum("stars") == 9)
    #expect(list.snapshot.hints.isEmpty)
    list.sort = ["-stars"]
    #expect(list.snapshot.map(\.id) == ["eve", "ada", "bob"])
    list.section = "stars"
    #expect(list.snapshot.sections.map(\.id) == ["1", "3", "5"])
    list.section = nil
    list.search = "a@x"
    #expect(list.snapshot.map(\.id) == ["eve", "ada"])
    list.change { $0.searchFields = ["email"] }
    #expect(list.snapshot.map(\.id) == ["eve", "ada"])
    let sevens = try store.list(of: Contact.self, where: "ANY phones.number = '7'", sort: "name")
    #expect(sevens.snapshot.map(\.id) == ["ada", "eve"])
    #expect(try store.fetch(of: Contact.self, where: "feet > 5").map(\.id) == ["ada"])
    #expect(try store.fetch(of: Contact.self, where: "address.postcode = '1'").map(\.id) == ["ada"])
    #expect(try store.count(of: Contact.self, where: "email = name") == 0)
    #expect(try store.fetch(where: "mail = 'a@x'").map(\.id) == ["eve"])
  }

  @Test func `a list with a changed file follows it`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\nmail: a\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    let list = try store.list(of: Contact.self, where: "email = 'b'")
    #expect(list.snapshot.isEmpty)
    try folder.write("name: Ada\nmail: b\n", to: "ada.yaml")
    await store.refresh()
    #expect(list.snapshot.map(\.email) == ["b"])
    try folder.write("name: Ada\nemail: b\n", to: "ada.yaml")
    await store.refresh()
    #expect(list.snapshot.map(\.email) == ["b"])
  }
}
