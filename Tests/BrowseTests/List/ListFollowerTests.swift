import Store
import TestSupport
import Testing
import Values

@testable import Browse

@Suite struct ListFollowerTests {
  private let settings = "views: {best: {sort: [-n], where: n > 1}, all: {}}\n"

  private func numbered(_ count: Int) throws -> TemporaryFolder {
    try TemporaryFolder(
      Dictionary(
        uniqueKeysWithValues: (0..<count).map { ("\($0).yaml", "n: \($0)\nword: w\($0 % 3)\n") } + [
          (".notes-watch.yaml", settings)
        ]))
  }

  @Test func `the first list comes after the progress`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell("for i in $(seq 600); do echo 'n: 1' > $i.yaml; done")
    let driver = FollowerDriver(ListSource(folder.path) { StoreActions($0, parsing: testWords).perform })
    driver.follower.start()
    try await driver.wait { !driver.reports.isEmpty || !driver.filesRead.isEmpty }
    try await driver.wait { !driver.reports.isEmpty }
    #expect(driver.filesRead.allSatisfy { $0 > 0 && $0 <= 600 })
    #expect(driver.snapshot?.count == 600)
    #expect(driver.reports.first?.update == nil)
    #expect(driver.reports.first?.isPolled == false)
  }

  @Test func `nothing is reported while nothing changes`() async throws {
    let folder = try numbered(3)
    let driver = try await FollowerDriver.open(folder, view: "best")
    for _ in 0..<3 { await driver.follower.store?.settled() }
    // What was put before this document is taken with it.
    driver.follower.load(.item("2"))
    try await driver.wait { !driver.documents.isEmpty }
    withExtendedLifetime(folder) {}
    #expect(driver.reports.count == 1)
  }

  @Test func `a change of a file is one report with its update`() async throws {
    let folder = try numbered(3)
    let driver = try await FollowerDriver.open(folder)
    try folder.write("n: 7\n", to: "3.yaml")
    try await driver.wait { driver.ids.count == 4 }
    #expect(driver.reports.last?.update?.changes.map(\.element.id) == ["3"])
    #expect(driver.reports.last?.update?.origin == .files)
  }

  @Test func `the list of the newest search is reported without an update`() async throws {
    let folder = try numbered(9)
    let driver = try await FollowerDriver.open(folder)
    for text in ["w", "w1", "w", "w2"] { driver.follower.change(.search(text)) }
    try await driver.wait { driver.snapshot?.request.typedSearch == "w2" }
    #expect(driver.ids == ["2", "5", "8"])
    #expect(driver.reports.last?.update == nil)
  }

  @Test func `a change of a file beside a search keeps its update`() async throws {
    let folder = try numbered(9)
    let driver = try await FollowerDriver.open(folder)
    try folder.write("n: 2\nword: other\n", to: "2.yaml")
    await driver.follower.store?.settled()
    driver.follower.change(.search("w2"))
    try await driver.wait { driver.ids == ["5", "8"] }
    #expect(driver.reports.contains { $0.update?.changes.map(\.element.id) == ["2"] })
    #expect(driver.reports.allSatisfy { ($0.update?.changes.count ?? 0) < 2 })
  }

  @Test func `a change before the list is open is made when it is`() async throws {
    let folder = try numbered(9)
    let driver = FollowerDriver(ListSource(folder.path) { StoreActions($0, parsing: testWords).perform })
    driver.follower.change(.search("w1"))
    driver.follower.start()
    try await driver.wait { driver.ids == ["1", "4", "7"] }
  }

  @Test func `choosing a view takes its order and keeps the search`() async throws {
    let folder = try numbered(9)
    let driver = try await FollowerDriver.open(folder)
    driver.follower.change(.search("w1"))
    driver.follower.change(.sort(["word"]))
    driver.follower.change(.view("best"))
    try await driver.wait { driver.ids == ["7", "4"] }
    driver.follower.change(.predicate(ItemPredicate("n < 5")))
    try await driver.wait { driver.ids == ["4", "1"] }
    driver.follower.change(.predicate(nil))
    try await driver.wait { driver.ids == ["7", "4"] }
    driver.follower.change(.view(nil))
    try await driver.wait { driver.ids == ["1", "4", "7"] }
  }

  @Test func `a view that does not exist is refused, and what was asked for beside it is done`() async throws
  {
    let folder = try numbered(3)
    let driver = try await FollowerDriver.open(folder, view: "best")
    driver.follower.change(.view("wurst"))
    driver.follower.change(.search("2"))
    try await driver.wait { !driver.outcomes.isEmpty && driver.snapshot?.request.typedSearch == "2" }
    #expect(driver.outcomes.first?.isFailure == true)
    #expect(driver.outcomes.first?.message.contains("There is no view `wurst`") == true)
    #expect(driver.snapshot?.request.sort == ["@relevance", "-n"])
  }

  @Test func `similar names are shown if nothing matches, until something does`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "title: Packing list\n", "b.yaml": "title: Garden\n"])
    let driver = try await FollowerDriver.open(folder)
    driver.follower.change(.search("pkng"))
    try await driver.wait { driver.ids == ["a"] }
    #expect(driver.snapshot?.request.showsSimilarNames == true)
    try folder.write("title: pkng\n", to: "c.yaml")
    try await driver.wait { driver.ids == ["c"] }
    #expect(driver.snapshot?.request.showsSimilarNames == false)
    driver.follower.change(.search("zzz"))
    try await driver.wait { driver.ids == [] }
    #expect(driver.snapshot?.request.showsSimilarNames == false)
    driver.follower.change(.search("gdn"))
    try await driver.wait { driver.ids == ["b"] }
    driver.follower.change(.predicate(ItemPredicate("title = \("Garden")")))
    try await driver.wait { driver.snapshot?.request.predicate != nil }
    #expect(driver.ids == ["b"])
    #expect(driver.outcomes.isEmpty)
  }

  @Test func `a search that finds a problem shows no similar names`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "title: Worn set\n", "worse.yaml": "n: [\n"])
    let driver = try await FollowerDriver.open(folder)
    driver.follower.change(.search("worse"))
    try await driver.wait { driver.snapshot?.request.typedSearch == "worse" }
    #expect(driver.ids == [])
    #expect(driver.snapshot?.problemRows.map(\.path) == ["worse.yaml"])
  }

  @Test func `an edit of the view's settings changes the list`() async throws {
    let folder = try numbered(4)
    let driver = try await FollowerDriver.open(folder, view: "best")
    #expect(driver.ids == ["3", "2"])
    try folder.write("views: {best: {sort: [n]}}\n", to: ".notes-watch.yaml")
    try await driver.wait { driver.ids == ["0", "1", "2", "3"] }
    #expect(driver.reports.last?.settings.views.keys.sorted() == ["best"])
  }

  @Test func `a new view is reported although the list stays the same`() async throws {
    let folder = try numbered(4)
    let driver = try await FollowerDriver.open(folder)
    try folder.write("views: {other: {}}\n", to: ".notes-watch.yaml")
    try await driver.wait { driver.reports.last?.settings.views.keys.sorted() == ["other"] }
  }

  @Test func `the list stays as it is if its view disappears, and that is a problem`() async throws {
    let folder = try numbered(4)
    let driver = try await FollowerDriver.open(folder, view: "best")
    try folder.write("views: {other: {}}\n", to: ".notes-watch.yaml")
    try await driver.wait { driver.snapshot?.problems.isEmpty == false }
    #expect(driver.ids == ["3", "2"])
    #expect(driver.snapshot?.problems.first?.message.contains("There is no view `best`") == true)
    // Other items are followed on.
    try folder.write("n: 9\n", to: "9.yaml")
    try await driver.wait { driver.ids == ["9", "3", "2"] }
    try folder.write(settings, to: ".notes-watch.yaml")
    try await driver.wait { driver.snapshot?.problems.isEmpty == true }
  }

  @Test func `settings that cannot be read are a problem, and the list stays`() async throws {
    let folder = try numbered(4)
    let driver = try await FollowerDriver.open(folder, view: "best")
    try folder.write("views: [\n", to: ".notes-watch.yaml")
    try await driver.wait { driver.snapshot?.problems.isEmpty == false }
    #expect(driver.ids == ["3", "2"])
  }

  @Test func `a folder or a view that does not exist is an error`() async throws {
    let folder = try numbered(1)
    for source in [
      ListSource("\(folder.path)/none") { StoreActions($0, parsing: testWords).perform },
      ListSource(folder.path, view: "none") { StoreActions($0, parsing: testWords).perform },
    ] {
      let driver = FollowerDriver(source)
      driver.follower.start()
      await #expect(throws: (any Error).self) { try await driver.wait { !driver.reports.isEmpty } }
      #expect(driver.reports.isEmpty)
    }
  }

  @Test func `the document of the newest item is read, with its problem`() async throws {
    let folder = try numbered(3)
    try folder.write("n: [\n", to: "2.yaml")
    let driver = try await FollowerDriver.open(folder)
    driver.follower.load(.item("0"))
    driver.follower.load(.item("1"))
    try await driver.wait { driver.documents.last?.row == .item("1") }
    let document = try #require(driver.documents.last)
    #expect(document.path == "1.yaml")
    #expect(document.bytes == Array("n: 1\nword: w1\n".utf8))
    #expect(document.problems.isEmpty)
    try folder.write("n: [\n", to: "1.yaml")
    try await driver.wait { driver.snapshot?.problems.count == 2 }
    driver.follower.load(.item("1"))
    try await driver.wait { driver.documents.last?.problems.count == 1 }
    #expect(driver.documents.last?.bytes == Array("n: [\n".utf8))
  }

  @Test func `the document of an item that is gone has no bytes`() async throws {
    let folder = try numbered(1)
    let driver = try await FollowerDriver.open(folder)
    driver.follower.load(.item("none"))
    try await driver.wait { driver.documents.last?.row == .item("none") }
    #expect(driver.documents.last?.bytes == nil)
  }

  @Test func `a document is read again when only a comment in its file changed`() async throws {
    let folder = try numbered(3)
    let driver = try await FollowerDriver.open(folder)
    driver.follower.load(.item("1"))
    try await driver.wait { driver.documents.last?.row == .item("1") }
    try folder.write("n: 1\nword: w1 # new\n", to: "1.yaml")
    try await driver.wait { driver.documents.last?.bytes == Array("n: 1\nword: w1 # new\n".utf8) }
    #expect(driver.reports.allSatisfy { $0.update == nil })
  }

  @Test func `a polled folder is reported as such`() async throws {
    var options = StoreOptions()
    options.watch.polling = .always
    let folder = try numbered(1)
    let driver = try await FollowerDriver.open(folder, options: options)
    #expect(driver.reports.last?.isPolled == true)
  }

  @Test func `a folder that goes and comes is a message`() async throws {
    let folder = try numbered(2)
    let driver = try await FollowerDriver.open(folder)
    try folder.rename(to: folder.path + "-moved")
    try await driver.wait { driver.outcomes.contains { $0.isFailure } }
    _ = try Shell.run("mv \(folder.path)-moved \(folder.path)", in: "/")
    try await driver.wait { driver.outcomes.contains { !$0.isFailure } }
    try await driver.wait { driver.ids == ["0", "1"] }
  }

  @Test func `a stopped follower is released`() async throws {
    let folder = try numbered(2)
    let (releases, release) = AsyncStream<Bool>.makeStream()
    // A deadline: a follower that is not released reports nothing.
    let timer = Task {
      try await Task.sleep(for: .seconds(20 * Patience.factor))
      release.yield(false)
    }
    do {
      // The source of the follower holds the token.
      let token = ReleaseToken { release.yield(true) }
      let source = ListSource(folder.path) { store in
        withExtendedLifetime(token) { StoreActions(store, parsing: testWords).perform }
      }
      let driver = FollowerDriver(source)
      driver.follower.start()
      try await driver.wait { !driver.reports.isEmpty }
      driver.follower.stop()
    }
    let isReleased = await releases.first { _ in true }
    timer.cancel()
    #expect(isReleased == true)
  }

  @Test func `a field that no item has is a hint, from the start and when it is chosen`() async throws {
    let folder = try numbered(2)
    let source = ListSource(
      folder.path, request: { _, _ in FetchRequest(sort: ["nosuch"]) },
      actions: { StoreActions($0, parsing: testWords).perform })
    let driver = FollowerDriver(source)
    driver.follower.start()
    try await driver.wait { !driver.outcomes.isEmpty }
    #expect(driver.outcomes.map(\.message).first?.hasPrefix("Hint: no item has the field `nosuch`.") == true)
    driver.follower.change(.sort(["n"]))
    try await driver.wait { driver.snapshot?.request.sort == ["n"] }
    driver.follower.change(.sort(["other"]))
    try await driver.wait { driver.outcomes.count > 1 }
    #expect(driver.outcomes.map(\.message).last?.hasPrefix("Hint: no item has the field `other`.") == true)
    #expect(driver.outcomes.count == 2)
  }

  @Test func `notices about the store come after the first list, once`() async throws {
    let folder = try numbered(2)
    var source = ListSource(folder.path) { StoreActions($0, parsing: testWords).perform }
    source.notices = { ["\($0.count) items have a notice."] }
    let driver = FollowerDriver(source)
    driver.follower.start()
    try await driver.wait { !driver.outcomes.isEmpty }
    #expect(driver.snapshot?.count == 2)
    try folder.write("n: 7\n", to: "3.yaml")
    try await driver.wait { driver.ids.count == 3 }
    #expect(driver.outcomes.map(\.message) == ["2 items have a notice."])
    #expect(driver.reports.last?.storeCount == 3)
  }

  @Test func `a predicate that takes too long for an item is a hint from the start`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "name: \(String(repeating: "a", count: 60))!\n"])
    let slow = ItemPredicate("name MATCHES '^(a+)+$'")
    let source = ListSource(
      folder.path, request: { _, _ in FetchRequest(predicate: slow) },
      actions: { StoreActions($0, parsing: testWords).perform })
    let driver = FollowerDriver(source)
    driver.follower.start()
    try await driver.wait { !driver.outcomes.isEmpty }
    #expect(driver.outcomes.first?.message.hasPrefix("Hint: A LIKE or MATCHES of") == true)
  }

  @Test func `a burst is few reports, and none is lost`() async throws {
    let folder = try numbered(100)
    let driver = try await FollowerDriver.open(folder)
    try folder.shell("for i in $(seq 0 99); do echo 'n: 100' > $i.yaml; done")
    try await driver.wait { driver.snapshot?.allSatisfy { $0.value(at: "n") == 100 } == true }
    #expect(driver.reports.count > 1)
    for (before, after) in zip(driver.reports, driver.reports.dropFirst()) {
      #expect(after.update.map { $0.old.list == before.snapshot.list } ?? true)
    }
  }
}

/// Calls a closure when nothing holds it any more.
private final class ReleaseToken: Sendable {
  private let onRelease: @Sendable () -> Void

  init(_ onRelease: @escaping @Sendable () -> Void) {
    self.onRelease = onRelease
  }

  deinit { onRelease() }
}
