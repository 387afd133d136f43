#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  public import Foundation
#endif
package import Values

/// A moment that a person writes as a value: `@today`, `@today + 3d`, `@today - 2w` or `@now`.
///
/// The distance from today has the form that it has in a predicate. `@today` is a local day, `@now`
/// a local time with its offset from UTC, in seconds.
package struct MomentWord: Sendable, Hashable, CustomStringConvertible {
  /// The distance from today; nil for `@now`.
  let offset: DayOffset?

  /// Reads a complete value; nil if it is another text.
  ///
  /// - Throws: An ``ItemPredicateError`` if the text was meant as a moment, such as `@today+3d`.
  package init?(_ text: String) throws(ItemPredicateError) {
    guard text.utf8.starts(with: "@today".utf8) || text.utf8.starts(with: "@now".utf8) else { return nil }
    let fault: String
    do throws(ItemPredicateError) {
      var lexer = PredicateLexer(PredicateFormat(text: text))
      switch try lexer.next().kind {
      case .at("@now"): offset = nil
      case .at("@today"): offset = try lexer.dayOffset() ?? .zero
      default: throw ItemPredicateError(at: 0, "expected @today or @now")
      }
      if lexer.offset != text.unicodeScalars.count {
        fault = "nothing can follow it but a distance such as `@today + 3d`"
      } else if MomentWord.isInRange(offset) {
        return
      } else {
        fault = "the day is not in the years 0 to 9999"
      }
    } catch {
      fault = error.message
    }
    guard MomentWord.isMeant(text) else { return nil }
    throw ItemPredicateError(
      at: 0,
      "`\(text.prefix(60))` is not a moment: \(fault). To write this text as a string, quote it as JSON."
    ).of(text)
  }

  /// Returns true if a text is a complete moment.
  package static func isMoment(_ text: String) -> Bool { (try? MomentWord(text)) != nil }

  /// Returns the text in the quotes of `"@today"` or `'@today'`: a string that is not a moment. Nil
  /// for any other text.
  package static func unquoted(_ text: String) -> String? {
    guard let quote = text.utf8.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      text.utf8.last == quote,
      text.utf8.count > 2
    else { return nil }
    let inner = String(text.dropFirst().dropLast())
    return isMoment(inner) ? inner : nil
  }

  /// The moment as a person writes it: `@today + 3d`.
  package var description: String { offset?.description ?? "@now" }

  /// Returns the value of the moment.
  ///
  /// - Parameters:
  ///   - date: The present.
  ///   - timeZone: The time zone in which days begin; nil for that of the system.
  package func value(at date: Date = Date(), timeZone: TimeZone? = nil) -> Value {
    if let offset {
      let day = offset.applied(to: PredicateContext(at: date, timeZone: timeZone).today)
      return Value(text: String(Timestamp(seconds: Int64(day) * 86_400, nanoseconds: 0).text.prefix(10)))
    }
    let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
    let east = PredicateContext.offset(at: seconds, in: timeZone)
    let minutes = abs(east) / 60
    let zone =
      "\(east < 0 ? "-" : "+")\(Timestamp.padded(minutes / 60, 2)):\(Timestamp.padded(minutes % 60, 2))"
    return Value(text: "\(Timestamp(seconds: seconds + Int64(east), nanoseconds: 0).local.text)\(zone)")
  }

  /// Returns true if the moment is a day that can be written.
  private static func isInRange(_ offset: DayOffset?) -> Bool {
    guard let offset else { return true }
    return (0...9_999).contains(
      Timestamp.civil(fromDays: offset.applied(to: PredicateContext.now.today)).year)
  }

  /// Returns true if a distance follows the name, so that the text was meant as a moment.
  private static func isMeant(_ text: String) -> Bool {
    let rest = text.drop { !$0.isWhitespace && $0 != "+" && $0 != "-" }.drop(while: \.isWhitespace)
    guard let sign = rest.first, sign == "+" || sign == "-" else { return false }
    return rest.dropFirst().first { !$0.isWhitespace }?.isNumber ?? false
  }
}
