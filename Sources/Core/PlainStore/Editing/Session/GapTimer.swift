import Glibc

/// Decides when a file that cannot be found counts as missing.
///
/// Some editors remove the old file before they create the new one, so a search is repeated for
/// longer than that takes. Time in which the program does not run is not counted: otherwise a
/// search on a busy machine could be over after two attempts that both fell between the two steps
/// of a save.
struct GapTimer {
  /// Longer than editors leave a file missing.
  static let gap = Duration.milliseconds(250)
  /// The longest sleep between two attempts. More time than this counts only if the program worked.
  static let maxSleep = Duration.milliseconds(20)

  /// A time, and how long the program has worked until then.
  struct Moment {
    /// The time.
    let time: ContinuousClock.Instant
    /// The processor time that all threads of the program have used.
    let work: Duration

    /// The present moment.
    static var now: Moment {
      var used = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
      return Moment(time: .now, work: .seconds(used.tv_sec) + .nanoseconds(used.tv_nsec))
    }
  }

  private var rest: Duration
  private var last: Moment

  /// Makes the timer of a search that begins now.
  ///
  /// - Parameters:
  ///   - gap: The time after which the file counts as missing. With zero, one attempt is enough.
  ///   - now: The present moment.
  init(_ gap: Duration = GapTimer.gap, now: Moment = .now) {
    (rest, last) = (gap, now)
  }

  /// Records an attempt that did not find the file, and returns true if the file counts as missing.
  mutating func isOver(now: Moment = .now) -> Bool {
    rest -= min(now.time - last.time, now.work - last.work + GapTimer.maxSleep)
    last = now
    return rest <= .zero
  }
}
