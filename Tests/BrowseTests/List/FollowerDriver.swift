import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Browse

/// Words that a test's forms understand: `field=text`, `field=` to remove the field.
let testWords: FieldWordParser = { words, fields in
  try words.map { word in
    guard let sign = word.firstIndex(of: "=") else { throw TestWordError(word: word) }
    let path = try FieldPath(parsing: String(word[..<sign]))
    let text = String(word[word.index(after: sign)...])
    return text.isEmpty ? .remove(path) : .set(path, .string(text))
  }
}

/// The error of a word without `=`.
struct TestWordError: Error, CustomStringConvertible {
  let word: String
  var description: String { "`\(word)` is not a field assignment." }
}

/// A follower of a folder, with what it has reported so far.
final class FollowerDriver {
  private(set) var reports: [ListReport] = []
  private(set) var outcomes: [ActionOutcome] = []
  private(set) var documents: [ItemDocument] = []
  private(set) var filesRead: [Int] = []
  let follower: ListFollower
  private let wakes: AsyncStream<Void>

  /// The newest list, as a screen shows it.
  var snapshot: ListSnapshot<Item>? { reports.last?.snapshot }
  /// The ids of the newest list, in order.
  var ids: [String] { snapshot?.list.itemIdentifiers.map(\.description) ?? [] }

  init(_ source: ListSource) {
    let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.wakes = wakes
    follower = ListFollower(source) { wake.yield() }
  }

  deinit { follower.stop() }

  /// Starts a follower of a folder, and waits for its first list.
  static func open(
    _ folder: TemporaryFolder, view: String? = nil, options: StoreOptions = StoreOptions()
  ) async throws -> FollowerDriver {
    let driver = FollowerDriver(
      ListSource(folder.path, options: options, view: view) { StoreActions($0, parsing: testWords).perform })
    driver.follower.start()
    try await driver.wait { !driver.reports.isEmpty }
    return driver
  }

  /// Takes what there is.
  func take() throws {
    for event in try follower.takeEvents() {
      switch event {
      case .progress(let count): filesRead.append(count)
      case .list(let report): reports.append(report)
      case .document(let document): documents.append(document)
      case .outcome(let outcome): outcomes.append(outcome)
      default: Issue.record("a follower sends no such event")
      }
    }
  }

  /// Takes what comes until a condition holds. A deadline ends the wait with an issue.
  func wait(_ what: String = "", sourceLocation: SourceLocation = #_sourceLocation, until isDone: () -> Bool)
    async throws
  {
    // Not a poll: what comes wakes the loop below, and this is its deadline.
    let timer = Task { [follower] in
      try await Task.sleep(for: .seconds(20 * Patience.factor))
      follower.report(ActionOutcome("The deadline of the test has passed.", isFailure: true))
    }
    defer { timer.cancel() }
    try take()
    if isDone() { return }
    for await _ in wakes {
      try take()
      if isDone() { return }
      guard outcomes.last?.message.hasPrefix("The deadline") != true else {
        Issue.record("waited in vain \(what)", sourceLocation: sourceLocation)
        throw CancellationError()
      }
    }
  }

  /// Performs an action on rows as the newest snapshot has them, and returns its outcome.
  func perform(_ action: (FollowerDriver) -> ItemAction) async throws -> ActionOutcome {
    let count = outcomes.count
    follower.perform(action(self))
    try await wait("for an outcome") { self.outcomes.count > count }
    return try #require(outcomes.last)
  }

  /// The rows with some ids, as they are painted now.
  func painted(_ ids: Item.ID...) -> [PaintedItem] {
    ids.compactMap { id in snapshot?[id: id].map { PaintedItem(id, $0.revision) } }
  }
}
