import Files
import Query
@testable import Store
import TestSupport
import TextEdits
import Testing
import Values

@Suite(.timeLimit(.minutes(1)))
struct JournalTests {
  private static func root(_ folder: TemporaryFolder) throws -> SaveFolder {
    try #require(try SaveFolder.open(.root, below: OpenFolder(folder.path)))
  }

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<random.below(40)).map { _ in random.one(of: [0, 10, 13, 32, 37, 65, 128, 255]) }
  }

  private static func change(_ number: Int, _ random: inout SeededGenerator) -> SavedChange {
    let name = text(&random).filter { $0 != 0 } + Array("x\(number)".utf8)
    let path = RelativePath(bytes: name)
    let old = random.oneIn(3) ? nil : text(&random) + [1]
    let new = old != nil && random.oneIn(3) ? nil : ItemText(text(&random) + [2], as: .yaml)
    let oldID: Item.ID? = random.oneIn(2) ? nil : "old/\(number)"
    return SavedChange(
      id: Item.ID(path: path), path: path, format: random.one(of: TextFormat.allCases), old: old, new: new,
      mode: random.oneIn(2) ? nil : 0o640, oldID: oldID)
  }

  @Test func `changes are read as they were written`() throws {
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryFolder()
      let changes = (0..<random.below(5)).map { Self.change($0, &random) }
      do {
        let journal = try #require(try Journal.begin(in: Self.root(folder), patience: .zero))
        for change in changes { try journal.append([change]) }
        #expect(try Journal.interrupted(in: Self.root(folder)) == nil, "it is at work")
      }
      let bytes = try folder.bytes(of: ".notes-watch.journal")
      let read = try #require(try Journal.interrupted(in: Self.root(folder))).changes
      #expect(read.map { $0.properties } == changes.map { $0.properties }, "\(seedNote(seed))")
      // One that is incomplete was not begun.
      let count = random.below(bytes.count + 1)
      try folder.shell("truncate -s \(count) .notes-watch.journal")
      let part = try #require(try Journal.interrupted(in: Self.root(folder))).changes
      #expect(
        part.map { $0.properties } == Array(changes.map { $0.properties }.prefix(part.count)),
        "\(seedNote(seed))")
      // What is kept of it replaces all before, also behind an incomplete change.
      if count < 100 { continue }
      let rest = part.filter { _ in random.oneIn(2) }
      try #require(try Journal.interrupted(in: Self.root(folder))).journal.keep(rest)
      let kept = try #require(try Journal.interrupted(in: Self.root(folder))).changes
      #expect(kept.map { $0.properties } == rest.map { $0.properties }, "\(seedNote(seed))")
    }
  }

  @Test func `a copied journal is not used, and is named`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 2\n"])
    do {
      let journal = try #require(try Journal.begin(in: Self.root(folder), patience: .zero))
      try journal.append([
        SavedChange(
          id: "a", path: "a.yaml", format: .yaml, old: Array("n: 1\n".utf8),
          new: ItemText(Array("n: 2\n".utf8), as: .yaml), mode: nil)
      ])
    }
    try folder.shell("cp .notes-watch.journal x; mv x .notes-watch.journal")
    let store = try ItemStore(at: folder.path)
    #expect(store.leftoverProblems().map(\.description).joined().contains("copied from another folder"))
    let outcome = try await store.update("a", [.set("m", 1)])
    #expect(outcome.warnings.joined().contains("Delete it."))
    #expect(try folder.text(of: "a.yaml") == "n: 2\nm: 1\n")
    var scope = store.makeEditScope()
    scope.update("a", [.set("m", 2)])
    let error = await #expect(throws: SaveError.self) { try await store.save(scope, atomically: true) }
    #expect(error?.description.contains("Delete it.") == true)
    #expect(try folder.text(of: "a.yaml") == "n: 2\nm: 1\n")
  }

  @Test(arguments: [
    "mkdir .notes-watch.journal", "mkfifo .notes-watch.journal", "ln -s a.yaml .notes-watch.journal",
  ])
  func `another thing of this name is named, and never read`(script: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 2\n"])
    try folder.shell(script)
    let store = try ItemStore(at: folder.path)
    #expect(store.leftoverProblems().map(\.path) == [".notes-watch.journal"])
    try await store.update("a", [.set("n", 3)])
    var scope = store.makeEditScope()
    scope.update("a", [.set("n", 4)])
    await #expect(throws: SaveError.self) { try await store.save(scope, atomically: true) }
    #expect(try folder.text(of: "a.yaml") == "n: 3\n")
  }
}

extension SavedChange {
  fileprivate var properties: [String] {
    [
      "\(id)", "\(path)", "\(format)", "\(old ?? [])", "\(new?.bytes ?? [])", "\(mode ?? 0)",
      "\(oldID as Any)",
    ]
  }
}
