import Foundation

/// A regular expression in ICU's syntax, as in `NSPredicate`, that must match a complete string
/// within the time of its ``MatchAllowance``.
final class BoundedRegex: Sendable {
  private let expression: NSRegularExpression
  private let allowance: MatchAllowance

  /// Compiles a pattern.
  ///
  /// - Throws: The error of a malformed pattern.
  init(_ pattern: String, isCaseInsensitive: Bool, allowance: MatchAllowance = MatchAllowance()) throws(PatternError) {
    guard pattern.utf8.count <= BoundedRegex.maxPatternSize else {
      throw PatternError(message: "a pattern has at most \(BoundedRegex.maxPatternSize) bytes")
    }
    let options: NSRegularExpression.Options = isCaseInsensitive ? .caseInsensitive : []
    // It must also compile alone, or `a)|(b` would pass within the parentheses below. Foundation
    // refuses an empty pattern.
    guard pattern.isEmpty || (try? NSRegularExpression(pattern: pattern, options: options)) != nil else {
      throw PatternError(message: PatternError.diagnosis(of: pattern))
    }
    // A pattern that ends in a comment (?x) or a quotation \Q would include the parenthesis that is
    // added after it.
    let endings = [")\\z", "\n)\\z", "\\E)\\z"]
    let whole = endings.lazy.compactMap { try? NSRegularExpression(pattern: "\\A(?:" + pattern + $0, options: options) }.first
    guard let whole else { throw PatternError(message: "the pattern leaves a comment or a quotation open") }
    expression = whole
    self.allowance = allowance
  }

  private static let maxPatternSize = 10_000

  /// Returns true if the complete text matches, and false if the time or the memory of ICU ran out.
  func matches(_ text: String) -> Bool {
    let end = ContinuousClock.now + allowance.time
    var isFound = false
    var isLate = false
    var isTooMuch = false
    let whole = NSRange(location: 0, length: text.utf16.count)
    expression.enumerateMatches(in: text, options: [.reportProgress, .reportCompletion, .anchored], range: whole) { match, flags, stop in
      if match != nil {
        isFound = true
        stop.pointee = true
      } else if flags.contains(.internalError) {
        isTooMuch = true
      } else if flags.contains(.progress), ContinuousClock.now > end {
        isLate = true
        stop.pointee = true
      }
    }
    if isLate { allowance.runOut() }
    if isTooMuch { allowance.exceed() }
    return isFound
  }
}

struct PatternError: Error {
  let message: String
}

extension PatternError {
  /// Returns a description of the mistake in a pattern. Foundation does not pass on the error of
  /// ICU, so this checks for the usual mistakes.
  static func diagnosis(of pattern: String) -> String {
    var groups: [Int] = []
    var openClass: Int?
    var isEscaped = false
    var column = 0
    for character in pattern {
      column += 1
      switch character {
      case _ where isEscaped: isEscaped = false
      case "\\": isEscaped = true
      case "[" where openClass == nil: openClass = column
      case "]": openClass = nil
      case _ where openClass != nil: break
      case "(": groups.append(column)
      case ")":
        if groups.popLast() == nil { return "the `)` at character \(column) of the pattern closes nothing" }
      default: break
      }
    }
    if isEscaped { return "the pattern ends in a lone backslash" }
    if let openClass { return "the `[` at character \(openClass) of the pattern is not closed" }
    if let group = groups.last { return "the `(` at character \(group) of the pattern is not closed" }
    if let first = pattern.first, "*+?".contains(first) {
      return "the pattern begins with `\(first)`, which has nothing to repeat; use LIKE for * and ?"
    }
    return "the pattern is not a valid regular expression (ICU syntax)"
  }
}
