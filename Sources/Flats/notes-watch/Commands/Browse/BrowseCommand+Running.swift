import ArgumentParser
import Browse
import Daemon
import Glibc
import Printing
import Store
import SystemPackage
import Terminal
import Survey
import Streams

extension BrowseCommand {
  /// The wait before the first frame: a small folder is shown at once, and an error without drawing anything.
  private static let firstWait = Duration.milliseconds(8)

  func run() async throws {
    let keys = try UserConfiguration.keys()
    let (texts, edited) = AsyncStream<EditedTexts>.makeStream()
    let options = try folder.storeOptions(cache, watching)
    let source = try source(options, texts)
    do {
      // A mistake that is known before the items are read draws nothing.
      let settings = try SettingsFile.read(in: folder.folder, limits: options.limits)?.settings
      if let settings { _ = try source.request(settings, view.viewName) }
      let feed = BrowseFeed(source)
      let needsList = settings == nil || choosing.selectsOnly || choosing.exitsWhenEmpty
      let events = try feed.first(within: needsList ? nil : BrowseCommand.firstWait)
      let end: BrowseEnd
      if let list = feed.snapshot, let choice = firstChoice(list) {
        // No screen shows them.
        StandardError.report(notes: list.warnings.map(\.warningMessage))
        end = choice
      } else {
        end = try await show(feed, events, keys, openFile: { open($0, options) }) {
          edited.yield(edit($0, options))
        }
      }
      try finish(end, feed)
    } catch let error as Problem {
      throw Failure(.badSettings, quoting: FolderName(folder.folder).description(of: error))
    } catch let error as SettingsError {
      throw Failure(.badSettings, error.advice)
    }
  }

  private func source(_ options: StoreOptions, _ texts: AsyncStream<EditedTexts>) throws -> ListSource {
    let own = try view.definition()
    let first = view.viewName
    var source = ListSource(
      folder.folder, options: options, view: first,
      request: { settings, name throws(SettingsError) in
        // The options replace parts of the view with which the program began, not those of other views.
        guard let name else { return first == nil ? own.request : FetchRequest() }
        let view = try settings.view(named: name)
        return (name == first ? view.overridden(by: own) : view).request
      },
      actions: { BrowseCommand.actions(of: $0, limits: options.limits, saving: texts) })
    source.showsSimilarNames = choosing.form == nil
    source.notices = { store in
      store.frontMatterWarnings.map { DisplayText.safe("Warning: \($0.path): \($0.message)") }
    }
    return source
  }

  private func firstChoice(_ list: ListSnapshot<Item>) -> BrowseEnd? {
    if choosing.exitsWhenEmpty, list.isEmpty { return .nothing }
    guard choosing.selectsOnly, list.count == 1, let only = list.list.itemIdentifiers.first else {
      return nil
    }
    return .chosen([only], Key(.enter))
  }

  private func show(
    _ feed: BrowseFeed, _ events: [ScreenEvent], _ keys: KeyMap,
    openFile: @escaping (Problem) -> String?, openEditor: @escaping ([PaintedItem]) -> Void
  ) async throws -> BrowseEnd {
    var terminal = TerminalOptions()
    terminal.height = height
    terminal.usesColors = colors.color.isAlways
    terminal.interruptKeys = Set(keys.keys(of: .interrupt).filter { $0.modifiers.contains(.control) })
    let device: TerminalDevice
    do throws(Errno) {
      device = try TerminalDevice(terminal, wakeup: feed.wakeup)
    } catch {
      throw Failure(.unavailable, TerminalDevice.advice(opening: error))
    }
    var options = ScreenOptions()
    options.isFilter = choosing.form != nil
    options.isMulti = choosing.multi
    options.searchesFirst = searchesFirst
    options.expected = try choosing.expectedKeys()
    options.keys = keys
    options.checkWord = { word in
      do throws(Failure) {
        _ = try [Assignment](words: [word])
        return nil
      } catch {
        return (error.column, error.message)
      }
    }
    options.search = try feed.snapshot?.request.typedSearch ?? view.definition().request.typedSearch
    // The same text prepares the search of the first key.
    if searchesFirst { feed.list.change(.search(options.search)) }
    options.name = FolderName(folder.folder).path(of: .root)
    options.view = view.viewName
    var loop = BrowseLoop(device, feed, Screen(size: device.size, options: options), openFile, openEditor)
    let end = Result { try loop.run(beginningWith: events) }
    try await finishActions(of: feed)
    return try end.get()
  }

  /// Completes the actions, even after a terminal that failed, and says which ones were refused.
  private func finishActions(of feed: BrowseFeed) async throws {
    for case .outcome(let outcome) in try await feed.finish() where outcome.isFailure {
      StandardError.report(outcome.message)
    }
  }

  private func finish(_ end: BrowseEnd, _ feed: BrowseFeed) throws {
    switch end {
    case .closed: Signals.end(by: SIGHUP)
    case .interrupted: throw ExitCode(130)
    case .nothing: if choosing.form != nil { throw ExitCode(1) }
    case .chosen(let ids, let key):
      let expected = try choosing.expectedKeys().contains(key)
      let items = choosing.lines(
        of: ids, key: expected ? key : nil, folder: folder.folder, list: feed.snapshot,
        isTerminal: StandardOutput.isTerminal
      ) { feed.list.store?.item($0) }
      try StandardOutput().write(items.lines)
      for failure in items.failures { StandardError.reportLine(failure.message) }
      if let failure = items.failures.first { throw failure.code }
    }
  }
}
