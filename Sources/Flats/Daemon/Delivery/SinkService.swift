import Logging
import Printing
import Scripts
import Store
import Synchronization
import Processes
import Streams

/// One sink of a folder: its list, its state and its deliveries, on its own queue.
///
/// One lock guards what other threads read. The sink retries whatever fails for now.
final class SinkService: Sendable {
  enum Pause {
    case delay(Duration)
    /// Other settings of the folder: its view is not valid.
    case settings
    /// A call of `proceed()`: its options made it stop.
    case request
  }

  private struct State {
    var progress: SinkProgress
    /// The list; nil until it is open.
    var results: LiveList<Item>?
    var command: CommandSink?
    var isPaused = false
    var task: Task<Void, Never>?
  }

  let configuration: SinkConfiguration
  let folder: OpenedFolder
  let environment: DaemonEnvironment
  let meter: UpdateMeter
  /// Lock: guards the progress, the list, the command and the task of the sink.
  private let state: Mutex<State>
  private let wakeups: AsyncStream<Void>
  private let wakeup: AsyncStream<Void>.Continuation
  /// Opened when the sink gets every change from then on, or waits for something.
  let start = Latch()

  init(
    _ configuration: SinkConfiguration, _ folder: OpenedFolder, _ meter: UpdateMeter,
    _ environment: DaemonEnvironment
  ) {
    self.configuration = configuration
    self.folder = folder
    self.meter = meter
    self.environment = environment
    state = Mutex(State(progress: SinkProgress(runsInParts: configuration.runsInParts)))
    (wakeups, wakeup) = AsyncStream.makeStream()
    // Queue: opens the list and the position of the sink, starts its command or writes its file.
    // Blocks in file calls, `fsync`.
    let task = Task(executorPreference: QueueExecutor("sink")) { await self.run() }
    state.withLock { $0.task = task }
  }

  /// Ends sinks, all at the same time, and waits until their positions are written.
  static func stop(_ sinks: [SinkService]) async {
    let tasks = sinks.compactMap { sink in sink.state.withLock(\.task) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// Continues what failed too often, and starts what has stopped or waits.
  func proceed() {
    let (command, isPaused) = state.withLock { ($0.command, $0.isPaused) }
    command?.continueParked()
    if isPaused { wakeup.yield() }
  }

  // MARK: Progress

  var current: (progress: SinkProgress, newest: ListSnapshot<Item>?) {
    let (progress, results) = state.withLock { ($0.progress, $0.results) }
    return (progress, results?.snapshot)
  }

  func record(_ step: CommandProgress) {
    let time = environment.clock()
    state.withLock { $0.progress.apply(step, at: time) }
  }

  /// Logs a sentence, and keeps it for the status.
  func report(_ sentence: String) {
    environment.log.warning("\(name): \(sentence)")
    state.withLock { $0.progress.message = sentence }
  }

  /// Logs a sentence about something that delays nothing, unless it is the last one again.
  func warn(_ sentence: String) { log(sentence) { $0.message = sentence } }

  /// Records a failure. It is logged unless it is the last one again.
  func fail(_ sentence: String, as state: CommandProgress.State = .failed) {
    log(sentence) { $0.fail(sentence, as: state) }
  }

  private func log(_ sentence: String, _ change: (inout SinkProgress) -> Void) {
    let isNew = state.withLock { own in
      defer { change(&own.progress) }
      return own.progress.message != sentence
    }
    if isNew { environment.log.warning("\(name): \(sentence)") }
  }

  /// Records that the sink has stopped, as its options ask for.
  func stopped() { state.withLock { $0.progress.state = .stopped } }

  /// Logs lines of a command, and keeps the last ones for the status.
  func add(output bytes: [UInt8], label: String) {
    let lines = state.withLock { $0.progress.addOutput(bytes) }
    for line in lines { environment.log.info("[\(label)] \(line)") }
  }

  private var name: String { "\(folder.root), sink \(configuration.name)" }

  // MARK: Running

  func set(command: CommandSink?) { state.withLock { $0.command = command } }

  private func run() async {
    defer { start.open() }
    while !Task.isCancelled {
      await wait(for: await deliver())
    }
  }

  /// Waits for an event, for `proceed()` or for the end of the task.
  func wait(for pause: Pause) async {
    start.open()
    state.withLock { $0.isPaused = true }
    defer { state.withLock { $0.isPaused = false } }
    let reminder = reminder(of: pause)
    defer { withExtendedLifetime(reminder) {} }
    for await _ in wakeups { return }
  }

  func retryDelay() -> Duration {
    let failures = state.withLock { $0.progress.failures }
    var backoff = Backoff(max: .seconds(60))
    for _ in 0..<min(failures, 10) { _ = backoff.fail() }
    return backoff.fail()
  }

  private func deliver() async -> Pause {
    let results: LiveList<Item>
    do throws(SettingsError) {
      results = try folder.store.list(configuration.view.request)
    } catch {
      fail(error.description)
      return .settings
    }
    state.withLock { $0.results = results }
    // Cancelled at the end of this function.
    async let _: Void = followWarnings(about: results)
    let result: Pause?
    switch configuration.kind {
    case .run(let command): result = await run(command, results)
    case .file(let file): result = await append(to: file, results)
    }
    return result ?? .delay(retryDelay())
  }

  /// Logs the warnings about the view, and each one that begins to hold.
  private func followWarnings(about results: LiveList<Item>) async {
    let snapshot = results.snapshot
    let steps = results.subscribe(after: snapshot)
    for warning in snapshot.warnings { warn(warning.message) }
    while let warnings = await steps.nextWarnings() { for warning in warnings { warn(warning.message) } }
  }

  /// Makes the object that ends a pause when its event happens, unless it is released before.
  private func reminder(of pause: Pause) -> (any Sendable)? {
    switch pause {
    case .delay(let delay): Alarm(after: delay) { [wakeup] in wakeup.yield() }
    case .settings:
      // The closure is called now, and each time the settings change. They may have changed since
      // the view was found wrong.
      try? folder.store.list {
        [wakeup, known = folder.store.settings, resolve = configuration.view.request] settings in
        if settings != known || (try? resolve(settings)) != nil { wakeup.yield() }
        return FetchRequest(limit: 0)
      }
    case .request: nil
    }
  }
}

extension SinkConfiguration {
  /// True if a run can have only a part of the changes.
  fileprivate var runsInParts: Bool {
    guard case .run(let command) = kind else { return false }
    return command.options.isEach || command.options.splitsOnError
  }
}

extension SinkView {
  func definition(_ settings: Settings) throws(SettingsError) -> ViewDefinition {
    switch self {
    case .all: ViewDefinition()
    case .named(let name): try settings.view(named: name)
    case .defined(let view): view
    }
  }

  var request: RequestResolver {
    { settings throws(SettingsError) in try definition(settings).request }
  }
}
