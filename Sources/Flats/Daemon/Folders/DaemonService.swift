import Glibc
import Logging
import Store
import Synchronization

/// The daemon: several folders with their sinks, and a socket for clients.
///
/// One loop handles signals, reloads and the watchdog; each folder and each sink has its own queue.
/// One lock guards what clients read.
package final class DaemonService: Sendable {
  enum Event {
    case signal(CInt)
    case folderChanged
    /// The service manager wants a sign of life.
    case watchdog
    /// Clients and folders have ended.
    case stopped
  }

  private struct State {
    var configuration: DaemonConfiguration
    var folders: [FolderService] = []
    /// The folders that a reload removed and whose sinks have not ended yet.
    var removed: [FolderService] = []
    /// The names of the folders for clients, by their paths. They stay after a reload: a client of a
    /// folder that was removed must not change another one that now has its name.
    var names: [String: String] = [:]
    /// The paths of the folders that are open, by their paths without links.
    var owners: [String: String] = [:]
    var clients: (any DaemonClients)?
  }

  let environment: DaemonEnvironment
  let started: Timestamp
  let socket: String
  private let reload: @Sendable () throws(ConfigurationFailure) -> DaemonConfiguration
  /// Lock: guards the configuration, the folders with their names and owners, and the clients.
  private let state: Mutex<State>
  private let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  package init(
    _ configuration: DaemonConfiguration, socket: String, _ environment: DaemonEnvironment,
    reload: @escaping @Sendable () throws(ConfigurationFailure) -> DaemonConfiguration
  ) {
    self.environment = environment
    self.socket = socket
    self.reload = reload
    started = environment.clock()
    state = Mutex(State(configuration: configuration))
    (events, continuation) = AsyncStream.makeStream()
  }

  // MARK: Reading

  var configuration: DaemonConfiguration { state.withLock(\.configuration) }
  /// The folders, in the order in which they were configured.
  var folders: [FolderService] { state.withLock(\.folders) }
  var clients: (any DaemonClients)? { state.withLock(\.clients) }

  /// All folders, with what is open of them. `makeName` returns a name besides those in use.
  package func servedFolders(naming makeName: (_ path: String, _ used: Set<String>) -> String)
    -> [(name: String, open: OpenedFolder?)]
  {
    let (folders, names) = state.withLock { state in
      for path in state.folders.map(\.path) where state.names[path] == nil {
        state.names[path] = makeName(path, Set(state.names.values))
      }
      return (state.folders, state.names)
    }
    return folders.map { folder in
      let name = names[folder.path] ?? ""
      if case .open(let opened) = folder.phase { return (name, opened) }
      return (name, nil)
    }
  }

  // MARK: Running

  /// SIGHUP reloads, SIGUSR1 logs the counters, and any other signal ends the daemon, the second one at once.
  package func handle(_ signal: CInt) { continuation.yield(.signal(signal)) }

  /// Serves the folders until a signal ends the daemon, and returns that signal. Call it once.
  package func run(_ clients: any DaemonClients) async -> CInt {
    let log = environment.log
    // With a socket of systemd, the first client waits already, and asks for a folder.
    start(configuration.folders)
    state.withLock { $0.clients = clients }
    await clients.accept()
    log.notice("notes-watch \(environment.version) serves \(socket), as \(configuration.file) says.")
    if let interval = environment.watchdogInterval { askForSignOfLife(every: interval) }
    return await handleEvents()
  }

  private func askForSignOfLife(every interval: Duration) {
    continuation.yield(.watchdog)
    environment.waiting.run(after: max(.milliseconds(1), interval)) { [weak self] in
      self?.askForSignOfLife(every: interval)
    }
  }

  private func handleEvents() async -> CInt {
    var isReady = false
    var end: CInt?
    for await event in events {
      switch event {
      case .watchdog: environment.notify(.watchdog)
      case .folderChanged:
        if !isReady, !isOpening {
          isReady = true
          environment.notify(.ready)
        }
        if isReady, end == nil { environment.notify(.status(summary)) }
      case .signal(SIGHUP): if end == nil { reloadConfiguration() }
      case .signal(SIGUSR1): logCounters()
      case .signal(let signal):
        if end != nil { return signal }
        end = signal
        environment.log.notice("The daemon ends (signal \(signal)).")
        environment.notify(.stopping)
        Task(executorPreference: environment.waiting) { await self.stop() }
      case .stopped: return end ?? SIGTERM
      }
    }
    return end ?? SIGTERM
  }

  private func stop() async {
    await clients?.stop()
    let ends = state.withLock { $0.folders + $0.removed }.map { folder in
      Task(executorPreference: environment.waiting) { await folder.stop() }
    }
    for end in ends { await end.value }
    continuation.yield(.stopped)
  }

  // MARK: Folders

  private func start(_ configurations: [FolderConfiguration]) {
    let started = configurations.map { FolderService($0, of: self) }
    state.withLock { $0.folders += started }
  }

  /// Records that a configured folder is open. Returns the path of another one that is the same folder.
  func claim(_ root: String, for path: String) -> String? {
    state.withLock { state in
      if let owner = state.owners[root], owner != path { return owner }
      state.owners[root] = path
      return nil
    }
  }

  func release(_ root: String, of path: String) {
    state.withLock { if $0.owners[root] == path { $0.owners[root] = nil } }
  }

  func folderChanged() { continuation.yield(.folderChanged) }

  func closeClients(of root: String) { clients?.close(folder: root) }

  /// Reads the configuration again. Folders that stay keep their stores, and sinks that stay keep
  /// running. A file with mistakes changes nothing.
  private func reloadConfiguration() {
    environment.notify(.reloading)
    defer { environment.notify(.ready) }
    let new: DaemonConfiguration
    do throws(ConfigurationFailure) {
      new = try reload()
    } catch {
      for mistake in error.errors { environment.log.error("\(mistake)") }
      environment.log.error("The configuration is not reloaded, and the daemon continues with the old one.")
      for folder in folders { folder.request(.refresh) }
      return
    }
    if new.listen != configuration.listen {
      environment.log.warning("listen: The change takes effect when the daemon is started again.")
    }
    let wanted = Dictionary(new.folders.map { ($0.path, $0) }) { first, _ in first }
    let old = folders
    for folder in old {
      guard let configuration = wanted[folder.path] else {
        remove(folder)
        continue
      }
      if configuration != folder.configuration { folder.request(.apply(configuration)) }
      folder.request(.refresh)
    }
    let known = Set(old.map(\.path))
    state.withLock { $0.configuration = new }
    start(new.folders.filter { !known.contains($0.path) })
    environment.log.notice("The configuration is reloaded: \(summary).")
  }

  private func remove(_ folder: FolderService) {
    state.withLock { state in
      state.folders.removeAll { $0 === folder }
      state.removed.append(folder)
    }
    Task(executorPreference: environment.waiting) {
      await folder.stop()
      self.state.withLock { $0.removed.removeAll { $0 === folder } }
      // It may be listed under another path now.
      for other in self.folders { other.request(.open) }
    }
  }

  private var isOpening: Bool {
    folders.contains { if case .opening = $0.phase { true } else { false } }
  }
}

/// The clients of the daemon, which the program serves.
package protocol DaemonClients: Sendable {
  func accept() async

  /// Ends all clients, each after a complete line.
  func stop() async

  /// Ends the clients of a folder that is not served any more, by its path without links.
  func close(folder path: String)

  /// The number of all connections, and of the streams by the folders' paths without links.
  func counts() async -> (all: Int, folders: [String: Int])
}
