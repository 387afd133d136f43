/// The time for which a missing file has been looked for.
///
/// Some editors remove the old file before they create the new one. A file counts as missing if
/// many looks, spread over longer than such a gap, did not find it. A clock alone is not enough: a
/// program that stands still on a busy machine could look twice, with the gaps of two saves, and
/// never in between. So a pause between two looks counts as `longestStep` at most.
struct GapTimer {
  /// The longest time for which editors leave a file missing, and some more.
  static let gap = Duration.milliseconds(250)
  /// The most that one pause counts.
  static let longestStep = Duration.milliseconds(20)

  private var rest: Duration
  private var last: ContinuousClock.Instant

  /// Makes the timer of a look that finds a file missing at `now`.
  ///
  /// - Parameter gap: The time until the file counts as missing. With zero, one look is enough.
  init(_ gap: Duration = GapTimer.gap, now: ContinuousClock.Instant = .now) {
    (rest, last) = (gap, now)
  }

  /// Records that a look at `now` did not find the file, and returns true if the file counts as
  /// missing.
  mutating func isOver(now: ContinuousClock.Instant = .now) -> Bool {
    rest -= min(now - last, GapTimer.longestStep)
    last = now
    return rest <= .zero
  }
}
