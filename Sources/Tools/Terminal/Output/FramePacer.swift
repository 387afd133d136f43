/// Limits how many frames are shown: a few at once, and at most 60 in any second.
struct FramePacer {
  /// The frames that may follow each other at once.
  static let burst = 4
  /// The time per frame of a longer series.
  static let interval = Duration.seconds(1) / (60 - burst)

  /// When the frames so far are used up, at one per interval.
  private var used: ContinuousClock.Instant?

  /// The earliest time of the next frame; nil if it may be shown at any time.
  var earliest: ContinuousClock.Instant? {
    used.map { $0 - FramePacer.interval * (FramePacer.burst - 1) }
  }

  /// Records a frame.
  mutating func record(at time: ContinuousClock.Instant) {
    used = max(used ?? time, time) + FramePacer.interval
  }
}
