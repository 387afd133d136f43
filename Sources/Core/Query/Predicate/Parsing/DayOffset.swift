import Values

/// A number of days, weeks, months or years before or after today: `- 30d`, `+ 2w`.
struct DayOffset: Sendable, Hashable {
  enum Unit: String, Sendable, CaseIterable {
    case day = "d"
    case week = "w"
    case month = "m"
    case year = "y"
  }

  /// The number of units; negative for days before today.
  let count: Int
  let unit: Unit

  static let maxCount = 999_999
  static let zero = DayOffset(count: 0, unit: .day)

  /// The day at this distance from another, in days since 1970-01-01. A month that is too short for
  /// the day ends with its last day.
  func applied(to day: Int) -> Int {
    switch unit {
    case .day: return day + count
    case .week: return day + 7 * count
    case .month: return DayOffset.addMonths(count, to: day)
    case .year: return DayOffset.addMonths(12 * count, to: day)
    }
  }

  private static func addMonths(_ count: Int, to day: Int) -> Int {
    let date = Timestamp.civil(fromDays: day)
    let months = 12 * date.year + date.month - 1 + count
    let year = months >= 0 ? months / 12 : (months - 11) / 12
    let month = months - 12 * year + 1
    return Int(Timestamp.daysSinceEpoch(year, month, min(date.day, Timestamp.daysInMonth(month, year))))
  }
}
