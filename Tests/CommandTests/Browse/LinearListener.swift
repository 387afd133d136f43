import PlainStore
import TestSupport

@testable import Browse
@testable import notes_watch

/// A person who uses the linear form on a folder, without a program: what is typed goes to the
/// model, and its effects are performed on a store.
final class LinearListener {
  let folder: TemporaryFolder
  let store: ItemStore
  private let results: FetchedResults
  private let subscription: ResultsSubscription
  private let actions: StoreActions
  private var browser: LinearBrowser
  /// The items that the editor was opened for.
  private(set) var edited: [PaintedItem] = []
  /// How the program ended; nil while it runs.
  private(set) var end: BrowseEnd?
  /// The lines that were printed since the last call of `heard()`.
  private var lines: [String] = []

  init(
    _ files: [String: String], request: FetchRequest = FetchRequest(sort: ["@id"]),
    options: LinearBrowser.Options = LinearBrowser.Options(folder: "notes")
  ) throws {
    folder = try TemporaryFolder(files)
    store = try ItemStore(at: folder.path)
    results = store.results(request)
    subscription = results.subscribe()
    actions = StoreActions(store) { words, fields in try words.map { try Assignment($0) }.edits(of: fields) }
    browser = LinearBrowser(options)
  }

  /// Reports what changed in the list since the last report.
  func report() async throws {
    guard let event = subscription.consumeEvent() else { return }
    let update: ResultsUpdate? = if case .step(let update, _) = event { update } else { nil }
    try await perform(browser.handle(.list(report(update))))
  }

  private func report(_ update: ResultsUpdate?) -> ListReport {
    ListReport(update?.new ?? results.snapshot, update, settings: store.settings, isPolled: false)
  }

  /// Changes a file as another program does.
  func write(_ text: String?, to name: String) async throws {
    if let text { try folder.write(text, to: name) } else { try folder.remove(name) }
    await store.refresh()
  }

  /// Types lines, and returns what was printed.
  @discardableResult
  func type(_ lines: String...) async throws -> [String] {
    for line in lines { try await perform(browser.handle(.line(line))) }
    return heard()
  }

  func endInput() async throws { try await perform(browser.handle(.endOfInput)) }

  /// Returns what was printed since the last call.
  func heard() -> [String] {
    defer { lines = [] }
    return lines
  }

  private func perform(_ effects: [LinearBrowser.Effect]) async throws {
    for effect in effects {
      switch effect {
      case .print(let line): lines.append(line)
      case .screen(.act(.edit(let items))):
        edited = items
        try await perform(browser.handle(.outcome(ActionOutcome("Edited."))))
      case .screen(.act(let action)):
        var outcome = await actions.perform(action)
        outcome.action = action
        // The follower reports the list before the outcome.
        try await report()
        try await perform(browser.handle(.outcome(outcome)))
      case .screen(.load(let id)): try await perform(browser.handle(.document(ItemDocument(id, in: store))))
      case .screen(.change(let change)):
        results.change { $0.apply(change) }
        _ = subscription.consumeEvent()
        try await perform(browser.handle(.list(report(nil))))
      case .screen(.quit(let end)): self.end = end
      case .screen: break
      }
    }
  }
}

extension FetchRequest {
  fileprivate mutating func apply(_ change: RequestChange) {
    switch change {
    case .search(let text): search = text
    case .predicate(let predicate): self.predicate = predicate
    case .sort(let fields): sort = fields
    case .section(let section): self.section = section
    case .view: break
    }
  }
}
