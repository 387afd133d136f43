import DiffableSnapshot
import DirectoryWatch
import PlainStore
import PlainText
import TestSupport
import Testing

/// The Swift code of `README.md` and `docs/library.md` compiles as a user of the library has it, and does what the pages say.
@Suite(.timeLimit(.minutes(1)))
struct LibraryPageTests {
  private static func contacts() throws -> TemporaryFolder {
    try TemporaryFolder([
      "ada.yaml": "name: Ada\nrating: 9\ngroup: friends\naddress: {city: Paris}\ntags: [maths]\n",
      "bob.json": "{\"name\": \"Bob\", \"rating\": 3, \"group\": \"work\"}", "dan.md": "---\nname: Dan\nrating: 5\n---\nHello.\n",
    ])
  }

  /// Collects what an example prints.
  private final class Printed {
    var lines: [String] = []
    func print(_ parts: Any...) { lines.append(parts.map { "\($0)" }.joined(separator: " ")) }
  }

  @Test(arguments: ["docs/library.md", "README.md"]) func `The page has no other code`(path: String) throws {
    let page = try DocumentationPage(path, below: #filePath)
    #expect(page.lines.count > 5)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
  }

  @Test func `The lists of the library page hold`() async throws {
    let temporary = try Self.contacts()
    let folder = temporary.path
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }
    func isEnough(_ update: ResultsUpdate) -> Bool { printed.lines.contains { $0.hasPrefix("bob ") } }

    let store = try ItemStore(at: folder, watching: true)
    let results = store.results(
      FetchRequest(
        sort: ["-rating", "name"], section: SectionDescriptor("group", order: ["friends"]),
        predicate: try ItemPredicate("rating > 3")))
    for item in results.snapshot.fetchedObjects {
      print(item.id, item.value(at: "name")?.text ?? "")
    }
    #expect(printed.lines == ["ada Ada", "dan Dan"])

    try temporary.write("{\"name\": \"Bob\", \"rating\": 6, \"group\": \"work\"}", to: "bob.json")
    for await update in results.updates {
      for change in update.diff.changes { print(change.item, change.from as Any, change.to as Any) }
      if isEnough(update) { break }
    }
    #expect(printed.lines.last?.hasPrefix("bob nil ") == true, "\(printed.lines)")

    results.search = "lon"
    #expect(results.snapshot.count == 0)
    results.predicate = nil
    results.sort = ["name"]
    results.window = 0..<20
    printed.lines = []
    try await edit(store, temporary, print)
    #expect(results.snapshot.fetchedObjects.map(\.id) == ["ada"])
    #expect(printed.lines == ["[\"Ada\", \"Bob\", \"Dan\"]"])
  }

  private func edit(_ store: ItemStore, _ folder: TemporaryFolder, _ print: (Any...) -> Void) async throws {
    struct Contact: Decodable, Identifiable, Equatable {
      var name: String
      var rating: Int?
      var id: String { name }
    }

    let contacts = store.results(of: Contact.self)
    print(contacts.snapshot.fetchedObjects.map(\.name))

    try await store.update("ada", [.set("rating", 10), .set("address.city", "London"), .append("new", to: "tags")])
    #expect(try folder.shell("cat ada.yaml") == "name: Ada\nrating: 10\ngroup: friends\naddress: {city: London}\ntags: [maths, new]\n")
    try await store.insert("work/eve", fields: ["name": "Eve", "rating": 4])
    try await store.delete("bob")
    #expect(store.count == 3)

    var scope = store.makeEditScope()
    scope.update("ada", [.set("name", "Ada Lovelace")])
    scope.update("work/eve", [.remove("rating")])
    let report = try await store.save(scope, policy: .mergeByPropertyObjectTrump)
    for failure in report.failures { print(failure) }
    #expect(store.item("ada")?.value(at: "name")?.text == "Ada Lovelace")
    #expect(store.item("work/eve")?.value(at: "rating") == nil)
  }

  @Test func `The snapshots of the library page hold`() throws {
    var printed: [String] = []
    func print(_ parts: Any...) { printed.append(parts.map { "\($0)" }.joined(separator: " ")) }
    var list = try Snapshot([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo"])])
    let before = list
    try list.moveItem("bob", afterItem: "cleo")
    try list.deleteItems(["ada"])
    let difference = list.difference(from: before)
    for change in difference.changes { print(change.item, change.from as Any, change.to as Any) }
    let same = try before.applying(difference) == list
    #expect(printed == ["ada Optional(friends[0]) nil", "bob Optional(friends[1]) Optional(work[1])"])
    #expect(same)
  }

  @Test func `The texts of the library page hold`() throws {
    var printed: [String] = []
    func print(_ parts: Any...) { printed.append(parts.map { "\($0)" }.joined(separator: " ")) }
    let text = ItemText(Array("name: Ada  # who\nrating: 7\n".utf8), as: .yaml)
    let edited = try text.applying([.set("rating", 8)])
    let theirs = Array("name: Ada Lovelace  # who\nrating: 7\n".utf8)
    let merged = TextMerge(base: text.bytes, ours: edited, theirs: theirs, as: .yaml)
    print(String(decoding: merged.bytes, as: UTF8.self), merged.isConflicted)
    #expect(printed == ["name: Ada Lovelace  # who\nrating: 8\n false"])
  }

  @Test func `The watch of the library page holds`() async throws {
    let temporary = try TemporaryFolder(["a.md": "a", "c.txt": "c"])
    let folder = temporary.path
    var seen: [String] = []
    func read(_ path: RelativePath) { seen.append(path.description) }
    func readAll(_ directory: RelativePath) { seen.append("\(directory)/") }

    let watcher = try DirectoryWatcher(root: folder, filter: WatchFilter(includesFile: { $0.name.hasSuffix(".md") }))
    for entry in watcher.consumeInitialListing().entries { read(entry.path) }
    #expect(seen == ["a.md"])
    try temporary.shell("echo new > new.tmp; mv new.tmp new.md")
    for await case .dirty(let batch) in watcher.events {
      for path in batch.files { read(path) }
      for directory in batch.subtrees { readAll(directory) }
      if batch.origin == .files { break }
    }
    watcher.stop()
    #expect(seen == ["a.md", "new.md"])
  }

  @Test func `The code of the README holds`() async throws {
    let temporary = try Self.contacts()
    let folder = temporary.path
    var printed: [String] = []
    func print(_ change: SnapshotDiff<SectionID, Item.ID>.ItemChange) { printed.append("\(change.item)") }

    func follow() async throws {
      let store = try ItemStore(at: folder, watching: true)
      let results = store.results(FetchRequest(sort: ["-rating", "name"]))
      try temporary.write("name: Cleo\nrating: 4\n", to: "cleo.yaml")
      for await update in results.updates {
        for change in update.diff.changes { print(change) }
        if printed.contains("cleo") { break }
      }
      try await store.update("ada", [.set("rating", 9), .set("address.city", "London")])
      #expect(store.item("ada")?.value(at: "address.city")?.text == "London")
    }
    try await follow()
    #expect(printed.contains("cleo"))
  }
}
