/// The alarm of a schedule, which changes with its deadline.
struct DeadlineAlarm {
  private var current: (time: SuspendingClock.Instant, alarm: Alarm)?

  /// Sets the time of the alarm; nil for none.
  ///
  /// - Parameter body: Called once at that time, unless another time is set before.
  mutating func set(_ deadline: SuspendingClock.Instant?, _ body: @escaping @Sendable () -> Void) {
    if current?.time == deadline { return }
    // A released alarm is cancelled.
    current = deadline.map { ($0, Alarm(after: max(.zero, SuspendingClock.now.duration(to: $0)), body)) }
  }

  /// Removes the alarm, which is over or no longer needed.
  mutating func reset() { current = nil }
}
