/// An ISO 8601 date, or date and time, with the text it was written as.
///
/// Accepts `2024-01-31`, optionally followed by `T`, `t` or one space, a time (`10:00`, `10:00:59`
/// or `10:00:59.5`), and a zone (`Z`, `z`, `+02:00`, `+0200` or `+02`). A time without a zone
/// counts as UTC, so that the order is the same on every machine.
public struct Timestamp: Sendable, CustomStringConvertible {
  /// The text as written.
  public let text: String
  /// The seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// The fraction of a second: 0 ..< 1,000,000,000, counted forward from `seconds`. More digits are dropped.
  public let nanoseconds: Int32
  /// The part of the moment that is written: a day, or a time with or without a zone.
  public let precision: Precision

  /// The date as written.
  public var description: String { text }

  /// The part of a moment that a text names.
  public enum Precision: UInt8, Sendable {
    /// A date.
    case day
    /// A date and a time without a zone.
    case localTime
    /// A date and a time with a zone.
    case zonedTime
  }

  package init(text: String, seconds: Int64, nanoseconds: Int32, precision: Precision) {
    self.text = text
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    self.precision = precision
  }

  /// Parses a date or a date and time; nil for anything else, or if the date does not exist. Constant time.
  public init?(_ text: String) {
    var copy = text
    let parsed = copy.withUTF8 { Timestamp.parse(UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self.init(
      text: text, seconds: parsed.seconds, nanoseconds: parsed.nanoseconds, precision: parsed.precision)
  }
}

extension Timestamp: Hashable, Comparable {
  public static func == (a: Timestamp, b: Timestamp) -> Bool { a.text.hasSameBytes(as: b.text) }
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

  /// Compares the moments. Two texts of one moment are neither less than the other.
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }
}

extension Timestamp {
  typealias Moment = (seconds: Int64, nanoseconds: Int32, precision: Precision)

  static func parse(_ bytes: UnsafeRawBufferPointer) -> Moment? {
    // Nearly every string of a file fails here, so this test has to be cheap.
    guard bytes.count >= 10, bytes.count <= 64, bytes[4] == "-", bytes[7] == "-"
    else { return nil }
    var cursor = ByteCursor(bytes: bytes)
    guard let year = cursor.digits(4), cursor.skip("-"), let month = cursor.digits(2), cursor.skip("-"),
      let day = cursor.digits(2),
      (1...12).contains(month), day >= 1, day <= daysInMonth(month, year)
    else { return nil }
    let midnight = daysSinceEpoch(year, month, day) * 86_400
    if cursor.isAtEnd { return (midnight, 0, .day) }
    guard cursor.skip("T") || cursor.skip("t") || cursor.skip(" ") else { return nil }
    return parseTime(&cursor, midnight)
  }

  private static func parseTime(_ cursor: inout ByteCursor, _ midnight: Int64) -> Moment? {
    guard let hour = cursor.digits(2), cursor.skip(":"), let minute = cursor.digits(2), hour < 24, minute < 60
    else { return nil }
    var second = 0
    var nanoseconds = 0
    if cursor.skip(":") {
      guard let value = cursor.digits(2), value <= 60 else { return nil }
      second = value
      if cursor.skip(".") || cursor.skip(",") {
        guard let value = cursor.fraction() else { return nil }
        nanoseconds = value
      }
    }
    let seconds = midnight + Int64(hour * 3_600 + minute * 60 + second)
    if cursor.isAtEnd {
      return (seconds, Int32(nanoseconds), .localTime)
    }
    guard let offset = parseZone(&cursor), cursor.isAtEnd else { return nil }
    return (seconds - Int64(offset), Int32(nanoseconds), .zonedTime)
  }

  /// Returns the offset in seconds east of UTC.
  private static func parseZone(_ cursor: inout ByteCursor) -> Int? {
    if cursor.skip("Z") || cursor.skip("z") { return 0 }
    let sign: Int
    if cursor.skip("+") { sign = 1 } else if cursor.skip("-") { sign = -1 } else { return nil }
    guard let hours = cursor.digits(2), hours < 24 else { return nil }
    if cursor.isAtEnd { return sign * hours * 3_600 }
    _ = cursor.skip(":")
    guard let minutes = cursor.digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }

  package static func daysInMonth(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the day number of a date by Howard Hinnant's `days_from_civil`.
  package static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468)
  }

  /// Creates the time of a moment in UTC, written with milliseconds: `2026-11-20T22:31:07.120Z`. Nanoseconds,
  /// 0 ..< 1,000,000,000, are counted forward from `seconds`; all of them count for the order.
  public init(seconds: Int64, nanoseconds: Int32) {
    let parts = Int(seconds).quotientAndRemainder(dividingBy: 86_400)
    let days = parts.remainder < 0 ? parts.quotient - 1 : parts.quotient
    let rest = parts.remainder < 0 ? parts.remainder + 86_400 : parts.remainder
    let (year, month, day) = Timestamp.civil(fromDays: days)
    let padded = Timestamp.padded
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let time =
      "\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2)).\(padded(Int(nanoseconds) / 1_000_000, 3))"
    self.init(text: "\(date)T\(time)Z", seconds: seconds, nanoseconds: nanoseconds, precision: .zonedTime)
  }

  package static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The calendar time without zone and fraction of a second.
  package var local: Timestamp {
    Timestamp(text: String(text.prefix(19)), seconds: seconds, nanoseconds: 0, precision: .localTime)
  }

  /// Returns the date of a day number by Howard Hinnant's `civil_from_days`.
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

extension ByteCursor {
  fileprivate mutating func digits(_ count: Int) -> Int? {
    guard position + count <= bytes.count else { return nil }
    var value = 0
    for _ in 0..<count {
      guard let digit = nextDigit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  fileprivate mutating func fraction() -> Int? {
    guard var value = nextDigit() else { return nil }
    var places = 1
    while let digit = nextDigit() {
      if places < 9 { value = value * 10 + digit }
      places += 1
    }
    for _ in min(places, 9)..<9 { value *= 10 }
    return value
  }

  private mutating func nextDigit() -> Int? {
    guard let digit = next.map({ $0 &- 0x30 }), digit < 10 else { return nil }
    position += 1
    return Int(digit)
  }
}
