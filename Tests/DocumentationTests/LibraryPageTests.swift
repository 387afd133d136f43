import PlainStore
import TestSupport
import Testing

/// The Swift code of `README.md` and `docs/library.md` compiles as a user of the library has it, and does what the pages say.
@Suite(.timeLimit(.minutes(1)))
struct LibraryPageTests {
  @Test(arguments: ["docs/library.md", "README.md"]) func `The page has no other code`(path: String) throws {
    let page = try DocumentationPage(path, below: #filePath)
    #expect(page.lines.count > 5)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
  }

  struct Contact: PlainModel {
    var id: String  // ada.yaml is "ada"
    var name: String
    var rating: Int
    static let defaults: Fields = ["rating": 0]  // for files without the field
  }

  struct ContactRow: Equatable {
    var title: String
    var stars: String
  }

  /// Collects what an example prints.
  private actor Printed {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }

  private static func line(_ parts: [Any]) -> String { parts.map { "\($0)" }.joined(separator: " ") }

  @Test func `The first program holds`() async throws {
    let temporary = try TemporaryFolder([:])
    let folder = temporary.path + "/contacts"
    let (lines, printed) = AsyncStream.makeStream(of: String.self)
    @Sendable func print(_ change: ResultsChange<Contact>) { printed.yield("\(change)") }

    let store = try await ItemStore.open(folder)  // created if missing; watched
    let best = try store.list(of: Contact.self, where: "rating >= \(3)", sort: "-rating", "name")
    let task =
      Task {
        for await update in best.updates {
          for change in update.changes { print(change) }  // + ada at 0 · > bob 1 → 0, changed · - ada from 1
        }
      }
    defer { task.cancel() }
    try await store.save(Contact(id: "ada", name: "Ada", rating: 9))  // writes ada.yaml
    try await store.update("ada", as: Contact.self) { $0.rating += 1 }  // changes that number only
    #expect(try temporary.shell("cat contacts/ada.yaml") == "name: Ada\nrating: 10\n")
    var line = lines.makeAsyncIterator()
    #expect(await line.next() == "+ ada at 0")
  }
}
