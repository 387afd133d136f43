public import Foundation
import PlainText

/// The current day and time zone, against which a predicate evaluates `@today`.
public struct PredicateContext: Sendable, Hashable {
  /// Days since 1970-01-01 in the local calendar.
  public let today: Int
  /// The time zone in which days begin.
  public let timeZone: TimeZone

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - moment: The time whose day is today; now by default. Beyond ten million years from 1970 it
  ///     counts as that far away, and a date that is not a number as 1970.
  ///   - timeZone: The time zone in which days begin; that of the system by default.
  public init(at moment: Date = Date(), timeZone: TimeZone = .current) {
    self.timeZone = timeZone
    let interval = moment.timeIntervalSince1970
    let seconds = interval.isNaN ? 0 : min(max(interval, -PredicateContext.maxInterval), PredicateContext.maxInterval).rounded(.down)
    today = PredicateContext.day(Int64(seconds) + Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))))
  }

  /// Ten million years in seconds. `Foundation` does not compute with all dates beyond.
  private static let maxInterval = 3.2e14

  /// The context of the current time in the time zone of the system.
  public static var now: PredicateContext { PredicateContext() }

  /// The time until midnight, plus a margin that makes sure the next day has begun.
  package static var timeToMidnight: Duration { timeToMidnight(from: Date(), timeZone: .current) }

  static func timeToMidnight(from moment: Date, timeZone: TimeZone) -> Duration {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let today = calendar.startOfDay(for: moment)
    let tomorrow = calendar.date(byAdding: .day, value: 1, to: today).map(calendar.startOfDay(for:)) ?? moment + 86_400
    return .seconds(max(tomorrow.timeIntervalSince(moment), 0)) + .milliseconds(10)
  }

  /// Returns the local day of a date. A time with a zone is converted to the local zone; any other
  /// is local already.
  func day(of date: Timestamp) -> Int {
    guard date.precision == .zonedTime else { return PredicateContext.day(date.seconds) }
    let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(date.seconds)))
    return PredicateContext.day(date.seconds.addingReportingOverflow(Int64(offset)).partialValue)
  }

  private static func day(_ seconds: Int64) -> Int {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    return Int(rest < 0 ? days - 1 : days)
  }
}
