import Foundation
import Observation
import PlainStore
import TestSupport
import Testing

/// The Swift code of `docs/saving.md` compiles as a user of the library has it, and does what the page
/// says.
@Suite(.timeLimit(.minutes(1)))
struct SavingPageTests {
  @Test func `The page has no other code`() throws {
    let page = try DocumentationPage("docs/saving.md", below: #filePath)
    #expect(page.lines.count > 50)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
  }

  struct Contact: PlainModel {
    var id: String
    var name: String
    var rating: Int
    static let defaults: Fields = ["rating": 0]
  }

  /// Collects what an example prints.
  private final class Printed {
    var lines: [String] = []
    func print(_ parts: Any...) { lines.append(parts.map { "\($0)" }.joined(separator: " ")) }
  }

  // MARK: What each call returns

  @Test func `An outcome has the object`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\nrating: 9\n"])
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }

    let outcome = try await store.update("ada", as: Contact.self) { $0.rating += 1 }
    switch outcome.result {
    case .unchanged, .discarded: print("nothing to undo")
    default: print(outcome.object.rating, outcome.path?.description ?? "")
    }
    #expect(printed.lines == ["10 ada.yaml"])
    #expect(outcome.result == .updated(isMerged: false))
    #expect(try await store.save(outcome.object).result == .unchanged)
    #expect(try await store.update("ada", [.set("rating", 3)]).result == .updated(isMerged: false))
    #expect(try await store.rename("ada", to: "eve").outcomes.map(\.result) == [.renamed(to: "eve")])
    #expect(try await store.delete("eve").result == .deleted)
    let report = try await store.save([Contact(id: "bob", name: "Bob", rating: 3)])
    #expect(report.isComplete)
    #expect(report.outcomes.map(\.result) == [.inserted])
  }

  // MARK: Errors

  func status(of error: any Error) -> Int {
    guard let error = error as? any PlainStoreError else { return 422 }  // of your own `validate`
    switch error.code {
    case .notFound: return 404
    case .exists, .ambiguous, .conflict, .linked: return 409
    case .invalid, .invalidID, .malformed: return 422
    case .permissionDenied, .readOnly: return 403
    case .busy: return 503
    case .noSpace: return 507
    default: return 500
    }
  }

  @Test func `Each error has a status`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\n", "bad.yaml": "name: [1]\n"])
    func status(_ body: () async throws -> Void) async -> Int {
      do { try await body() } catch { return self.status(of: error) }
      return 200
    }
    let ada = Contact(id: "ada", name: "Eve", rating: 1)
    #expect(await status { try await store.update("eve", [.set("name", "Eve")]) } == 404)
    #expect(await status { try await store.insert(ada) } == 409)
    #expect(await status { try await store.save(ada) } == 409)
    #expect(await status { _ = try store.list(of: Contact.self, where: "nmae = \("Ada")") } == 422)
    #expect(await status { _ = try store.list(of: Contact.self, where: "name >") } == 422)
    #expect(await status { throw CancellationError() } == 422)
    let problem = #expect(throws: Problem.self) { try store.object("bad", as: Contact.self) }
    #expect(problem?.place?.path == "bad.yaml")
    let text = "name >"
    let error = #expect(throws: ItemPredicateError.self) { try ItemPredicate(text) }
    #expect(error?.place != nil)
    #expect(error?.place?.path == nil)
  }

  @Test func `The page has each code`() throws {
    let page = try MarkdownPage("docs/saving.md").text
    let symbols = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("PublicSymbols.txt")
    let codes = try String(contentsOf: symbols, encoding: .utf8).split(separator: "\n").compactMap {
      $0.hasPrefix("ErrorCode.") ? $0.dropFirst("ErrorCode.".count) : nil
    }
    #expect(codes.count > 10)
    for code in codes where code.allSatisfy(\.isLetter) && code != "description" {
      #expect(page.contains("`\(code)`"), "\(code)")
    }
  }

  // MARK: Which calls refuse what

  struct ImportedUser: PlainModel {  // a User without a phone
    var id: String
    var email: String
    var name: String
  }

  @Test func `An import keeps what it does not know`() async throws {
    let temporary = try TemporaryFolder(["u1.yaml": "email: ada@example.org\nname: A\nphone: 7\n"])
    let store = try await ItemStore.open(temporary.path, watching: false)
    try await store.upsert(ImportedUser(id: "u7", email: "ada@example.org", name: "Ada"), by: "email")
    #expect(try temporary.shell("cat u1.yaml") == "email: ada@example.org\nname: Ada\nphone: 7\n")
    try await store.delete(where: "TRUEPREDICATE")
    #expect(try store.count() == 0)
  }

  // MARK: All or nothing

  private struct Account: PlainModel {
    var id: String
    var balance: Int
  }

  @Test func `A transfer is made or not`() async throws {
    let store = try await ItemStore.temporary([
      "accounts/ada.yaml": "balance: 30\n", "accounts/bob.yaml": "balance: 0\n",
    ])
    var transfer = store.makeEditScope()
    try transfer.update("accounts/ada", as: Account.self) { $0.balance -= 10 }
    try transfer.update("accounts/bob", as: Account.self) { $0.balance += 10 }
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }
    do {
      try await store.save(transfer, atomically: true)
    } catch let error as SaveError where error.code == .conflict {
      print("An account was changed meanwhile: make a new scope, and try again.")
    }
    #expect(printed.lines.isEmpty)
    #expect(store.item("accounts/ada")?.value(at: "balance") == 20)
    // The scope is of the old balances now.
    let error = await #expect(throws: SaveError.self) { try await store.save(transfer, atomically: true) }
    #expect(error?.code == .conflict)
    #expect(store.item("accounts/bob")?.value(at: "balance") == 10)
  }

  // MARK: Links that hold

  private struct Book: PlainModel {
    var id: String
    var author: Link<Contact>?
  }

  @Test func `Links hold`() async throws {
    let store = try await ItemStore.temporary([
      "people/ada.yaml": "name: Ada\nrating: 9\n", "books/notes.yaml": "author: people/ada\n",
    ])
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }

    store.register(Book.self)  // types with links that this store was not used with yet
    print(store.items(linkingTo: "people/ada").map(\.id))
    try await store.rename("people/ada", to: "people/lovelace")  // the links lead there, too
    #expect(store.item("books/notes")?.value(at: "author") == "people/lovelace")
    let deleted = try await store.delete("people/lovelace", links: .nullify)
    #expect(store.item("books/notes")?.value(at: "author") == nil)
    try await store.save(deleted.inverse, atomically: true)  // undo: the item and the links
    #expect(store.item("books/notes")?.value(at: "author") == "people/lovelace")
    #expect(printed.lines == ["[books/notes]"])
  }

  // MARK: An undo stack

  @MainActor final class UndoStack {
    private let store: ItemStore
    private var undos: [EditScope] = []
    private var redos: [EditScope] = []

    init(_ store: ItemStore) { self.store = store }

    func add(_ inverse: EditScope) { (undos, redos) = (undos + [inverse], []) }  // after each save

    func undo() async throws {
      guard let last = undos.last else { return }
      redos.append(try await store.save(last, atomically: true).inverse)
      undos.removeLast()
    }

    func redo() async throws {
      guard let last = redos.last else { return }
      undos.append(try await store.save(last, atomically: true).inverse)
      redos.removeLast()
    }
  }

  @Test @MainActor func `A save is undone and made again`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\nrating: 9\n"])
    let stack = UndoStack(store)
    stack.add(try await store.update("ada", as: Contact.self) { $0.rating = 3 }.inverse)
    try await stack.undo()
    #expect(store.item("ada")?.value(at: "rating") == 9)
    try await stack.redo()
    #expect(store.item("ada")?.value(at: "rating") == 3)
    try await store.update("ada", [.set("rating", 4)])
    let error = await #expect(throws: SaveError.self) { try await stack.undo() }
    #expect(error?.code == .conflict)
    #expect(store.item("ada")?.value(at: "rating") == 4)
  }

  // MARK: Problems, joint updates, titles

  struct Todo: PlainModel {
    var id: String
    var title: String
    var done: Bool
    var project: String?
    static let defaults: Fields = ["done": false]
  }

  struct Project: PlainModel {
    var id: String
    var name: String
  }

  @Test func `The lists of todos hold`() async throws {
    let store = try await ItemStore.temporary([
      "todos/mend.yaml": "title: Mend\nproject: projects/home\n",
      "todos/sow.yaml": "title: Sow\ndone: true\n",
      "todos/bad.yaml": "title: [1]\n", "projects/home.yaml": "name: The home\n",
    ])
    let contacts = try store.list(of: Todo.self, in: "todos/")
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }

    for problem in contacts.snapshot.problems {
      print(problem.place?.path ?? "", problem.place?.line ?? 1, problem.message)
    }
    #expect(printed.lines.first?.hasPrefix("todos/bad.yaml 1 ") == true, "\(printed.lines)")

    var (openRows, doneRows): ([Todo], [Todo]) = ([], [])
    let open = try store.list(of: Todo.self, in: "todos/", where: "done = \(false)", sort: "title")
    let done = try store.list(of: Todo.self, in: "todos/", where: "done = \(true)", sort: "title")
    for await joint in store.updates(of: open, done) {
      let (opened, finished) = joint.updates
      opened?.apply(to: &openRows)
      finished?.apply(to: &doneRows)
      if !doneRows.isEmpty { break }
    }
    #expect(openRows.map(\.title) == ["Mend"])
    #expect(doneRows.map(\.title) == ["Sow"])

    let projects = try store.fetch(of: Project.self, in: "projects/", sort: "name")
    var titles: [SectionID: String] = [:]
    for project in projects { titles[SectionID(project.id)] = project.name }
    let byProject = SectionDescriptor("project", order: projects.map { SectionID($0.id) }, titles: titles)
    let todos = try store.list(of: Todo.self, in: "todos/", sort: "title", section: byProject)
    #expect(todos.snapshot.sections.map(\.title) == ["The home", nil])
  }

  // MARK: A screen with a search field

  @MainActor @Observable final class ContactsScreen {
    let contacts: LiveList<Contact>
    var text = "" {
      didSet { contacts.search = text }
    }
    var names: [String] { contacts.snapshot.map(\.name) }

    init(_ store: ItemStore) throws { contacts = try store.list(of: Contact.self, sort: "name") }
  }

  @Test @MainActor func `A screen searches`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let screen = try ContactsScreen(store)
    screen.text = "bo"
    #expect(screen.names == ["Bob"])
  }

  // MARK: Predicates of values

  enum Rule: Codable, Hashable {
    case off
    case percent(Int)
    case country([String])
  }

  struct Flag: PlainModel {
    var id: String
    var when: Rule
  }

  @Test func `The cases of an enum are queried by their form in the file`() async throws {
    let store = try await ItemStore.temporary()
    try await store.save([
      Flag(id: "a", when: .percent(20)), Flag(id: "b", when: .country(["SE", "NO"])),
      Flag(id: "c", when: .off),
    ])
    let c = "SE"
    #expect(try store.fetch(of: Flag.self, where: "when.percent > \(10)").map(\.id) == ["a"])
    #expect(try store.fetch(of: Flag.self, where: "ANY when.country = \(c)").map(\.id) == ["b"])
    #expect(try store.fetch(of: Flag.self, where: "when = \("off")").map(\.id) == ["c"])
  }

  struct Person: PlainModel {
    var id: UUID
    var token: UUID
    var friend: Link<Person>?
  }

  @Test func `UUIDs are compared without case`() async throws {
    let store = try await ItemStore.temporary()
    let ada = Person(id: UUID(), token: UUID())
    let eve = Person(id: UUID(), token: UUID(), friend: Link(ada))
    try await store.save([ada, eve])
    #expect(try store.fetch(of: Person.self, where: "friend = \(ada.id)").map(\.id) == [eve.id])
    #expect(try store.fetch(of: Person.self, where: "token = \(ada.token)").map(\.id) == [ada.id])
    #expect(try store.fetch(of: Person.self, where: "@id = \(ada.id)").map(\.id) == [ada.id])
  }
}
