import DiffableSnapshot
import Files
import Foundation
import Glibc
import HashTreeCollections
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Folder
@testable import Query

/// Settings that change while a store follows its folder.
extension ItemStoreTests {
  @Test func `other settings are one step of origin view`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "n: 1", "b.yaml": "n: 2", ".notes-watch.yaml": "views: {v: {sort: n}}",
    ])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(try store.list(ItemStoreTests.view("v")))
    let fixed = Follower(store.list(FetchRequest(sort: ["n"])))
    #expect(follower.next() == "snapshot a b")
    #expect(fixed.next() == "snapshot a b")
    try folder.write("views: {v: {sort: -n}}", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(["view: >a@1", "view: >b@0"].contains(follower.next()))
    #expect(fixed.next() == nil)
    // Equal settings in other words, and settings of another view, change nothing.
    try folder.write("# more\nviews: {v: {sort: [-n]}, w: {}}", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(follower.next() == nil)
    #expect(store.settings.views.count == 2)
  }

  @Test func `ignored files go and come with the settings, in one step of origin view`() async throws {
    let folder = try TemporaryFolder(["a.md": "x", "d/b.md": "x", "d/c.md": "x"])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a d/b d/c")
    try folder.write("ignore: [d/, a.md]", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(follower.next() == "view: -d/c(removed) -d/b(removed) -a(removed)")
    // An ignored file is not read.
    await store.scan(DirtyPaths(files: ["d/b.md"], subtrees: ["d"]))
    #expect(follower.next() == nil)
    try folder.remove(".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(follower.next() == "view: +a@0 +d/b@1 +d/c@2")
  }

  @Test func `settings and files in one scan are a step of origin files`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1", "b.yaml": "n: 2"])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a b")
    try folder.write("ignore: [b.yaml]", to: ".notes-watch.yaml")
    try folder.write("n: 3", to: "a.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings, "a.yaml"]))
    #expect(follower.next() == "files: -b(removed) ~a@0")
  }

  @Test func `bad settings are a problem and the old ones stay`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "n: 1", "b.yaml": "n: 2", ".notes-watch.yaml": "views: {v: {sort: -n}}\nignore: [b.yaml]",
    ])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(try store.list(ItemStoreTests.view("v")))
    #expect(follower.next() == "snapshot a")
    for (text, said) in [
      ("views: [", "raised .notes-watch.yaml:1"), ("views: {}\n\nnothing: 1", "raised .notes-watch.yaml:3"),
    ] {
      try folder.write(text, to: ".notes-watch.yaml")
      await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
      #expect(follower.next() == said)
      #expect(store.settings.ignore == ["b.yaml"])
      #expect(store.settings.views.keys.sorted() == ["v"])
    }
    try folder.write("views: {v: {sort: -n}}", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(follower.next() == "view: +b@0 cleared .notes-watch.yaml")
  }

  @Test func `a list whose view is gone stays as it is, and the other settings count`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "n: 1", "b.yaml": "n: 2", ".notes-watch.yaml": "views: {v: {sort: -n}}",
    ])
    let store = try ItemStore(at: folder.path)
    let gone = try store.list(ItemStoreTests.view("v"))
    #expect(gone.snapshot.map(\.id) == ["b", "a"])
    try folder.write("ignore: [c.yaml]\nviews:\n  w: {limit: 1}", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(gone.snapshot.map(\.id) == ["b", "a"])
    #expect(store.settings.ignore == ["c.yaml"])
    #expect(store.problems.map(\.line) == [3])
    let other = try store.list(ItemStoreTests.view("w"))
    #expect(other.snapshot.count == 1)
    try folder.write("ignore: [c.yaml]\nviews:\n  w: {limit: 2}", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(other.snapshot.count == 2)
    #expect(store.problems.count == 1)
    // The problem is over once the list shows another view.
    _ = try gone.follow(ItemStoreTests.view("w"), for: gone.subscribe())
    await store.scan(DirtyPaths(files: ["a.yaml"]))
    #expect(store.problems.isEmpty)
  }

  @Test func `a broken view stays as it was, and the other settings count`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "n: 1", "b.yaml": "n: 2", ".notes-watch.yaml": "views: {v: {sort: -n}}",
    ])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(try store.list(ItemStoreTests.view("v")))
    #expect(follower.next() == "snapshot b a")
    try folder.write("views:\n  v: {sorted: n}\n  w: {}\nignore: [b.yaml]", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(follower.next()?.contains("raised .notes-watch.yaml:2") == true)
    #expect(store.settings.views.keys.sorted() == ["v", "w"])
    #expect(store.settings.ignore == ["b.yaml"])
    try folder.write("views: {v: {sort: n}}", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(store.problems.isEmpty)
  }

  @Test func `another id field makes other items from the same files`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "uuid: x", "b.yaml": "uuid: x", "c.yaml": "n: 1"])
    let store = try ItemStore(at: folder.path)
    let follower = Follower(store.list(FetchRequest()))
    #expect(follower.next() == "snapshot a b c")
    try folder.write("id-field: uuid", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(
      follower.next() == "view: -c(removed) -b(removed) -a(removed) +x@0 raised b.yaml:1 raised c.yaml:1")
    try folder.remove(".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [ItemStoreTests.settings]))
    #expect(follower.next() == "view: -x(removed) +a@0 +b@1 +c@2 cleared b.yaml cleared c.yaml")
  }
}
