import Files
import Foundation
import Glibc
@testable import Models
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch
import Streams

@testable import Folder
@testable import Query

/// Attempts to lose an update, or to make the worker wait for itself.
@Suite(.timeLimit(.minutes(3)))
struct StoreWorkerTests {
  private static let settings: RelativePath = ".notes-watch.yaml"

  final class Box<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
      self.value = Mutex(value)
    }

    var current: Value { value.withLock { $0 } }
  }

  static func folder() throws -> TemporaryFolder {
    try TemporaryFolder([
      "a.yaml": "n: 1\nm: 2\n", "b.yaml": "n: 2\nm: 1\n",
      ".notes-watch.yaml": "views: {v: {sort: n}, w: {sort: -n}}",
    ])
  }

  private static func view(_ name: String) -> RequestResolver {
    { settings throws(SettingsError) in try settings.view(named: name).request }
  }

  @Test func `a reader on the queue of the store gets each step before the next one`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let queue = QueueExecutor("store and reader")
    let store = try ItemStore(at: folder.path, watching: false, options: StoreOptions(), on: queue)
    let results = store.list(FetchRequest())
    let (_, steps) = results.snapshotAndSteps()
    let counts = Box<[Int]>([])
    let reader = Task(executorPreference: queue) {
      while let step = await steps.nextStep() { counts.value.withLock { $0.append(step.new.count) } }
    }
    let paths: [RelativePath] = ["b.yaml", "c.yaml"]
    for path in paths { try folder.write("n: 2\n", to: path.description) }
    await withTaskExecutorPreference(queue) {
      // Both messages are sent before the worker, which waits on the same queue, gets the first one.
      await withTaskGroup(of: Void.self) { group in
        for path in paths {
          group.addTask {
            await withCheckedContinuation {
              store.messages.send(
                .dirty(DirtyPaths(files: [path]), following: nil, isCertain: true, reply: $0))
            }
          }
        }
      }
    }
    await queue.run {}
    #expect(counts.current == [2, 3])
    #expect(results.snapshot.count == 3)
    reader.cancel()
  }

  // MARK: The caller's code runs outside of all locks

  @Test func `a request resolver may ask the store and its lists when the settings are edited`() async throws
  {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let list = Box<LiveList<Item>?>(nil)
    let calls = Box(0)
    let other = store.list(FetchRequest())
    let results = try store.list { [weak store] settings throws(SettingsError) in
      calls.value.withLock { $0 += 1 }
      _ = (
        store?.settings, store?.count, store?.item("a"), store?.problems, store?.counters,
        store?.makeEditScope()
      )
      _ = (other.snapshot.count, other.search, other.subscribe())
      if let own = list.current { _ = (own.snapshot.count, own.request, own.subscribe()) }
      _ = store?.list(FetchRequest(search: "a")).snapshot
      return try settings.view(named: "v").request
    }
    list.value.withLock { $0 = results }
    defer { list.value.withLock { $0 = nil } }
    try folder.write("views: {v: {sort: -n}}", to: ".notes-watch.yaml")
    try await withDeadline { await store.scan(DirtyPaths(files: [Self.settings])) }
    #expect(results.snapshot.text == "b a")
    #expect(calls.current > 1)
  }

  @Test func `a request resolver may change a list when the settings are edited`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let other = store.list(FetchRequest())
    let results = try store.list { settings throws(SettingsError) in
      other.search = settings.ignore.first ?? ""
      return try settings.view(named: "v").request
    }
    try folder.write("views: {v: {sort: -n}}\nignore: [x]", to: ".notes-watch.yaml")
    try await withDeadline { await store.scan(DirtyPaths(files: [Self.settings])) }
    #expect(results.snapshot.text == "b a")
    #expect(other.search == "x")
  }

  @Test func `a resolver that a list follows from now on may ask the list and the store`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let results = try store.list(Self.view("v"))
    let subscription = results.subscribe()
    _ = subscription.consumeEvent()
    let hasAnswer = try await withDeadline {
      let resolver: RequestResolver = { settings throws(SettingsError) in
        _ = (results.snapshot.count, results.search, store.settings, store.count)
        return try settings.view(named: "w").request
      }
      return try results.follow(resolver, answering: subscription).answer != nil
    }
    #expect(hasAnswer)
    #expect(results.snapshot.text == "b a")
  }

  @Test func `a change of the request may ask the list and the store`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let results = store.list(FetchRequest(search: "x"))
    let seen = try await withDeadline {
      let seen = Box<[String]>([])
      results.change { request in
        seen.value.withLock { $0.append("\(results.search) \(results.snapshot.count) \(store.count)") }
        request.search = ""
      }
      return seen.current
    }
    #expect(seen == ["x 0 2"])
    #expect(results.snapshot.count == 2)
  }

  @Test func `a change of the request may change the list`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let results = store.list(FetchRequest())
    try await withDeadline {
      results.change { request in
        results.sort = ["-n"]
        request.search = "a"
      }
    }
    #expect(results.request.sort == ["-n"])
    #expect(results.search == "a")
  }

  @Test func `decoding may ask its own list during a save`() async throws {
    struct Asking: Decodable, Identifiable, Equatable {
      static let list = Box<LiveList<Asking>?>(nil)
      var id: Int
      init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: PathKey.self).decode(Int.self, forKey: PathKey(stringValue: "n"))
        if let list = Asking.list.current { _ = (list.snapshot.count, list.request, list.search) }
      }
    }
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let list = store.list(of: Asking.self, FetchRequest(sort: ["n"]))
    Asking.list.value.withLock { $0 = list }
    defer { Asking.list.value.withLock { $0 = nil } }
    try await withDeadline { try await store.update("a", [.set("n", 9)]) }
    #expect(list.snapshot.map(\.id) == [2, 9])
  }

  // MARK: Nothing is lost

  @Test func `changes of a request from several threads are all made`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let results = store.list(FetchRequest())
    try await withDeadline {
      await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { for _ in 0..<50 { results.change { $0.offset += 1 } } } }
      }
    }
    #expect(results.offset == 400)
  }

  @Test func `a list shows the newest settings, whichever resolver it follows meanwhile`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    let results = try store.list(Self.view("v"))
    for round in 0..<40 {
      let fields = ["n", "m"][round % 2]
      try folder.write("views: {v: {sort: \(fields)}, w: {sort: -\(fields)}}", to: ".notes-watch.yaml")
      let name = ["w", "v"][round / 2 % 2]
      try await withDeadline {
        async let scan: Void = store.scan(DirtyPaths(files: [Self.settings]))
        _ = try results.follow(Self.view(name), answering: results.subscribe())
        await scan
      }
      #expect(results.request == (try store.settings.view(named: name).request), "round \(round)")
      #expect(results.snapshot.text == store.list(results.request).snapshot.text, "round \(round)")
    }
  }

  @Test func `a list that is made while the settings change shows the newest ones`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path)
    for round in 0..<40 {
      try folder.write("views: {v: {sort: \(["n", "-n"][round % 2])}}", to: ".notes-watch.yaml")
      let results = try await withDeadline {
        async let scan: Void = store.scan(DirtyPaths(files: [Self.settings]))
        let results = try (0..<5).map { _ in try store.list(Self.view("v")) }
        await scan
        return results
      }
      #expect(
        results.map(\.request.sort) == Array(repeating: [["n", "-n"][round % 2]], count: 5), "round \(round)")
    }
  }

  @Test func `many saves among thousands of dirty batches each return when every list has them`() async throws
  {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path, watching: true)
    let lists = [store.list(FetchRequest()), store.list(FetchRequest(sort: ["-k"]))]
    try await withDeadline(.seconds(120)) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            let id = Item.ID(printed: "new\(number)")
            try await store.insert(id, fields: ["k": .number(.integer(number))])
            for list in lists { #expect(list.snapshot.item(id) != nil) }
            try await store.update(id, [.set("k", .number(.integer(-number)))])
            for list in lists {
              #expect(list.snapshot.item(id)?.value(at: "k") == .number(.integer(-number)))
            }
          }
        }
        for _ in 0..<4 {
          group.addTask {
            for number in 0..<500 {
              await store.scan(DirtyPaths(files: [RelativePath(bytes: "new\(number % 40).yaml".utf8)]))
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(store.count == 42)
    for list in lists { #expect(list.snapshot.count == 42) }
  }

  @Test func `every list is given the same steps in the same order`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path, watching: true)
    let lists = (0..<3).map { _ in store.list(FetchRequest()) }
    let readers = lists.map { list in
      Task {
        var seen: [Int] = []
        for await update in list.updates {
          if case .number(.integer(let number))? = update.new.item("a")?.value(at: "n") {
            seen.append(number)
          }
          if seen.last == 60 { break }
        }
        return seen
      }
    }
    try await withDeadline(.seconds(60)) {
      for number in 2...60 { try await store.update("a", [.set("n", .number(.integer(number)))]) }
    }
    for reader in readers {
      let seen = try await withDeadline { await reader.value }
      #expect(seen == seen.sorted())
      #expect(seen.last == 60)
    }
  }

  @Test func `an update loop may save, and is given what it saved`() async throws {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path, watching: true)
    let results = store.list(FetchRequest())
    let count = try await withDeadline {
      for await update in results.updates {
        if update.new.count >= 6 { return update.new.count }
        try await store.insert(Item.ID(printed: "new\(update.new.count)"), fields: [:])
      }
      return 0
    }
    #expect(count == 6)
  }

  @Test func `a watching store ends with what is on disk after writes, saves and scans at once`() async throws
  {
    let folder = try Self.folder()
    let store = try ItemStore(at: folder.path, watching: true)
    let results = store.list(FetchRequest(sort: ["n"]))
    try await withDeadline(.seconds(90)) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            for number in 0..<50 { try folder.write("n: \(number)", to: "written\(writer).yaml") }
          }
          group.addTask {
            for number in 0..<10 {
              try await store.insert(Item.ID(printed: "saved\(writer)-\(number)"), fields: ["n": 1])
            }
          }
          group.addTask { for _ in 0..<20 { await store.scan(DirtyPaths(subtrees: [.root])) } }
        }
        try await group.waitForAll()
      }
      // The last writes may still be on their way.
      for await update in results.updates
      where (0..<4).allSatisfy({ update.new.item(Item.ID(printed: "written\($0)"))?.value(at: "n") == 49 })
        && update.new.count == 46
      {
        break
      }
    }
    #expect(
      results.snapshot.text
        == (try ItemStore(at: folder.path)).list(FetchRequest(sort: ["n"])).snapshot.text)
    #expect(store.problems == [])
  }

  /// Without leases a save waits for a grace period before its outcome is certain.
  static func storeWithoutLeases(_ folder: TemporaryFolder, grace: Duration) throws -> ItemStore {
    var abilities = FileSaver.Abilities()
    abilities.acquireLease = { _ in EACCES }
    abilities.grace = grace
    return ItemStore(
      try StoreWorker(at: folder.path, watching: false, options: StoreOptions(), abilities: abilities))
  }

  @Test func `a save that waits for its grace period holds up neither the lists nor other saves`()
    async throws
  {
    let folder = try Self.folder()
    let store = try Self.storeWithoutLeases(folder, grace: .seconds(3))
    let results = store.list(FetchRequest())
    let isDone = Box(false)
    let slow = Task {
      try await store.update("a", [.set("n", 9)])
      isDone.value.withLock { $0 = true }
    }
    try await withDeadline {
      for await update in results.updates where update.new.item("a")?.value(at: "n") == 9 { break }
      try await store.insert("new", fields: [:])
      await store.scan(DirtyPaths(files: ["b.yaml"]))
    }
    #expect(!isDone.current)
    #expect(results.snapshot.item("new") != nil)
    try await withDeadline { try await slow.value }
    // The replaced file, which was kept meanwhile, is gone.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == [".notes-watch.yaml", "a.yaml", "b.yaml", "new.yaml"])
  }

  @Test func `several saves that wait at once, also cancelled ones, are all answered`() async throws {
    let folder = try Self.folder()
    let store = try Self.storeWithoutLeases(folder, grace: .milliseconds(200))
    for name in 0..<6 { try folder.write("n: 0\n", to: "\(name).yaml") }
    await store.scan(DirtyPaths(subtrees: [.root]))
    let saves = (0..<6).map { name in
      Task { try await store.update(Item.ID(printed: "\(name)"), [.set("n", 1)]) }
    }
    for save in saves[..<3] { save.cancel() }
    for save in saves { try await withDeadline { try await save.value } }
    for name in 0..<6 { #expect(store.item(Item.ID(printed: "\(name)"))?.value(at: "n") == 1, "\(name)") }
  }
}
