import Browse
import StateStore
import Store
import Terminal

/// The reports of the follower of the list, in the order in which the screen needs it. One thread
/// uses it.
final class BrowseFeed {
  private let follower: ListFollower
  /// Ends each wait when something is reported, also before there is a terminal.
  let wakeup = TerminalWakeup()
  /// The newest list; nil before the first one.
  private(set) var snapshot: ResultsSnapshot?
  /// Writes what was read to the cache.
  private var recording: CacheRecording?

  /// Starts to follow the list of a source.
  init(_ source: ListSource) {
    follower = ListFollower(source) { [wakeup] in wakeup.signal() }
    follower.start()
  }

  /// The follower of the list.
  var list: ListFollower { follower }

  /// Takes what was reported.
  func take() throws -> [ScreenEvent] {
    let events = try follower.takeEvents()
    for case .list(let report) in events { snapshot = report.snapshot }
    // The cache is written in the background, once.
    if recording == nil, snapshot != nil, let store = follower.store { recording = CacheRecording(of: store) }
    return events
  }

  /// Waits for the first list.
  ///
  /// - Parameter limit: The longest time to wait; nil to wait for the list or an error.
  func first(within limit: Duration?) throws -> [ScreenEvent] {
    let deadline = limit.map { ContinuousClock.now + $0 }
    var events = try take()
    while snapshot == nil, wakeup.wait(until: deadline) { events += try take() }
    return events
  }

  /// Completes every action that was asked for, and what is written beside the list.
  func finish() async throws -> [ScreenEvent] {
    await follower.finishActions()
    defer { follower.stop() }
    recording?.finish()
    return try take()
  }
}
