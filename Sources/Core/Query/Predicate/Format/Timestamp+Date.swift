#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import Values

extension Date {
  /// Creates the date of a timestamp. The epoch of `Date` itself is used, because seconds since
  /// 1970 have less precision.
  package init(_ timestamp: Timestamp) {
    let seconds = Double(timestamp.seconds) - Date.timeIntervalBetween1970AndReferenceDate
    self.init(timeIntervalSinceReferenceDate: seconds + Double(timestamp.nanoseconds) / 1e9)
  }
}

extension Timestamp {
  /// Creates the time of a date in UTC: `2024-01-31T10:00:00Z`, with 3, 6 or 9 digits after the
  /// seconds if needed. Returns nil for years before 0 and after 9999.
  package init?(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval.isFinite, interval.magnitude < 1e12 else { return nil }
    let whole = interval.rounded(.down)
    var seconds = Int64(whole) + Int64(Date.timeIntervalBetween1970AndReferenceDate)
    var nanoseconds = 0
    for scale in [1.0, 1e3, 1e6, 1e9] {
      let parts = ((interval - whole) * scale).rounded()
      nanoseconds = Int(parts * (1e9 / scale))
      let carry = Double(nanoseconds) / 1e9
      if whole + carry == interval { break }
    }
    if nanoseconds == 1_000_000_000 {
      seconds += 1
      nanoseconds = 0
    }
    self.init(text: "", seconds: seconds, nanoseconds: Int32(nanoseconds), precision: .zonedTime)
    guard let text = DateStyle().text(of: self), let parsed = Timestamp(text) else { return nil }
    self = parsed
  }

  /// Creates a moment of any year. Its text has as many digits as it needs, so that equal moments
  /// have equal texts.
  package init(exactly seconds: Int64, nanoseconds: Int32) {
    let short = Timestamp(seconds: seconds, nanoseconds: nanoseconds).text
    var digits = Timestamp.padded(Int(nanoseconds), 9)
    while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
    let text = short.prefix { $0 != "." } + (digits.isEmpty ? "" : ".") + digits + "Z"
    self.init(text: String(text), seconds: seconds, nanoseconds: nanoseconds, precision: .zonedTime)
  }

  /// Returns this time in the style of another one, if that is the same time: a date stays a date
  /// at midnight UTC; the zone, the `T` or space and the number of digits are kept.
  package func styled(like other: Timestamp) -> Timestamp {
    guard let style = DateStyle(other), let text = style.text(of: self), let styled = Timestamp(text),
      styled.seconds == seconds,
      styled.nanoseconds == nanoseconds
    else { return self }
    return styled
  }
}

private struct DateStyle {
  private var hasTime = true
  private var separator: Character = "T"
  private var hasSeconds = true
  private var point: Character = "."
  private var digitCount = 0
  /// The zone as it is written; empty for a time without one.
  private var zone: Substring = "Z"
  private var offset = 0

  init() {}

  /// Creates the style of a timestamp whose text is known to be valid.
  init?(_ timestamp: Timestamp) {
    let text = timestamp.text
    guard timestamp.precision != .day else {
      hasTime = false
      return
    }
    guard text.utf8.count >= 16 else { return nil }
    let time = text.dropFirst(11)
    separator = text.dropFirst(10).first ?? "T"
    let zoneStart = time.firstIndex { "Zz+-".contains($0) } ?? time.endIndex
    zone = time[zoneStart...]
    let clock = time[..<zoneStart]
    hasSeconds = clock.count > 5
    if let index = clock.firstIndex(where: { ".,".contains($0) }) {
      point = clock[index]
      digitCount = clock[clock.index(after: index)...].count
    }
    if let sign = zone.first, "+-".contains(sign) {
      let digits = zone.filter(\.isNumber).compactMap(\.wholeNumberValue)
      guard digits.count == 2 || digits.count == 4 else { return nil }
      let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
      offset = (sign == "-" ? -1 : 1) * ((digits[0] * 10 + digits[1]) * 3_600 + minutes * 60)
    }
  }

  /// Returns the text of a time in this style; nil if the year is not 0 to 9999. A time that does
  /// not fit the style gets more digits, or becomes a complete time in UTC.
  func text(of timestamp: Timestamp) -> String? {
    let seconds = Int(timestamp.seconds) + offset
    let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let rest = seconds - days * 86_400
    let date = Timestamp.civil(fromDays: days)
    guard (0...9_999).contains(date.year) else { return nil }
    let padded = Timestamp.padded
    let day = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    if !hasTime { return rest == 0 && timestamp.nanoseconds == 0 ? day : DateStyle().text(of: timestamp) }
    let fraction = fraction(of: Int(timestamp.nanoseconds))
    var clock = "\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2))"
    if hasSeconds || rest % 60 != 0 || !fraction.isEmpty { clock += ":\(padded(rest % 60, 2))" }
    return "\(day)\(separator)\(clock)\(fraction)\(zone)"
  }

  private func fraction(of nanoseconds: Int) -> String {
    let digits = Timestamp.padded(nanoseconds, 9)
    let needed = 9 - digits.reversed().prefix { $0 == "0" }.count
    if needed <= digitCount {
      return digitCount == 0
        ? ""
        : "\(point)\((digits + String(repeating: "0", count: max(0, digitCount - 9))).prefix(digitCount))"
    }
    return "\(point)\(digits.prefix((needed + 2) / 3 * 3))"
  }
}
