@testable import Models
import Observation
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// A list of colours as views observe it.
@Suite(.timeLimit(.minutes(1)))
struct LiveListObservationTests {
  private struct Color: Decodable, Equatable {
    var name: String
    var hex: String
  }

  /// A view, which notes what it can read each time it is told of a change.
  private final class Observer: Sendable {
    private let notes = Mutex<[[String]]>([])

    var seen: [[String]] { notes.withLock(\.self) }

    /// Reads a list, and waits for the next change of what was read.
    func observe(_ read: @escaping @Sendable () -> [String]) {
      withObservationTracking {
        _ = read()
      } onChange: { [self] in
        let now = read()
        notes.withLock { $0.append(now) }
      }
    }
  }

  private static func colors() throws -> (folder: TemporaryFolder, store: ItemStore) {
    let folder = try TemporaryFolder([
      "red.yaml": "name: red\nhex: f00\n", "blue.yaml": "name: blue\nhex: 00f\n",
    ])
    return (folder, try ItemStore(at: folder.path))
  }

  @Test func `a change of a file is observed, and the new list is there when the observer is told`()
    async throws
  {
    let (folder, store) = try Self.colors()
    let colors = store.list(of: Color.self, FetchRequest(sort: ["name"]))
    let observer = Observer()
    observer.observe { colors.snapshot.map(\.name) }
    #expect(observer.seen == [])
    try folder.write("name: green\nhex: 0f0\n", to: "green.yaml")
    await store.scan(DirtyPaths(files: ["green.yaml"]))
    #expect(observer.seen == [["blue", "green", "red"]])
    // An observer is told once, until it reads the list again.
    try folder.remove("green.yaml")
    await store.scan(DirtyPaths(files: ["green.yaml"]))
    #expect(observer.seen.count == 1)
    observer.observe { colors.snapshot.map(\.hex) }
    try folder.write("name: blue\nhex: 00e\n", to: "blue.yaml")
    await store.scan(DirtyPaths(files: ["blue.yaml"]))
    #expect(observer.seen.last == ["00e", "f00"])
  }

  @Test func `a change of the request is observed before the setter returns`() throws {
    let (_, store) = try Self.colors()
    let colors = store.list(of: Color.self, FetchRequest(sort: ["name"]))
    let observer = Observer()
    observer.observe { colors.snapshot.map(\.name) }
    colors.search = "re"
    #expect(observer.seen == [["red"]])
    observer.observe { colors.snapshot.map(\.name) }
    colors.change { ($0.search, $0.sort) = ("", ["-name"]) }
    #expect(observer.seen.dropFirst() == [["red", "blue"]])
    observer.observe { colors.snapshot.map(\.name) }
    colors.predicate = "hex = \("00f")"
    #expect(observer.seen.dropFirst(2) == [["blue"]])
  }

