/// Detects a command whose runs are caused by its own changes, and slows it down.
///
/// A run is caused by the previous one if all changes since that one began were first noticed while
/// it was running. After 20 such runs in a row there is a pause before each further one, from
/// 1 second doubled up to 1 minute, until a change is noticed at another time.
struct LoopGuard {
  /// The number of runs in a row that may be caused by the previous one without a pause.
  static let maxRuns = 20
  /// The time after the end of a run in which a change still counts as made by the run, because
  /// changes are noticed with a delay.
  static let noticeTime = Duration.milliseconds(100)
  private static let firstPause = Duration.seconds(1)
  private static let maxPause = Duration.seconds(60)

  /// True if all changes since the last run began are from that run; nil if there were none.
  private var isFromRun: Bool?
  /// The last run; its end is nil while it is in progress.
  private var last: (start: SuspendingClock.Instant, end: SuspendingClock.Instant?)?
  /// The number of runs in a row that were caused by the previous one.
  private var runs = 0
  private var pause = firstPause
  /// The end of the pause before the next run; nil if there is no pause.
  private(set) var pauseEnd: SuspendingClock.Instant?
  private var isReported = false

  mutating func changed(noticed: SuspendingClock.Instant) {
    if isFromLastRun(noticed) {
      isFromRun = isFromRun ?? true
    } else {
      isFromRun = false
      reset()
    }
  }

  private func isFromLastRun(_ noticed: SuspendingClock.Instant) -> Bool {
    guard let last, noticed >= last.start else { return false }
    return last.end.map { noticed <= $0 + LoopGuard.noticeTime } ?? true
  }

  private mutating func reset() {
    runs = 0
    pause = LoopGuard.firstPause
    pauseEnd = nil
    isReported = false
  }

  mutating func earliestStart(at now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
    guard isFromRun == true, runs >= LoopGuard.maxRuns else { return nil }
    if let pauseEnd { return pauseEnd }
    let end = now + pause
    pause = min(pause * 2, LoopGuard.maxPause)
    pauseEnd = end
    return end
  }

  /// Returns true, once per loop, if the next run is slowed down.
  mutating func shouldReport() -> Bool {
    guard pauseEnd != nil, !isReported else { return false }
    isReported = true
    return true
  }

  mutating func runBegan(at now: SuspendingClock.Instant) {
    if isFromRun == true { runs += 1 }
    isFromRun = nil
    pauseEnd = nil
    last = (now, nil)
  }

  /// Records that another run of the same round begins. The runs of one round count as one.
  mutating func runContinued() {
    last?.end = nil
  }

  mutating func runEnded(at now: SuspendingClock.Instant) {
    last?.end = now
  }
}
