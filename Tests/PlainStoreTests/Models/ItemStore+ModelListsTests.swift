import DiffableSnapshot
import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Folder
@testable import Query

private struct Color: Decodable, Identifiable, Equatable {
  var id: String { name }
  var name: String
  var rgb: [Int]
}

@Suite(.timeLimit(.minutes(1)))
struct ItemStoreModelListsTests {
  private static let red = "name: red\nrgb: [255, 0, 0]\nnote: warm\n"
  private static let blue = "{\"name\": \"blue\",\n \"rgb\": [0, 0, 255]}"

  private static func text(_ change: ListChange<Color>) -> String {
    "\(change.kind) \(change.element.name)\(change.before.map { " was \($0.rgb)" } ?? "") \(change.element.rgb)"
  }

  @Test func `a typed list has each value and each change to it`() async throws {
    let folder = try TemporaryFolder(["red.yaml": Self.red, "blue.json": Self.blue])
    let store = try ItemStore(at: folder.path)
    let colors = store.list(of: Color.self, FetchRequest(sort: ["name"]))
    #expect(colors.snapshot.map(\.name) == ["blue", "red"])
    #expect(colors.snapshot.count == 2)
    #expect(colors.snapshot[ListPlace(section: 0, item: 1)]?.rgb == [255, 0, 0])
    #expect(colors.snapshot[id: "blue"]?.name == "blue")
    #expect(colors.snapshot.place(of: "red") == ListPlace(section: 0, item: 1))
    #expect(colors.snapshot.sections[0].count == 2)
    var updates = colors.updates.makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first.changes.map(Self.text) == ["insert blue [0, 0, 255]", "insert red [255, 0, 0]"])
    #expect(first.new.count == 2)
    try folder.write(Self.red.replacing("255", with: "254"), to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    let update = try #require(await updates.next())
    #expect(update.changes.map(Self.text) == ["update red was [255, 0, 0] [254, 0, 0]"])
    #expect(update.origin == .files)
    colors.search = "blue"
    #expect(colors.search == "blue")
    #expect(await updates.next()?.changes.map(Self.text) == ["delete red [254, 0, 0]"])
  }

