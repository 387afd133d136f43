import Dispatch
import PlainStore
import Synchronization
import TerminalDevice
import TerminalView

/// What the follower of the list reports, in the order in which the screen needs it. One thread
/// uses it.
final class BrowseFeed {
  private let follower: ListFollower
  private let wakeup: BrowseWakeup
  /// The newest list; nil before the first one.
  private(set) var snapshot: ResultsSnapshot?
  /// The failures of actions that the screen was not told.
  private var recording: CacheRecording?

  /// Starts to follow the list of a source.
  init(_ source: ListSource) {
    let wakeup = BrowseWakeup()
    self.wakeup = wakeup
    follower = ListFollower(source) { wakeup.signal() }
    follower.start()
  }

  /// The follower of the list.
  var list: ListFollower { follower }

  /// Ends each wait of a terminal when something is reported, from now on.
  func wake(_ terminal: TerminalWakeup) { wake { terminal.signal() } }

  /// Calls a closure on any thread when something is reported, from now on, and once for what was
  /// reported before.
  func wake(_ signal: @escaping @Sendable () -> Void) { wakeup.connect(signal) }

  /// Takes what was reported.
  ///
  /// - Throws: The `StoreError`, `SettingsError` or `Problem` because of which there is no list.
  func take() throws -> [ScreenEvent] {
    let events = try follower.takeEvents()
    for case .list(let report) in events { snapshot = report.snapshot }
    // The cache is written beside the screen, once.
    if recording == nil, snapshot != nil, let store = follower.store { recording = CacheRecording(of: store) }
    return events
  }

  /// Waits for the first list.
  ///
  /// - Parameter limit: The longest time to wait; nil to wait for the list or an error.
  /// - Returns: What was reported until then.
  func first(within limit: Duration?) throws -> [ScreenEvent] {
    let deadline = limit.map { ContinuousClock.now + $0 }
    var events = try take()
    while snapshot == nil, wakeup.wait(until: deadline) { events += try take() }
    return events
  }

  /// Completes every action that was asked for, and what is written beside the list.
  ///
  /// - Returns: What was reported about the actions.
  func finish() async throws -> [ScreenEvent] {
    await follower.finishActions()
    defer { follower.stop() }
    recording?.finish()
    return try take()
  }
}

/// Wakes the thread that waits for the list: first without a terminal, then at the terminal.
///
/// One lock guards what wakes it. Nothing else is locked while it is held.
private final class BrowseWakeup: Sendable {
  private let waker = Mutex<(@Sendable () -> Void)?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Wakes the thread.
  func signal() {
    if let wake = waker.withLock({ $0 }) { wake() } else { semaphore.signal() }
  }

  /// Waits for a signal.
  ///
  /// - Parameter deadline: When to return false; nil to wait without end.
  func wait(until deadline: ContinuousClock.Instant?) -> Bool {
    guard let deadline else {
      semaphore.wait()
      return true
    }
    let left = max(0, (deadline - .now) / .seconds(1))
    return semaphore.wait(timeout: .now() + left) == .success
  }

  /// Sends the signals from now on to a closure, and one for those before.
  func connect(_ new: @escaping @Sendable () -> Void) {
    waker.withLock { $0 = new }
    new()
  }
}
