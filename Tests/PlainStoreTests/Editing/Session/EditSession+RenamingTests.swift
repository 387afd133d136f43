import Files
import Foundation
import Glibc
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

@Suite(.timeLimit(.minutes(1)))
struct EditSessionRenamingTests {
  private static func save(in folder: TemporaryFolder, _ change: (inout EditScope) -> Void) throws -> [String]
  {
    var scope = EditScope()
    change(&scope)
    return try ItemEditor(root: folder.path).saveEach(scope).outcomes.map(ItemEditorTests.text)
  }

  @Test func `a file moves with its extension, its bytes and its mode`() async throws {
    let folder = try TemporaryFolder(["a.yml": "n: 1 # one\n", "b.md": "Text.\n"])
    chmod("\(folder.path)/a.yml", 0o640)
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a b")
    #expect(
      try await store.rename("a", to: "deep/er/c").outcomes.map(\.result) == [.renamed(to: "deep/er/c")])
    #expect(follower.next() == "files: -a(removed) +deep/er/c@1")
    #expect(try folder.text(of: "deep/er/c.yml") == "n: 1 # one\n")
    var status = stat()
    #expect(stat("\(folder.path)/deep/er/c.yml", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
    #expect(try await store.rename("deep/er/c", to: "a").outcomes.map(\.result) == [.renamed(to: "a")])
    #expect(try await store.rename("a", to: "a").outcomes.map(\.result) == [.unchanged])
    #expect(try folder.files.keys.sorted() == ["a.yml", "b.md"])
  }

  @Test func `a rename is one update, and its events are not a second one`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"])
    let store = try ItemStore(at: folder.path, watching: true)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a b")
    try await store.rename("a", to: "d/c")
    #expect(follower.next() == "files: -a(removed) +d/c@1")
    try folder.write("n: 7\n", to: "e.yaml")
    #expect(await follower.wait() == "files: +e@2")
    #expect(follower.next() == nil)
  }

  @Test func `edits and a rename hold if writers cannot be detected`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    var abilities = FileSaver.Abilities()
    abilities.acquireLease = { _ in EACCES }
    abilities.grace = .milliseconds(10)
    let editor = ItemEditor(root: folder.path, options: StoreOptions(), abilities: abilities)
    var scope = EditScope()
    scope.update("a", [.set("n", 2)])
    scope.rename("a", to: "d/b")
    let report = try editor.save(scope)
    #expect(report.outcomes.map(ItemEditorTests.text) == ["renamed d/b.yaml d/b"])
    #expect(try folder.files == ["d/b.yaml": Array("n: 2\n".utf8)])
    try editor.save(report.inverse)
    #expect(try folder.files == ["a.yaml": Array("n: 1\n".utf8)])
  }

  @Test func `a rename replaces no other item`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.json": "{}", "c.yaml": "n: 3\n"])
    let said = try Self.save(in: folder) { scope in
      scope.rename("a", to: "b")
      scope.rename("nobody", to: "d")
      scope.rename("c", to: "../c")
      scope.rename("c", to: "c.yaml")
      scope.rename("c", to: ".c")
    }
    #expect(
      said == [
        "exists a.yaml", "notFound nowhere", "invalidID c.yaml", "invalidID c.yaml", "invalidID c.yaml",
      ])
    #expect(try folder.files.keys.sorted() == ["a.yaml", "b.json", "c.yaml"])
    // The edits of a change that cannot be made are not made either.
    #expect(
      try Self.save(in: folder) { scope in
        scope.update("a", [.set("n", 2)])
        scope.rename("a", to: "b")
      } == ["exists a.yaml"])
    #expect(try folder.text(of: "a.yaml") == "n: 1\n")
  }

  @Test func `a scope combines edits with a rename`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n", "c.yaml": "n: 3\n"])
    let said = try Self.save(in: folder) { scope in
      scope.update("a", [.set("x", 1)])
      scope.delete("b")
      scope.rename("a", to: "b")
      scope.update("b", [.set("y", 2)])
      scope.insert("new", fields: ["n": 0], format: .yaml)
      scope.rename("new", to: "d/newer")
      scope.replace("c", with: Array("n: 4\n".utf8))
      scope.rename("c", to: "a")
      scope.rename("a", to: "e")
      scope.delete("e")
    }
    #expect(
      said == [
        "deleted b.yaml", "renamed b.yaml b", "inserted d/newer.yaml", "renamed a.yaml a", "deleted a.yaml",
      ])
    let files = try folder.files.mapValues { String(decoding: $0, as: UTF8.self) }
    #expect(
      files == ["b.yaml": "n: 2\nx: 1\ny: 2\n".replacing("2\nx", with: "1\nx"), "d/newer.yaml": "n: 0\n"])
  }

  @Test func `a scope gives the same files as its changes one by one`() throws {
    var renames = 0
    for seed in Randomness.seeds(60) {
      var generator = SeededGenerator(seed: seed)
      let names = ["a", "b", "c", "d/e", "f"]
      var items = Set(names.filter { _ in !generator.oneIn(3) })
      let files = Dictionary(uniqueKeysWithValues: items.map { ("\($0).yaml", "n: 0 # \($0)\n") })
      let (together, oneByOne) = (try TemporaryFolder(files), try TemporaryFolder(files))
      var scope = EditScope()
      var said = ""
      for number in 1...8 {
        // Only changes that can be made: a failure stops the others of its item in a scope.
        let (name, other) = (generator.one(of: names), generator.one(of: names))
        let (id, newID) = (Item.ID(name), Item.ID(other))
        let kind = generator.below(6)
        var single = EditScope()
        let change: (inout EditScope) -> Void
        if !items.contains(name) {
          change = { $0.insert(id, fields: ["m": .number(.integer(number))], format: .yaml) }
          items.insert(name)
        } else if kind == 0 {
          change = { $0.delete(id) }
          items.remove(name)
        } else if kind < 4, !items.contains(other) {
          change = { $0.rename(id, to: newID) }
          items.remove(name)
          items.insert(other)
          renames += 1
        } else if kind == 4 {
          change = { $0.replace(id, with: Array("k: \(number)\n".utf8)) }
        } else {
          change = { $0.update(id, [.set("m", .number(.integer(number))), .append("x", to: "tags")]) }
        }
        change(&scope)
        change(&single)
        said += "\(single); "
        try ItemEditor(root: oneByOne.path).save(single)
      }
      let note = Comment(rawValue: "\(seedNote(seed)) \(said)")
      let report = try ItemEditor(root: together.path).saveEach(scope)
      #expect(report.failures.isEmpty, note)
      #expect(try together.files == oneByOne.files, note)
    }
    #expect(renames > 0)
  }

  @Test func `two items exchange their ids`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"])
    let said = try Self.save(in: folder) { scope in
      scope.rename("a", to: "other")
      scope.rename("b", to: "a")
      scope.rename("other", to: "b")
      scope.update("b", [.set("x", 1)])
    }
    #expect(said == ["renamed other.yaml other", "renamed a.yaml a", "renamed b.yaml b"])
    #expect(try folder.text(of: "a.yaml") == "n: 2\n")
    #expect(try folder.text(of: "b.yaml") == "n: 1\nx: 1\n")
  }

  @Test func `a rename moves the newest version, and other edits follow the policy`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 1\n"])
    let store = try ItemStore(at: folder.path)
    var scope = store.makeEditScope()
    scope.rename("a", to: "c")
    scope.rename("b", to: "d")
    scope.update("d", [.set("n", 3)])
    try folder.write("n: 2\n", to: "a.yaml")
    try folder.write("n: 2\n", to: "b.yaml")
    let report = try await store.saveEach(scope)
    #expect(report.outcomes.map(ItemEditorTests.text) == ["renamed c.yaml c", "conflict b.yaml"])
    #expect(try folder.text(of: "c.yaml") == "n: 2\n")
    #expect(try folder.text(of: "b.yaml") == "n: 2\n")
    #expect(store.item("c")?.value(at: "n") == 2)
  }

  @Test func `a preview shows the new path and changes nothing`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    var scope = EditScope()
    scope.rename("a", to: "d/b")
    let previews = try ItemEditor(root: folder.path).preview(scope)
    #expect(previews.map { ItemEditorTests.text($0.outcome) } == ["renamed d/b.yaml d/b"])
    #expect(try folder.files.keys.sorted() == ["a.yaml"])
    #expect(!folder.contains("d"))
  }

  @Test func `a rename sets the fields of the id`() throws {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": "id-field: [team, number]\n", "x.yaml": "team: red # t\nnumber: 7\n",
      "y.yaml": "team: red\nnumber: '8'\n",
    ])
    let said = try Self.save(in: folder) { scope in
      scope.update("red/7", [.set("k", 1)])
      scope.rename("red/7", to: "blue/9")
      scope.rename("red/8", to: "red/10")
      scope.rename("red/10", to: "blue/9")
      scope.rename("blue/9", to: "blue")
    }
    #expect(said == ["renamed x.yaml blue/9", "renamed y.yaml red/10", "exists y.yaml", "invalidID x.yaml"])
    #expect(try folder.text(of: "x.yaml") == "team: blue # t\nnumber: 9\nk: 1\n")
    #expect(try folder.text(of: "y.yaml") == "team: red\nnumber: '10'\n")
  }

  @Test(arguments: [true, false], [true, false]) func `a rename works without the call that keeps a file`(
    keeps: Bool, links: Bool
  ) throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"])
    var abilities = FileSaver.Abilities()
    abilities.renamesKeeping = keeps
    abilities.links = links
    let editor = ItemEditor(root: folder.path, options: StoreOptions(), abilities: abilities)
    var scope = EditScope()
    scope.rename("a", to: "d/c")
    let report = try editor.saveEach(scope)
    if keeps || links {
      #expect(report.isComplete)
      #expect(try folder.files.keys.sorted() == ["b.yaml", "d/c.yaml"])
    } else {
      #expect(report.failures.map(\.code) == [.system])
      #expect(try folder.files.keys.sorted() == ["a.yaml", "b.yaml"])
      #expect(!folder.contains("d"))
    }
  }

  /// Renames in opposite directions lock the same folders, and another program saves all the while.
  @Test func `no version is lost while a file is renamed`() async throws {
    let folder = try TemporaryFolder(["one/a.yaml": "n: 0\n", "two/b.yaml": "n: 0\n"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (names) in [["one/a", "two/a"], ["two/b", "one/b"]] as [[Item.ID]] {
        group.addTask {
          let editor = try ItemEditor(root: folder.path)
          for round in 0..<20 {
            var scope = EditScope()
            scope.append("k", round, to: names[round % 2])
            scope.rename(names[round % 2], to: names[(round + 1) % 2])
            try editor.save(scope)
          }
        }
      }
      group.addTask {
        let editor = try ItemEditor(root: folder.path)
        for round in 0..<30 {
          for ids in [["one/a", "two/a"], ["two/b", "one/b"]] as [[Item.ID]] {
            // It is at one of both ids, unless it moves in between.
            while true {
              var isDone = false
              for id in ids where !isDone {
                var scope = EditScope()
                scope.append("other", round, to: id)
                isDone = try editor.saveEach(scope).isComplete
              }
              if isDone { break }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.files.keys.sorted() == ["one/a.yaml", "two/b.yaml"])
    for id in ["one/a", "two/b"] as [Item.ID] {
      let item = try ItemEditor(root: folder.path).read(id).item
      #expect(item.value(at: "k[SIZE]") == 20)
      #expect(item.value(at: "other[SIZE]") == 30)
    }
  }
}

extension EditSessionRenamingTests {
  /// Each version that the program saves is moved, or replaced by the same program.
  @Test func `a version that another program saves at the same moment is not lost`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 0\n"])
    let (saves, last) = Randomness.factor > 1 ? (40, 300) : (15, 120)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...last {
          try folder.write("n: \(number)\n", to: ".other")
          #expect(Glibc.rename("\(folder.path)/.other", "\(folder.path)/a.yaml") == 0)
          if number.isMultiple(of: 3) { usleep(500) }
        }
      }
      group.addTask {
        let editor = try ItemEditor(root: folder.path)
        for number in 0..<saves {
          var scope = EditScope()
          scope.update("a", [.set("seen", .number(.integer(number)))])
          scope.rename("a", to: Item.ID("moved/\(number)"))
          let report = try editor.saveEach(scope)
          #expect(report.failures.allSatisfy { [.notFound, .busy].contains($0.code) }, "\(report)")
        }
      }
      try await group.waitForAll()
    }
    var numbers: [Int] = []
    for (name, bytes) in try folder.files where name.hasSuffix(".yaml") {
      let fields = try PackedValue(reading: bytes, as: .yaml).value
      numbers.append(try #require(Int(fields["n"]?.text ?? ""), "\(name)"))
    }
    #expect(numbers.max() == last)
    // No version is there twice.
    #expect(Set(numbers).count == numbers.count)
    #expect(try folder.files.keys.filter { $0.contains(TemporaryName.prefix) } == [])
  }
}

extension EditScope {
  fileprivate mutating func append(_ field: FieldPath, _ number: Int, to id: Item.ID) {
    update(id, [.append(.number(.integer(number)), to: field)])
  }
}
