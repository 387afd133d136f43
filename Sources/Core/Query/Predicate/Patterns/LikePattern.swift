import Values

/// The pattern of `LIKE`: `*` matches any characters, `?` one Unicode scalar, and `\*`, `\?` and
/// `\\` match these characters.
///
/// Matching is linear for patterns without `?`. With it, ``MatchAllowance`` bounds the steps per
/// string.
struct LikePattern: Sendable {
  private let folding: Folding
  private let allowance: MatchAllowance
  private var pattern: WildcardPattern

  init(_ text: String, _ folding: Folding, _ allowance: MatchAllowance = MatchAllowance()) {
    self.folding = folding
    self.allowance = allowance
    pattern = WildcardPattern(folding)
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        if !"*?\\".unicodeScalars.contains(scalar) { pattern.append("\\" as Unicode.Scalar) }
        pattern.append(scalar)
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "*": pattern.appendStar()
      case "?": pattern.append(.anyScalar)
      default: pattern.append(scalar)
      }
    }
    if isEscaped { pattern.append("\\" as Unicode.Scalar) }
    pattern.endLiteral()
  }

  /// Returns true if the complete text matches, and false if that needs more steps than are
  /// allowed.
  func matches(_ text: String) -> Bool {
    if folding.isEmpty {
      var text = text
      return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }
    return folding.folded(text).withUnsafeBytes { matches($0) }
  }

  private func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    var steps = allowance.steps(for: text.count)
    let isMatch = pattern.matches(text, &steps)
    if steps < 0 { allowance.runOut() }
    return isMatch && steps >= 0
  }
}
