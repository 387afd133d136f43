#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  public import Foundation
#endif
import Files
import Glibc
import Values

/// The current day and time zone, against which a predicate evaluates `@today`.
package struct PredicateContext: Sendable, Hashable {
  /// Days since 1970-01-01 in the local calendar.
  package let today: Int
  /// The time zone in which days begin; nil for that of the system.
  ///
  /// In a program that links only FoundationEssentials, `TimeZone.current` is always GMT, so the
  /// system itself is asked for its zone.
  package let timeZone: TimeZone?

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - moment: The time whose day is today; now by default. Beyond ten million years from 1970 it
  ///     counts as that far away, and a date that is not a number as 1970.
  ///   - timeZone: The time zone in which days begin; nil for that of the system.
  package init(at moment: Date = Date(), timeZone: TimeZone? = nil) {
    self.timeZone = timeZone
    let interval = moment.timeIntervalSince1970
    let seconds =
      interval.isNaN
      ? 0 : min(max(interval, -PredicateContext.maxInterval), PredicateContext.maxInterval).rounded(.down)
    today = PredicateContext.localDay(Int64(seconds), in: timeZone)
  }

  /// Ten million years in seconds. `Foundation` does not compute with all dates beyond.
  private static let maxInterval = 3.2e14

  /// The context of the current time in the time zone of the system.
  package static var now: PredicateContext { PredicateContext() }

  /// The time until midnight, plus a margin that makes sure the next day has begun.
  package static var timeToMidnight: Duration { timeToMidnight(from: Date(), timeZone: nil) }

  static func timeToMidnight(from moment: Date, timeZone: TimeZone?) -> Duration {
    let now = moment.timeIntervalSince1970
    let start = Int64(now.rounded(.down))
    let today = localDay(start, in: timeZone)
    // Clocks change by multiples of 15 minutes, so no day is skipped between two steps.
    let step: Int64 = 900
    var before = start
    var after = start + step
    while localDay(after, in: timeZone) == today, after < start + 2 * secondsPerDay {
      before = after
      after += step
    }
    let seconds = Int(before) + 1..<Int(after)
    let midnight = seconds.partitionPoint { localDay(Int64($0), in: timeZone) != today }
    return .seconds(Double(midnight) - now) + .milliseconds(10)
  }

  /// A time with a zone is converted to the local zone; any other is local already.
  func day(of date: Timestamp) -> Int {
    date.precision == .zonedTime
      ? PredicateContext.localDay(date.seconds, in: timeZone) : PredicateContext.day(date.seconds)
  }

  private static func localDay(_ seconds: Int64, in timeZone: TimeZone?) -> Int {
    day(seconds.addingReportingOverflow(Int64(offset(at: seconds, in: timeZone))).partialValue)
  }

  static func offset(at seconds: Int64, in timeZone: TimeZone?) -> Int {
    timeZone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) ?? systemOffset(at: seconds)
  }

  private static func systemOffset(at seconds: Int64) -> Int {
    var time = time_t(seconds)
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
  }

  private static let secondsPerDay: Int64 = 86_400

  private static func day(_ seconds: Int64) -> Int {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: secondsPerDay)
    return Int(rest < 0 ? days - 1 : days)
  }
}

extension PredicateContext: CustomStringConvertible {
  /// The day and the time zone: `2026-11-22 in Europe/Berlin`; only the day in the zone of the system.
  package var description: String {
    let midnight = Timestamp(seconds: Int64(today) * 86_400, nanoseconds: 0)
    return midnight.text.prefix { $0 != "T" } + (timeZone.map { " in \($0.identifier)" } ?? "")
  }
}