  @Test func `an edit that leaves the value equal is not an update, but may move it`() async throws {
    let folder = try TemporaryFolder(["red.yaml": Self.red, "blue.json": Self.blue])
    let store = try ItemStore(at: folder.path)
    let colors = store.list(of: Color.self, FetchRequest(sort: ["note", "name"]))
    let follower = Follower(colors)
    #expect(follower.next() == "snapshot red blue")
    try folder.write(Self.red.replacing("warm", with: "hot"), to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    #expect(follower.next() == nil)
    try folder.write("{\"name\": \"blue\", \"rgb\": [0, 0, 255], \"note\": \"a\"}", to: "blue.json")
    await store.scan(DirtyPaths(files: ["blue.json"]))
    #expect(["files: >blue@0", "files: >red@1"].contains(follower.next()))
  }

  @Test func `an item that does not decode is a problem at its line, keeps its last good value, and clears`()
    async throws
  {
    let folder = try TemporaryFolder([
      "red.yaml": Self.red, "bad.md": "---\nname: bad\n\nrgb:\n  - 1\n  - x\n---\n",
      "none.json": "{\n \"rgb\": []}",
    ])
    let store = try ItemStore(at: folder.path)
    let colors = store.list(of: Color.self, FetchRequest())
    let follower = Follower(colors)
    #expect(follower.next() == "snapshot red")
    #expect(
      colors.snapshot.problems.map(\.description) == [
        "bad.md:6:5: rgb.1: Expected an integer from \(Int.min) to \(Int.max), found \(Value.string("x").kindName) `x`.",
        "none.json:1:1: The field `name` is missing.",
      ])
    // The store itself has no problem with them.
    #expect(store.problems == [])
    #expect(store.count == 3)
    try folder.write("name: [red]\nrgb: []\n", to: "red.yaml")
    try folder.write("name: good\nrgb: []\n", to: "bad.yaml")
    try folder.remove("bad.md")
    await store.scan(DirtyPaths(files: ["red.yaml", "bad.md", "bad.yaml"]))
    #expect(follower.next() == "files: +bad@0 cleared bad.md raised red.yaml:1")
    #expect(colors.snapshot.map(\.name) == ["good", "red"])
    // The file breaks, too: that is the problem until only the type is wrong again.
    try folder.write("name: [", to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    #expect(follower.next() == "raised red.yaml:1")
    #expect(colors.snapshot.problems.count == 2)
    try folder.write("name: [red]\nrgb: []\n", to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    #expect(follower.next() == "raised red.yaml:1")
    try folder.write(Self.red, to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    #expect(follower.next() == "cleared red.yaml")
    try folder.remove("none.json")
    try folder.remove("red.yaml")
    await store.scan(DirtyPaths(files: ["none.json", "red.yaml"]))
    #expect(follower.next() == "files: -red(removed) cleared none.json")
  }

  @Test func `a renamed file that does not decode has no last good value`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "name: red\nrgb: []", ".notes-watch.yaml": "id-field: name"])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(of: Color.self, FetchRequest()))
    #expect(follower.next() == "snapshot red")
    try folder.remove("a.yaml")
    try folder.write("name: red\nrgb: 1", to: "b.yaml")
    await store.scan(DirtyPaths(files: ["a.yaml", "b.yaml"]))
    #expect(follower.next() == "files: -red(removed) raised b.yaml:2")
  }

  @Test func `a type's own errors are problems, and its list is sorted by any field`() async throws {
    struct Strict: Decodable, Identifiable, Equatable {
      struct TooLow: Error, CustomStringConvertible { let description = "n is too low" }
      var id: Int
      init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: PathKey.self).decode(Int.self, forKey: PathKey(stringValue: "n"))
        if id < 1 { throw TooLow() }
      }
    }
    let folder = try TemporaryFolder([
      "a.yaml": "# one\nn: 0", "b.yaml": "n: 1", "c.yaml": "n: 2",
    ])
    let store = try ItemStore(at: folder.path)
    let list = store.list(of: Strict.self, FetchRequest(sort: ["-n"]))
    #expect(list.snapshot.map(\.id) == [2, 1])
    #expect(
      list.snapshot.problems.map(\.description) == ["a.yaml:2:1: The item cannot be decoded: n is too low"])
    list.sort = ["n"]
    #expect(list.snapshot.map(\.id) == [1, 2])
  }

  @Test func `sequences report one value and the problems as they come and go`() async throws {
    let folder = try TemporaryFolder(["red.yaml": Self.red, "bad.yaml": "rgb: []"])
    let store = try ItemStore(at: folder.path)
    let colors = store.list(of: Color.self, FetchRequest())
    var iterator = colors.updates(of: "red").makeAsyncIterator()
    var problems = colors.problems.makeAsyncIterator()
    #expect(try #require(await iterator.next())?.rgb == [255, 0, 0])
    #expect(await problems.next()?.problem.path == "bad.yaml")
    try folder.remove("red.yaml")
    try folder.remove("bad.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml", "bad.yaml"]))
    #expect(try #require(await iterator.next()) == nil)
    guard case .cleared = await problems.next() else {
      Issue.record("the problem is gone")
      return
    }
  }

  @Test func `decoding may ask the store`() throws {
    struct CountingReader: Decodable, Identifiable, Equatable {
      @TaskLocal static var store: ItemStore?
      var id: Int
      init(from decoder: any Decoder) throws { id = CountingReader.store?.count ?? 0 }
    }
    let folder = try TemporaryFolder(["a.yaml": "n: 0"])
    let store = try ItemStore(at: folder.path)
    CountingReader.$store.withValue(store) {
      let list = store.list(of: CountingReader.self, FetchRequest())
      #expect(list.snapshot.map(\.id) == [1])
    }
  }

  @Test func `a model is found by an id of its own type`() throws {
    struct Numbered: PlainModel {
      var id: Int
    }
    struct Prefixed: PlainModel {
      var key: String
      var id: String { String(key.dropFirst(2)) }
      var itemID: Item.ID { Item.ID(key) }
      enum CodingKeys: String, CodingKey { case key = "@id" }
    }
    struct Plain: PlainModel {
      var id: Item.ID
    }
    let folder = try TemporaryFolder(["42.yaml": "n: 1\n", "7.yaml": "n: 2\n"])
    let store = try ItemStore(at: folder.path)
    let numbers = store.list(of: Numbered.self, FetchRequest()).snapshot
    #expect(numbers[id: 42]?.id == 42)
    #expect(numbers[id: 43] == nil)
    let plain = store.list(of: Plain.self, FetchRequest()).snapshot
    #expect(plain[id: Item.ID("7")]?.id == "7")
    let other = try TemporaryFolder(["p-ada.yaml": "n: 1\n", "q-ada.yaml": "n: 1\n", "ada.yaml": "n: 2\n"])
    let prefixed = try ItemStore(at: other.path).list(of: Prefixed.self, FetchRequest()).snapshot
    #expect(prefixed[id: "ada"]?.key == "p-ada")
    #expect(prefixed[id: Item.ID("ada")]?.key == "ada")
    #expect(prefixed[id: "p-ada"] == nil)
  }

  @Test func `a typed list decodes only what its folder and its predicate let through`() async throws {
    let folder = try TemporaryFolder([
      "colors/red.yaml": Self.red, "colors/bad.yaml": "rgb: 1\nkind: other\n", "people/ada.yaml": "age: 36\n",
      "people/broken.yaml": "a: [",
    ])
    let store = try ItemStore(at: folder.path)
    let all = store.list(of: Color.self, FetchRequest())
    #expect(
      all.snapshot.problems.map(\.path) == ["colors/bad.yaml", "people/ada.yaml", "people/broken.yaml"])
    let colors = store.list(of: Color.self, FetchRequest(folder: "colors/"))
    #expect(colors.snapshot.map(\.name) == ["red"])
    #expect(colors.snapshot.problems.map(\.path) == ["colors/bad.yaml"])
    let follower = Follower(colors)
    #expect(follower.next() == "snapshot colors/red")
    colors.predicate = ItemPredicate("kind != 'other'")
    #expect(follower.next() == "cleared colors/bad.yaml")
    // The file now matches, and decodes.
    try folder.write("name: pink\nrgb: []\n", to: "colors/bad.yaml")
    try folder.write("age: 37\n", to: "people/ada.yaml")
    await store.scan(DirtyPaths(files: ["colors/bad.yaml", "people/ada.yaml"]))
    #expect(follower.next() == "files: +colors/bad@0")
    colors.folder = "people"
    #expect(
      follower.next()
        == "view: -colors/red(filtered) -colors/bad(filtered) raised people/ada.yaml:1 raised people/broken.yaml:1"
    )
  }

  @Test func `an item keeps its last good value only while it matches`() async throws {
    let folder = try TemporaryFolder(["red.yaml": Self.red])
    let store = try ItemStore(at: folder.path)
    let colors = store.list(of: Color.self, FetchRequest(predicate: ItemPredicate("note = 'warm'")))
    let follower = Follower(colors)
    #expect(follower.next() == "snapshot red")
    try folder.write("note: warm\n", to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    #expect(follower.next() == "raised red.yaml:1")
    #expect(colors.snapshot.map(\.name) == ["red"])
    try folder.write("note: cold\n", to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    #expect(follower.next() == "files: -red(filtered) cleared red.yaml")
  }
}
