import Foundation
import Glibc
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

@Suite(.timeLimit(.minutes(2)))
struct SaveReportInverseTests {
  @Test func `an undo restores each file, and its undo is a redo`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1 # a\n", "b.json": "{\"n\": 2}", "c.md": "Text.\n"])
    let store = try ItemStore(at: folder.path)
    let before = try folder.files
    var scope = store.makeEditScope()
    scope.update("a", [.set("n", 9)])
    scope.delete("b")
    scope.rename("c", to: "d/e")
    scope.insert("f", fields: ["n": 3])
    let report = try await store.save(scope)
    let after = try folder.files
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a d/e f")
    let undone = try await store.save(report.inverse)
    #expect(follower.next() == "files: -f(removed) -d/e(removed) +b@1 +c@2 ~a@0")
    #expect(try folder.files == before)
    let redone = try await store.save(undone.inverse)
    #expect(try folder.files == after)
    try await store.save(redone.inverse)
    #expect(try folder.files == before)
    #expect(!SaveReport().inverse.hasChanges)
  }

  @Test func `the outcome of a single change has its undo`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1 # a\n", "b.json": "{\"n\": 2}"])
    let store = try ItemStore(at: folder.path)
    let before = try folder.files
    let outcomes = [
      try await store.insert("c", fields: ["n": 3]), try await store.update("a", [.set("n", 9)]),
      try #require(await store.rename("a", to: "d/e").outcomes.first),
      try await store.delete("b"),
    ]
    #expect(try folder.files.keys.sorted() == ["c.yaml", "d/e.yaml"])
    for outcome in outcomes.reversed() { try await store.save(outcome.inverse) }
    #expect(try folder.files == before)
    let unchanged = try await store.update("a", [.set("n", 1)])
    #expect(unchanged.inverse.hasChanges == false)
  }

  @Test(arguments: MergePolicy.allCases) func `an undo is refused if the file changed in the meantime`(
    policy: MergePolicy
  ) async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "n: 1\nm: 1\n", "b.yaml": "n: 1\n", "c.yaml": "n: 1\n", "d.yaml": "n: 1\n",
    ])
    var options = StoreOptions()
    options.mergePolicy = policy
    let store = try ItemStore(at: folder.path, options: options)
    var scope = store.makeEditScope()
    scope.update("a", [.set("n", 2)])
    scope.delete("b")
    scope.rename("c", to: "e")
    scope.insert("f", fields: ["n": 1])
    scope.update("d", [.set("n", 2)])
    let report = try await store.save(scope)
    try folder.write("n: 2\nm: 5\n", to: "a.yaml")
    try folder.write("n: 7\n", to: "b.yaml")
    try folder.write("n: 7\n", to: "e.yaml")
    try folder.write("n: 1 # mine\n", to: "f.yaml")
    try folder.remove("d.yaml")
    let files = try folder.files
    let error = await #expect(throws: SaveError.self) { try await store.save(report.inverse) }
    #expect(error?.failures.map(\.code) == [.conflict, .conflict, .conflict, .conflict, .conflict])
    let messages = error?.failures.map(\.message) ?? []
    #expect(messages.first?.hasPrefix("It was deleted since it was saved.") == true)
    #expect(
      messages.dropFirst().first?.hasPrefix("It was changed since it was saved (comments or formatting).")
        == true)
    #expect(messages.last?.hasPrefix("It was changed since it was saved (/m).") == true)
    #expect(try folder.files == files)
  }

  // MARK: Random scopes

  private static func modes(_ folder: TemporaryFolder) throws -> [String: mode_t] {
    try folder.files.keys.reduce(into: [:]) { modes, name in
      var status = stat()
      if stat("\(folder.path)/\(name)", &status) == 0 { modes[name] = status.st_mode }
    }
  }

  private static let texts = [
    "yaml": ["n: 1 # c\ntags: [a, b]\n", "# x\nname: 'Ada'\nn:   2\n", "a: [\n", ""],
    "json": ["{\"n\": 1}", "{ \"tags\": [\"a\"] }\n"],
    "md": ["Text.\n", "---\nn: 1\n---\nText.\n"],
  ]

  private static func makeFolder(_ generator: inout SeededGenerator, hasIDFields: Bool) throws
    -> TemporaryFolder
  {
    var files: [String: String] = hasIDFields ? [".notes-watch.yaml": "id-field: id\n"] : [:]
    for name in ["a", "b", "d/c", "d/d"] where !generator.oneIn(4) {
      let ending = generator.one(of: ["yaml", "json", "md"])
      if hasIDFields {
        files["\(name).yaml"] = "id: \(name) # i\nn: \(generator.below(5))\n"
      } else {
        files["\(name).\(ending)"] = generator.one(of: texts[ending] ?? [""])
      }
    }
    let folder = try TemporaryFolder(files)
    for name in files.keys where generator.oneIn(2) {
      chmod("\(folder.path)/\(name)", generator.one(of: [0o600, 0o640, 0o664]))
    }
    return folder
  }

  private static func makeScope(_ generator: inout SeededGenerator, _ scope: inout EditScope) -> String {
    var said = ""
    for _ in 0..<1 + generator.below(7) {
      let ids: [Item.ID] = ["a", "b", "d/c", "d/d", "e/e", "new"]
      let (id, other) = (generator.one(of: ids), generator.one(of: ids))
      let number = Value.number(.integer(generator.below(9)))
      switch generator.below(7) {
      case 0: scope.insert(id, fields: ["n": number], format: generator.one(of: [nil, .json, .markdown]))
      case 1: scope.delete(id)
      case 2: scope.replace(id, with: Array("id: \(id)\nn: \(number)\n".utf8))
      case 3, 4:
        scope.rename(id, to: other)
        said += "to \(other): "
      case 5: scope.update(id, [.append(number, to: "tags")])
      default: scope.update(id, [.set("n", number), .set("k", number)])
      }
      said += "\(id) "
    }
    return said
  }

  @Test(arguments: [false, true]) func `the inverse of a random scope restores the folder`(hasIDFields: Bool)
    throws
  {
    var changed = 0
    for seed in Randomness.seeds(30) {
      var generator = SeededGenerator(seed: seed)
      let folder = try Self.makeFolder(&generator, hasIDFields: hasIDFields)
      let editor = try ItemEditor(root: folder.path)
      let (before, modes) = (try folder.files, try Self.modes(folder))
      var scope = EditScope()
      let said = Self.makeScope(&generator, &scope)
      let report = try editor.saveEach(scope)
      let note = Comment(rawValue: "\(seedNote(seed)) \(said)\n\(report)")
      let after = try folder.files
      if after != before { changed += 1 }
      let undone = try editor.saveEach(report.inverse)
      #expect(undone.failures.isEmpty, note)
      #expect(try folder.files == before, note)
      #expect(try Self.modes(folder) == modes, note)
      let redone = try editor.saveEach(undone.inverse)
      #expect(redone.failures.isEmpty, note)
      #expect(try folder.files == after, note)
      // Another program changes one of the files: it stays as that program saved it.
      guard let name = after.keys.sorted().first(where: { before[$0] != after[$0] }) else { continue }
      let theirs = Array("id: theirs\ntheirs: 1\n".utf8)
      try folder.write(theirs, to: name)
      let again = try editor.saveEach(redone.inverse, policy: generator.one(of: MergePolicy.allCases))
      #expect(!again.isComplete, note)
      #expect(try folder.bytes(of: name) == theirs, note)
    }
    #expect(changed > 0)
  }
}
