import Glibc
import Logging
import Printing
import StateStore
import Store
import Synchronization

/// One folder of the daemon: opens it, waits for it while it is missing, and keeps its sinks.
///
/// Everything happens on its own queue, so a large folder does not delay the others. One lock
/// guards what other threads read.
final class FolderService: Sendable {
  enum Request {
    case open
    /// To continue with another configuration of the same folder.
    case apply(FolderConfiguration)
    /// To scan the folder again, and to continue its sinks.
    case refresh
    case stop
  }

  enum Phase {
    /// It is being read for the first time.
    case opening
    /// It does not exist yet. The sentence says so.
    case waiting(String)
    /// It cannot be opened. The sentence says why. It is retried.
    case failed(String)
    /// Clients and sinks get its lists.
    case open(OpenedFolder)
    /// The folder is not served, unless it is opened again.
    case closed

    var reason: String? {
      switch self {
      case .waiting(let reason), .failed(let reason): reason
      case .opening, .open, .closed: nil
      }
    }
  }

  private struct State {
    var configuration: FolderConfiguration
    var phase = Phase.opening
    var sinks: [SinkService] = []
    /// Opened with the end of the first attempt to open the folder.
    var firstReaders: [Latch] = []
    var loop: Task<Void, Never>?
    /// Logs the changes and the problems of files; nil while the folder is not open.
    var changes: Task<Void, Never>?
  }

  /// The absolute path, as the configuration has it.
  let path: String
  let meter = UpdateMeter()
  /// The daemon, which lives as long as the process.
  private let daemon: DaemonService
  /// Lock: guards the configuration, phase, sinks and tasks of the folder.
  private let state: Mutex<State>
  private let requests: AsyncStream<Request>.Continuation
  /// Queue: opens the folder, starts and stops its sinks, waits for their ends, and logs changes.
  /// Blocks in file calls and `write`.
  private let queue = QueueExecutor("folder")

  init(_ configuration: FolderConfiguration, of daemon: DaemonService) {
    path = configuration.path
    self.daemon = daemon
    state = Mutex(State(configuration: configuration))
    let (stream, requests) = AsyncStream<Request>.makeStream()
    self.requests = requests
    requests.yield(.open)
    let loop = Task(executorPreference: queue) { await self.run(stream) }
    state.withLock { $0.loop = loop }
  }

  private var environment: DaemonEnvironment { daemon.environment }

  // MARK: Reading

  var configuration: FolderConfiguration { state.withLock(\.configuration) }
  var phase: Phase { state.withLock(\.phase) }
  /// The sinks; none while the folder is not open.
  var sinks: [SinkService] { state.withLock(\.sinks) }

  func firstAttempt() async {
    let latch = Latch()
    state.withLock { state in
      if case .opening = state.phase { state.firstReaders.append(latch) } else { latch.open() }
    }
    await latch.wait()
  }

  // MARK: Requests

  /// The loop handles requests in the order in which they were made.
  func request(_ request: Request) { requests.yield(request) }

  /// Ends the sinks, and closes the folder. A folder that is just being read is not waited for.
  func stop() async {
    requests.yield(.stop)
    if case .opening = phase { return }
    await state.withLock(\.loop)?.value
  }

  // MARK: Loop

  private func run(_ requests: AsyncStream<Request>) async {
    var arrival: FolderArrival?
    for await request in requests {
      switch request {
      case .open:
        if case .open = phase { break }
        // Only one wait may exist at a time.
        arrival?.cancel()
        arrival = await open()
      case .apply(let configuration):
        let isSame = configuration.settings == self.configuration.settings
        if !isSame { await close() }
        state.withLock { $0.configuration = configuration }
        if case .open(let folder) = phase {
          await updateSinks(folder)
        } else if !isSame {
          arrival?.cancel()
          arrival = await open()
        }
      case .refresh: await refresh(&arrival)
      case .stop:
        arrival?.cancel()
        await close()
        self.requests.finish()
        // A request that came before the end must not open the folder again.
        return
      }
    }
  }

  private func change(to phase: Phase) {
    let readers = state.withLock { state in
      state.phase = phase
      defer { state.firstReaders = [] }
      return state.firstReaders
    }
    for reader in readers { reader.open() }
    daemon.folderChanged()
  }

