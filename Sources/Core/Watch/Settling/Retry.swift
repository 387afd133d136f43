/// The growing delay between attempts at something that fails for a reason that may pass.
///
/// Each delay is twice as long as the one before it, up to the last.
package struct Retry: Sendable {
  private let first, last: Duration
  private var delay: Duration?

  /// Creates the delays of a series that has not begun.
  ///
  /// - Parameters:
  ///   - first: The delay after the first failure.
  ///   - last: The longest delay.
  package init(first: Duration, last: Duration) {
    self.first = first
    self.last = last
  }

  /// The delay that ``next()`` returned last; the first one if the series has not begun.
  package var current: Duration { delay ?? first }

  /// Returns the delay before the next attempt.
  package mutating func next() -> Duration {
    let next = delay.map { min($0 * 2, last) } ?? first
    delay = next
    return next
  }

  /// Ends the series: the next delay is the first one again.
  package mutating func reset() {
    delay = nil
  }
}
