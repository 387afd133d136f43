import Models
import Store
import Synchronization
import TestSupport
import Testing

private struct Contact: PlainModel {  // Codable & Equatable & Identifiable & Sendable
  var id: String  // ada.yaml is "ada"
  var name: String
  var rating: Int
  static let defaults: Fields = ["rating": 0]  // for files without the field
}

/// The lines that the program prints.
private final class Output: Sendable {
  private let text = Mutex<[String]>([])
  var lines: [String] { text.withLock(\.self) }
  func append(_ line: String) { text.withLock { $0.append(line) } }
}

@Suite(.timeLimit(.minutes(1)))
struct FrontPageTests {
  @Test func `the program of the front page writes contacts and prints the changes of its list`() async throws
  {
    let folder = try TemporaryFolder()
    let output = Output()
    @Sendable func print(_ change: ListChange<Contact>) { output.append("\(change)") }

    let store = try await ItemStore.open("\(folder.path)/contacts")  // created if missing; watched
    let best = try store.list(of: Contact.self, where: "rating >= \(3)", sort: "-rating", "name")
    let task = Task {
      for await update in best.updates {
        for change in update.changes { print(change) }
      }
    }
    defer { task.cancel() }
    // writes ada.yaml, even if others changed it
    try await store.replace(Contact(id: "ada", name: "Ada", rating: 9))
    try await waitUntil { output.lines == ["+ ada at 0"] }
    #expect(try folder.bytes(of: "contacts/ada.yaml") == Array("name: Ada\nrating: 9\n".utf8))
    try await store.update("ada", as: Contact.self) { $0.rating += 1 }  // changes that number only
    try await waitUntil { output.lines == ["+ ada at 0", "~ ada at 0"] }
    #expect(try folder.bytes(of: "contacts/ada.yaml") == Array("name: Ada\nrating: 10\n".utf8))

    try await store.save(Contact(id: "bob", name: "Bob", rating: 3))
    try await waitUntil { output.lines.last == "+ bob at 1" }
    try await store.update("bob", as: Contact.self) { $0.rating = 11 }
    try await waitUntil { output.lines.last == "> bob 1 → 0, changed" }
    try await store.delete("ada")
    try await waitUntil { output.lines.last == "- ada from 1" }
  }

  @MainActor
  private final class Screen {
    var step = 2
    let store: ItemStore
    init(_ store: ItemStore) { self.store = store }

    fileprivate func raise() async throws -> Contact {
      try await store.update("ada", as: Contact.self) { $0.rating += step }.object
    }
  }

  @Test @MainActor func `the closure of update may use the state of its actor`() async throws {
    let screen = Screen(try await ItemStore.temporary(["ada.yaml": "name: Ada\n"]))
    #expect(try await screen.raise().rating == 2)
  }
}
