extension Timestamp {
  /// Creates the time of a moment in UTC, written with milliseconds: `2026-11-20T22:31:07.120Z`.
  ///
  /// - Parameters:
  ///   - seconds: the seconds since 1970-01-01T00:00:00Z.
  ///   - nanoseconds: 0 ..< 1,000,000,000, counted forward from `seconds`. They count for the
  ///     order; the text has only milliseconds.
  public init(seconds: Int64, nanoseconds: Int32) {
    let parts = Int(seconds).quotientAndRemainder(dividingBy: 86_400)
    let days = parts.remainder < 0 ? parts.quotient - 1 : parts.quotient
    let rest = parts.remainder < 0 ? parts.remainder + 86_400 : parts.remainder
    let (year, month, day) = Timestamp.civil(fromDays: days)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let time =
      "\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2)).\(padded(Int(nanoseconds) / 1_000_000, 3))"
    self.init(text: "\(date)T\(time)Z", seconds: seconds, nanoseconds: nanoseconds, precision: .zonedTime)
  }

  /// The calendar time without zone and fraction of a second.
  package var local: Timestamp {
    Timestamp(text: String(text.prefix(19)), seconds: seconds, nanoseconds: 0, precision: .localTime)
  }

  /// Returns the date of a day number since 1970-01-01: Howard Hinnant's `civil_from_days`, the
  /// inverse of `daysSinceEpoch`.
  package static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
