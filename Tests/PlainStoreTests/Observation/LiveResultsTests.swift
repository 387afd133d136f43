@testable import Models
import Observation
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// A colours list with a search field, as a view of the main actor sees it.
@Suite(.timeLimit(.minutes(1)))
struct LiveResultsTests {
  private struct Color: Decodable, Equatable {
    var name: String
    var hex: String
  }

  private static func colors() throws -> (folder: TemporaryFolder, store: ItemStore) {
    let folder = try TemporaryFolder([
      "red.yaml": "name: red\nhex: f00\n", "blue.yaml": "name: blue\nhex: 00f\n",
    ])
    return (folder, try ItemStore(at: folder.path))
  }

  /// Returns true once something that `read` reads has changed.
  @MainActor private static func change(of read: () -> Void, by act: () async throws -> Void) async rethrows
    -> Bool
  {
    let hasChanged = Mutex(false)
    withObservationTracking(read) { hasChanged.withLock { $0 = true } }
    try await act()
    return hasChanged.withLock { $0 }
  }

  @MainActor @Test func `a live list begins with the list as it is`() throws {
    let (_, store) = try Self.colors()
    let colors = store.results(of: Color.self, FetchRequest(sort: ["name"])).live()
    #expect(colors.map(\.name) == ["blue", "red"])
    #expect(colors.count == 2)
    #expect(colors[1].hex == "f00")
    #expect(colors[id: "blue"]?.hex == "00f")
    #expect(colors[ItemIndexPath(section: 0, item: 0)]?.name == "blue")
    #expect(colors.sections.map(\.count) == [2])
    #expect(colors.update == nil)
  }

  @MainActor @Test func `a change of a file is observed, with its update`() async throws {
    let (folder, store) = try Self.colors()
    let colors = LiveResults(store.results(of: Color.self, FetchRequest(sort: ["name"])))
    let hasChanged = try await Self.change(of: { _ = colors.count }) {
      try folder.write("name: green\nhex: 0f0\n", to: "green.yaml")
      await store.scan(DirtyPaths(files: ["green.yaml"]))
      try await waitUntil { colors.count == 3 }
    }
    #expect(hasChanged)
    #expect(colors.map(\.name) == ["blue", "green", "red"])
    #expect(colors.update?.description == "+ green at 1")
  }

  @MainActor @Test func `typing in the search field takes effect before the setter returns`() async throws {
    let (_, store) = try Self.colors()
    let colors = store.results(of: Color.self, FetchRequest(sort: ["name"])).live()
    let hasChanged = await Self.change(of: { _ = colors.first }) { colors.search = "re" }
    #expect(hasChanged)
    #expect(colors.search == "re")
    #expect(colors.map(\.name) == ["red"])
    try await waitUntil { colors.update != nil }
    #expect(colors.update?.description == "- blue from 0")
    colors.change {
      $0.search = ""
      $0.sort = ["-name"]
    }
    #expect(colors.map(\.name) == ["red", "blue"])
    #expect(colors.sort == ["-name"])
    colors.predicate = try ItemPredicate("hex = \("00f")")
    #expect(colors.map(\.name) == ["blue"])
    #expect(colors.predicate?.description == "hex = \"00f\"")
  }

  @MainActor @Test func `a part of the request that stays the same is not observed`() async throws {
    let (_, store) = try Self.colors()
    let colors = store.results(of: Color.self).live()
    let hasChanged = await Self.change(of: { _ = colors.first }) { colors.search = "" }
    #expect(!hasChanged)
  }

  @MainActor @Test func `a live list ends with its last reference and leaks nothing`() async throws {
    let (folder, store) = try Self.colors()
    weak var results: TypedResults<Color>?
    weak var items: FetchedResults?
    weak var live: LiveResults<Color>?
    do {
      let colors = store.results(of: Color.self).live()
      (results, items, live) = (colors.results, colors.results.items, colors)
      try folder.write("name: green\nhex: 0f0\n", to: "green.yaml")
      await store.scan(DirtyPaths(files: ["green.yaml"]))
      try await waitUntil { colors.count == 3 }
    }
    try await waitUntil { live == nil && results == nil && items == nil }
    #expect(live == nil)
    #expect(results == nil)
    #expect(items == nil)
  }

  @MainActor @Test func `a live list keeps its store, and releases it`() async throws {
    weak var store: ItemStore?
    var colors: LiveResults<Color>?
    do {
      let opened = try Self.colors().store
      (store, colors) = (opened, opened.results(of: Color.self).live())
    }
    #expect(store != nil)
    #expect(colors?.count == 2)
    colors = nil
    try await waitUntil { store == nil }
    #expect(store == nil)
  }

  @MainActor @Test func `a loop goes over the list as it is when the loop begins`() throws {
    let (_, store) = try Self.colors()
    let colors = store.results(of: Color.self, FetchRequest(sort: ["name"])).live()
    var seen: [String] = []
    for color in colors {
      seen.append(color.name)
      colors.search = "nothing"
    }
    #expect(seen == ["blue", "red"])
    #expect(colors.isEmpty)
  }

  @MainActor @Test func `a settled live list shows what was written before`() async throws {
    let folder = try TemporaryFolder(["red.yaml": "name: red\nhex: f00\n"])
    let store = try await ItemStore.open(folder.path)
    let colors = store.results(of: Color.self, FetchRequest(sort: ["name"])).live()
    let names = colors.results.map(\.name).live()
    let red = store.live("red", as: Color.self)
    for hex in 100..<130 {
      try folder.write("name: red\nhex: h\(hex)\n", to: "red.yaml")
      try folder.write("name: c\(hex)\nhex: h\n", to: "c\(hex).yaml")
      await colors.settled()
      #expect(colors[id: "red"]?.hex == "h\(hex)")
      #expect(colors.first?.name == "c100")
      #expect(colors.count == hex - 98)
      await names.settled()
      #expect(names.count == hex - 98)
      await red.settled()
      #expect(red.value?.hex == "h\(hex)")
    }
  }

  @MainActor @Test func `a live list of view models follows them`() async throws {
    let (folder, store) = try Self.colors()
    let names = store.results(of: Color.self, FetchRequest(sort: ["name"])).map(\.name).live()
    let hasChanged = try await Self.change(of: { _ = names.update }) {
      try folder.write("name: red\nhex: e00\n", to: "red.yaml")
      await store.scan(DirtyPaths(files: ["red.yaml"]))
      try folder.write("name: rose\nhex: e00\n", to: "red.yaml")
      await store.scan(DirtyPaths(files: ["red.yaml"]))
      try await waitUntil { names.update != nil }
    }
    #expect(hasChanged)
    #expect(Array(names) == ["blue", "rose"])
    #expect(names.update?.description == "~ red at 1")
  }
}