  /// Tries to open the folder and start its sinks. Returns the wait for the next attempt; nil if it is open.
  private func open() async -> FolderArrival? {
    let next = opened()
    if case .open(let folder) = next {
      await startSinks(folder)
      environment.log.notice("\(path) is open: \(Wording.plainCount(folder.store.count, "item")).")
      logChanges(of: folder)
      change(to: next)
      return nil
    }
    if let reason = next.reason, reason != phase.reason {
      environment.log.warning("\(path) cannot be served yet: \(reason)")
    }
    change(to: next)
    let isMissing = if case .waiting = next { true } else { false }
    return FolderArrival(of: path, isMissing: isMissing, on: environment.waiting) { [requests] in
      requests.yield(.open)
    }
  }

  /// Opens the folder. Blocks until all of its items are read.
  private func opened() -> Phase {
    guard let root = realPath(path) else {
      return .waiting("The folder \(path) does not exist. It will be served as soon as it does.")
    }
    if let owner = daemon.claim(root, for: path) {
      return .failed("It is the same folder as \(owner), which is served already. Remove one of them.")
    }
    let settings = configuration.settings
    let log = environment.log
    do {
      var options = try settings.storeOptions { log.warning("\($0.description)") }
      if settings.usesCache { options.openCache = environment.openCache }
      let store = try ItemStore(at: path, watching: true, options: options)
      _ = CacheRecording(of: store)
      return .open(OpenedFolder(store: store, path: path, root: root, settings: settings))
    } catch {
      daemon.release(root, of: path)
      return access(path, F_OK) == 0 ? .failed("\(error)") : .waiting("\(error)")
    }
  }

  /// Logs each change of the folder's items from now on, one line per update, and each problem of a file
  /// when it is raised.
  private func logChanges(of folder: OpenedFolder) {
    let list = folder.store.list(FetchRequest())
    let shown = list.snapshot
    let steps = list.subscribe(after: shown)
    let (path, name, log) = (path, FolderName(path), environment.log)
    for problem in shown.problems { log.warning("\(name.description(of: problem))") }
    let task = Task(executorPreference: queue) {
      defer { withExtendedLifetime(list) {} }
      while let event = await steps.next() {
        if case .step(let update?, _) = event { log.info("\(path): \(update.summary)") }
        for case .raised(let problem) in event.problemChanges {
          log.warning("\(name.description(of: problem))")
        }
      }
    }
    state.withLock { $0.changes = task }
  }

  private func close() async {
    state.withLock { exchange(&$0.changes, with: nil) }?.cancel()
    let last = phase
    // From now on, no client gets the store.
    change(to: .closed)
    if case .open(let folder) = last { daemon.closeClients(of: folder.root) }
    await stopSinks()
    if case .open(let folder) = last { daemon.release(folder.root, of: path) }
  }

  private func refresh(_ arrival: inout FolderArrival?) async {
    guard case .open(let folder) = phase else {
      arrival?.cancel()
      arrival = await open()
      return
    }
    for sink in sinks { sink.proceed() }
    // It may wait for git; other requests must not.
    Task(executorPreference: environment.waiting) { await folder.store.refresh() }
  }

  // MARK: Sinks

  /// Starts the sinks, and waits until they get every change.
  private func startSinks(_ folder: OpenedFolder) async {
    let sinks = configuration.sinks.map { SinkService($0, folder, meter, environment) }
    state.withLock { $0.sinks = sinks }
    for sink in sinks { await sink.start.wait() }
  }

  private func updateSinks(_ folder: OpenedFolder) async {
    let wanted = configuration.sinks
    let old = sinks
    let kept = old.filter { wanted.contains($0.configuration) }
    // A sink can start only after the previous one of its name has released the state.
    await SinkService.stop(old.filter { !wanted.contains($0.configuration) })
    let byName = Dictionary(kept.map { ($0.configuration.name, $0) }) { first, _ in first }
    let sinks = wanted.map { byName[$0.name] ?? SinkService($0, folder, meter, environment) }
    state.withLock { $0.sinks = sinks }
  }

  private func stopSinks() async {
    await SinkService.stop(sinks)
    state.withLock { $0.sinks = [] }
  }
}
