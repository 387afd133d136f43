import Foundation

/// A regular expression (ICU's, as `NSPredicate`'s) that has to match a whole text within the time that its ``MatchAllowance`` has.
final class BoundedRegex: Sendable {
  private let expression: NSRegularExpression
  private let allowance: MatchAllowance

  /// Throws what is wrong with the pattern.
  init(_ pattern: String, isCaseInsensitive: Bool, allowance: MatchAllowance = MatchAllowance()) throws(PatternError) {
    guard pattern.utf8.count <= BoundedRegex.longestPattern else {
      throw PatternError(message: "a pattern has at most \(BoundedRegex.longestPattern) bytes")
    }
    let options: NSRegularExpression.Options = isCaseInsensitive ? .caseInsensitive : []
    // Alone it must do too, or `a)|(b` would pass in the parentheses below. Foundation refuses an empty one.
    guard pattern.isEmpty || (try? NSRegularExpression(pattern: pattern, options: options)) != nil else {
      throw PatternError(message: PatternError.diagnosis(of: pattern))
    }
    // A pattern that ends in a comment (?x) or a quotation \Q would swallow the parenthesis that is put behind it.
    let endings = [")\\z", "\n)\\z", "\\E)\\z"]
    let whole = endings.lazy.compactMap { try? NSRegularExpression(pattern: "\\A(?:" + pattern + $0, options: options) }.first
    guard let whole else { throw PatternError(message: "the pattern leaves a comment or a quotation open") }
    expression = whole
    self.allowance = allowance
  }

  private static let longestPattern = 10_000

  /// Whether all of `text` matches. False where the time ran out, or the memory that ICU allows itself.
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
  /// Foundation does not say what ICU found wrong, so the usual mistakes are looked for here.
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
    if let openClass { return "the `[` at character \(openClass) of the pattern is never closed" }
    if let group = groups.last { return "the `(` at character \(group) of the pattern is never closed" }
    if let first = pattern.first, "*+?".contains(first) {
      return "the pattern begins with `\(first)`, which has nothing to repeat; use LIKE for * and ?"
    }
    return "the pattern is no regular expression that ICU understands"
  }
}
