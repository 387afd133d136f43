@testable import Models
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values
import Watch

@testable import Folder
@testable import Query

/// What a file or an id can hold must not change a terminal when a value is printed.
@Suite(.timeLimit(.minutes(1)))
struct PrintingTests {
  private struct Contact: PlainModel {
    var id: String
    var name: Int
  }

  private static let hostile = "a\u{1B}[31m\u{202E}\u{7F}\nb"

  private static func error(_ body: () async throws -> some Any) async -> (any Error)? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error
    }
  }

  private static func expectSafe(_ value: Any?, _ location: SourceLocation = #_sourceLocation) throws {
    let text = String(describing: try #require(value, sourceLocation: location))
    #expect(TerminalSafety.offenders(in: text) == [], "\(text.debugDescription)", sourceLocation: location)
    #expect(!text.contains("\n"), "\(text.debugDescription)", sourceLocation: location)
  }

  @Test func `an error escapes control characters`() async throws {
    let hostile = PrintingTests.hostile
    let path = FieldPath(keys: [hostile])
    let store = try await ItemStore.temporary(["x.yaml": "name: 1\n"], watching: false)
    let id = Item.ID(hostile)
    try await PrintingTests.expectSafe(PrintingTests.error { try await store.update(id, [.set("name", 1)]) })
    try await PrintingTests.expectSafe(PrintingTests.error { try await store.update("x", [.remove(path)]) })
    try await PrintingTests.expectSafe(PrintingTests.error { try await store.delete([id, "y"]) })
    try await PrintingTests.expectSafe(PrintingTests.error { try await store.seed(["../\(hostile)": ""]) })
    try await PrintingTests.expectSafe(
      PrintingTests.error { try await ItemStore.open("/dev/null/\(hostile)") })
    try await PrintingTests.expectSafe(PrintingTests.error { try FieldPath(parsing: "\(hostile)..") })
    try await PrintingTests.expectSafe(
      PrintingTests.error { try ItemText(Array("{}".utf8), as: .json).applying([.remove(path)]) })
    try PrintingTests.expectSafe(Problem(path: .root, message: hostile))
    try PrintingTests.expectSafe(SettingsError([hostile], hostile))
  }

  @Test func `a folder whose path has a NUL is not opened`() async throws {
    let store = try await ItemStore.temporary(["x.yaml": "name: 1\n"], watching: false)
    let path = "\(store.root)\0x"
    for watching in [true, false] {
      try await PrintingTests.expectSafe(
        PrintingTests.error { try await ItemStore.open(path, watching: watching) })
      try await PrintingTests.expectSafe(PrintingTests.error { try ItemStore(at: path, watching: watching) })
    }
    #expect(throws: WatchError.self) { try DirectoryWatcher(root: path) }
    try await PrintingTests.expectSafe(PrintingTests.error { try ItemEditor(root: path) })
  }

  @Test func `an item, a change of it and its report escape control characters`() async throws {
    let hostile = PrintingTests.hostile
    let store = try await ItemStore.temporary(watching: false)
    let id = Item.ID(hostile)
    var scope = store.makeEditScope()
    scope.insert(id, fields: [hostile: .string(hostile)])
    try PrintingTests.expectSafe(scope)
    try PrintingTests.expectSafe(scope.item(id))
    let list = store.list(
      FetchRequest(
        sort: [ItemSortDescriptor(FieldPath(keys: [hostile]))],
        section: SectionDescriptor(FieldPath(keys: [hostile]))))
    let report = try await store.save(scope)
    try PrintingTests.expectSafe(report)
    try PrintingTests.expectSafe(report.inverse)
    try PrintingTests.expectSafe(list.snapshot)
    try PrintingTests.expectSafe(list.request)
    try PrintingTests.expectSafe(list.snapshot.sections.first)
    let contacts = try store.list(of: Contact.self)
    try PrintingTests.expectSafe(contacts.snapshot.problems.first)
    list.predicate = ItemPredicate("\(FieldPath(keys: [hostile + "x"])) = 1")
    for hint in list.snapshot.hints { try PrintingTests.expectSafe(hint) }
    #expect(!list.snapshot.hints.isEmpty)
  }
}
