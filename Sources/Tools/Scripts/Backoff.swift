/// The delays between attempts that keep failing: 1 second, doubled after each failure, at most
/// 5 minutes, each 10 % shorter or longer at random so that several programs do not retry at once.
package struct Backoff: Sendable {
  private let first: Duration
  private let max: Duration
  /// The delay after the next failure, without its random part.
  private var next: Duration

  /// - Parameters:
  ///   - first: The delay after the first failure.
  ///   - max: The longest delay. No random part makes it longer.
  package init(first: Duration = .seconds(1), max: Duration = .seconds(300)) {
    self.first = first
    self.max = max
    next = min(first, max)
  }

  /// Counts a failure, and returns the delay before the next attempt.
  package mutating func fail(using generator: inout some RandomNumberGenerator) -> Duration {
    let delay = next * Double.random(in: 0.9...1.1, using: &generator)
    next = min(next * 2, max)
    return min(delay, max)
  }

  /// Counts a failure, and returns the delay before the next attempt.
  package mutating func fail() -> Duration {
    var generator = SystemRandomNumberGenerator()
    return fail(using: &generator)
  }

  /// Counts a success: the next failure is the first one again.
  package mutating func reset() { next = min(first, max) }
}
