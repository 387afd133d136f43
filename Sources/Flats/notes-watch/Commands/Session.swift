import ArgumentParser
import Glibc
import Printing
import StateStore
import Store
import Survey
import Streams

struct Session {
  let store: ItemStore
  let results: LiveList<Item>
  /// The view at the start, for the `hello` of a stream.
  let view: ViewDefinition
  let meter = UpdateMeter()
  /// Queue: answers signals, waits for the scan that `SIGHUP` asks for and for the command after `--`,
  /// and prints the warnings about the predicate that begin to hold. Blocks in `write` to standard error.
  let service = QueueExecutor("service")
  /// Writes what was read to the cache. Finish it before the program ends by itself.
  let recording: CacheRecording
  let request: RequestResolver
  private let name: FolderName

  init(
    _ folder: FolderOptions, _ options: ViewOptions, _ cache: CacheOptions, watching: WatchSettings? = nil,
    on queue: QueueExecutor? = nil
  ) throws {
    name = FolderName(folder.folder)
    store = try ItemStore(
      at: folder.folder, watching: watching != nil, options: folder.storeOptions(cache, watching), on: queue)
    recording = CacheRecording(of: store)
    let resolve = options.resolver(try options.definition())
    request = { settings throws(SettingsError) in try resolve(settings).request }
    do throws(SettingsError) {
      view = try resolve(store.settings)
      results = try store.list(request)
    } catch {
      if error.isMismatch { throw Failure(.usage, "--\(error)") }
      guard let problem = store.problem(of: error) else { throw Failure(.badSettings, error.advice) }
      throw Failure(.badSettings, quoting: name.description(of: problem))
    }
    // Both live as long as the process. Releasing a large list would delay its end.
    _ = Unmanaged.passRetained(results)
    _ = Unmanaged.passRetained(store)
  }

  /// Handles signals until one ends the program, and returns it. SIGHUP scans the folder again, or ends the
  /// program if its terminal was closed since the start; SIGUSR1 prints the counters.
  func serve(_ signals: AsyncStream<CInt>, hadTerminal: Bool, onHangup: @Sendable () -> Void) async -> CInt? {
    for await signal in signals {
      switch signal {
      case SIGHUP where !hadTerminal || Signals.haveTerminal:
        onHangup()
        // A refresh may wait for git; other signals must not.
        Task(executorPreference: service) { [store] in await store.refresh() }
      case SIGUSR1: StandardError.write(line: meter.line(store.counters))
      default: return signal
      }
    }
    return nil
  }

  func hintAtPredicate() {
    if let hint = results.request.predicate?.consumeHint() { StandardError.report("hint: \(hint)") }
  }

  func warnAboutFrontMatter() {
    for warning in store.frontMatterWarnings {
      StandardError.reportLine("warning: \(name.path(of: warning.path)): \(warning.message)")
    }
  }

  /// Warns about strings without quotes, and hints at unknown fields and comparisons that are never true.
  @discardableResult
  func hintAtRequest() -> ListSubscription {
    let snapshot = results.snapshot
    let steps = results.subscribe(after: snapshot)
    StandardError.report(notes: snapshot.hintMessages)
    return steps
  }

  func followWarnings(_ steps: ListSubscription) async {
    while let warnings = await steps.nextWarnings() {
      StandardError.report(notes: warnings.map(\.warningMessage))
    }
  }
}
