public import Foundation
import PlainText

/// What a predicate is asked against besides the item: which day today is, and where.
public struct PredicateContext: Sendable, Hashable {
  /// Days since 1970-01-01 in the local calendar.
  public let today: Int
  public let timeZone: TimeZone

  public init(at moment: Date = Date(), timeZone: TimeZone = .current) {
    self.timeZone = timeZone
    today = PredicateContext.day(Int64(moment.timeIntervalSince1970.rounded(.down)) + Int64(timeZone.secondsFromGMT(for: moment)))
  }

  public static var now: PredicateContext { PredicateContext() }

  /// How long today lasts from now on, a moment included that puts one safely into the next day.
  package static var timeToMidnight: Duration { timeToMidnight(from: Date(), timeZone: .current) }

  static func timeToMidnight(from moment: Date, timeZone: TimeZone) -> Duration {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let today = calendar.startOfDay(for: moment)
    let tomorrow = calendar.date(byAdding: .day, value: 1, to: today).map(calendar.startOfDay(for:)) ?? moment + 86_400
    return .seconds(max(tomorrow.timeIntervalSince(moment), 0)) + .milliseconds(10)
  }

  /// The local day of a date: times with a zone are taken to this one first; others are local as they stand.
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