  @Test func `a step that changes nothing shown is not observed`() async throws {
    let (folder, store) = try Self.colors()
    let colors = store.list(of: Color.self, FetchRequest(sort: ["name"], predicate: "name != 'blue'"))
    let observer = Observer()
    observer.observe { colors.snapshot.map(\.hex) }
    colors.search = ""
    colors.change { _ in }
    try folder.write("name: blue\nhex: 00e\n", to: "blue.yaml")
    await store.scan(DirtyPaths(files: ["blue.yaml"]))
    #expect(observer.seen == [])
    try folder.write("name: red\nhex: e00\n", to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    #expect(observer.seen == [["e00"]])
  }

  @Test func `a change of another list is not observed`() throws {
    let (_, store) = try Self.colors()
    let (colors, others) = (store.list(FetchRequest(sort: ["name"])), store.list(FetchRequest()))
    let observer = Observer()
    observer.observe { colors.snapshot.map(\.id.description) }
    others.search = "red"
    #expect(observer.seen == [])
    colors.search = "blue"
    #expect(observer.seen == [["blue"]])
  }

  @Test func `lists that are mapped from one are observed together`() async throws {
    let (folder, store) = try Self.colors()
    let colors = store.list(of: Color.self, FetchRequest(sort: ["name"]))
    let names = colors.mapped(\.name)
    let (observer, other) = (Observer(), Observer())
    observer.observe { Array(names.snapshot) }
    other.observe { colors.snapshot.map(\.hex) }
    names.search = "red"
    #expect(observer.seen == [["red"]])
    #expect(other.seen == [["f00"]])
    observer.observe { Array(names.snapshot) }
    try folder.write("name: rose red\nhex: f00\n", to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    #expect(observer.seen.last == ["rose red"])
  }

  @Test func `a view that reads again when it is told of a change always shows the newest list`() async throws
  {
    final class View: Sendable {
      let list: LiveList<Color>
      let shown = Mutex<[String]>([])
      let reads = Mutex(0)
      init(_ list: LiveList<Color>) { self.list = list }

      func read() {
        let names = withObservationTracking {
          list.snapshot.map(\.name)
        } onChange: { [weak self] in
          self?.read()
        }
        shown.withLock { $0 = names }
        reads.withLock { $0 += 1 }
      }
    }

    let (folder, store) = try Self.colors()
    let colors = store.list(of: Color.self, FetchRequest(sort: ["name"]))
    let view = View(colors)
    view.read()
    for round in 1...20 {
      colors.search = round.isMultiple(of: 2) ? "re" : ""
      try folder.write("name: red \(round)\nhex: f00\n", to: "red.yaml")
      await store.scan(DirtyPaths(files: ["red.yaml"]))
      #expect(view.shown.withLock(\.self) == colors.snapshot.map(\.name))
      #expect(view.shown.withLock(\.last) == "red \(round)")
    }
    // The first search is as it was; each other change is one reading.
    #expect(view.reads.withLock(\.self) == 1 + 20 + 19)
  }

  @Test func `an observed list ends with its last reference and leaks nothing`() throws {
    let (_, store) = try Self.colors()
    weak var shared: SharedList?
    do {
      let colors = store.list(of: Color.self, FetchRequest())
      let names = colors.mapped(\.name)
      shared = colors.shared
      withObservationTracking {
        _ = names.snapshot.count
      } onChange: {
      }
      #expect(shared != nil)
    }
    #expect(shared == nil)
  }

  @MainActor @Test func `a live list keeps its store, and releases it`() async throws {
    weak var store: ItemStore?
    var colors: LiveList<Color>?
    do {
      let opened = try Self.colors().store
      (store, colors) = (opened, opened.list(of: Color.self, FetchRequest()))
    }
    #expect(store != nil)
    #expect(colors?.snapshot.count == 2)
    colors = nil
    try await waitUntil { store == nil }
    #expect(store == nil)
  }

  @Test func `a loop goes over the list as it is when the loop begins`() throws {
    let (_, store) = try Self.colors()
    let colors = store.list(of: Color.self, FetchRequest(sort: ["name"]))
    var seen: [String] = []
    for color in colors.snapshot {
      seen.append(color.name)
      colors.search = "nothing"
    }
    #expect(seen == ["blue", "red"])
    #expect(colors.snapshot.isEmpty)
  }

  @Test func `the lists of a settled store show what was written before`() async throws {
    let folder = try TemporaryFolder(["red.yaml": "name: red\nhex: f00\n"])
    let store = try await ItemStore.open(folder.path)
    let colors = store.list(of: Color.self, FetchRequest(sort: ["name"]))
    let names = colors.mapped(\.name)
    let red = store.live("red", as: Color.self)
    for hex in 100..<130 {
      let observer = Observer()
      observer.observe { [red.value?.hex ?? "none"] }
      try folder.write("name: red\nhex: h\(hex)\n", to: "red.yaml")
      try folder.write("name: c\(hex)\nhex: h\n", to: "c\(hex).yaml")
      await store.settled()
      #expect(colors.snapshot[id: "red"]?.hex == "h\(hex)")
      #expect(colors.snapshot.first?.name == "c100")
      #expect(colors.snapshot.count == hex - 98)
      #expect(names.snapshot.count == hex - 98)
      #expect(red.value?.hex == "h\(hex)")
      #expect(observer.seen.count == 1)
    }
  }
}
