import CPCRE2

/// An error in a regular expression.
struct PatternError: Error {
  let message: String
}

extension PatternError {
  /// Creates the error for a pattern that PCRE2 refuses.
  ///
  /// - Parameters:
  ///   - pattern: The pattern as it was written.
  ///   - error: The error of PCRE2.
  ///   - offset: The bytes of the pattern before the mistake.
  init(_ pattern: String, _ error: CInt, at offset: Int) {
    if let mistake = PatternError.mistake(in: pattern) {
      self.init(message: mistake)
      return
    }
    let column = String(decoding: pattern.utf8.prefix(offset), as: UTF8.self).count
    self.init(
      message:
        "the pattern is not a valid regular expression: \(PatternError.text(of: error)) (after character \(column))"
    )
  }

  /// Returns PCRE2's text for an error.
  private static func text(of error: CInt) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let count = pcre2_get_error_message_8(error, buffer.baseAddress, buffer.count)
      return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
    }
  }

  /// Returns a description of a usual mistake in a pattern; nil if it has none of them.
  private static func mistake(in pattern: String) -> String? {
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
    return nil
  }
}
