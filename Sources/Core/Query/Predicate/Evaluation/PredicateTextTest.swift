import Values

/// An operator that compares a string with a pattern.
enum PredicateTextOperator {
  case beginsWith
  case endsWith
  case contains
  case like
}

enum PredicateTextTest {
  case beginsWith(FoldedPattern)
  case endsWith(FoldedPattern)
  case contains(FoldedPattern)
  case like(WildcardPattern, Folding, MatchAllowance)
  case matches(BoundedRegex, Folding)

  init(
    _ kind: PredicateTextOperator, _ pattern: String, _ folding: Folding,
    _ allowance: MatchAllowance = MatchAllowance()
  ) {
    switch kind {
    case .beginsWith: self = .beginsWith(FoldedPattern(pattern, folding))
    case .endsWith: self = .endsWith(FoldedPattern(pattern, folding))
    case .contains: self = .contains(FoldedPattern(pattern, folding))
    case .like: self = .like(WildcardPattern(like: pattern, folding), folding, allowance)
    }
  }

  /// Returns true if the text of a scalar passes the test. Null, lists and maps never pass.
  func holds(_ value: Value?) -> Bool {
    guard let value, value.isScalar, value != .null else { return false }
    return holds(value.text)
  }

  func holds(_ text: String) -> Bool {
    switch self {
    case .beginsWith(let pattern): pattern.folding.withFolded(text) { $0.starts(with: pattern.bytes) }
    case .endsWith(let pattern):
      pattern.folding.withFolded(text) { $0.suffix(pattern.bytes.count).elementsEqual(pattern.bytes) }
    case .contains(let pattern): pattern.folding.withFolded(text) { pattern.isFound(inFolded: $0) }
    case .like(let pattern, let folding, let allowance):
      folding.withFolded(text) { PredicateTextTest.matches(pattern, $0, allowance) }
    case .matches(let regex, let folding):
      regex.matches(
        folding.contains(.accents) ? String(decoding: Folding.accents.folded(text), as: UTF8.self) : text)
    }
  }

  /// False if it needs more steps than are allowed. Linear for patterns without `?`.
  private static func matches(
    _ pattern: WildcardPattern, _ text: UnsafeRawBufferPointer, _ allowance: MatchAllowance
  ) -> Bool {
    var steps = allowance.steps(for: text.count)
    let isMatch = pattern.matches(text, &steps)
    if steps < 0 { allowance.runOut() }
    return isMatch && steps >= 0
  }
}

extension Folding {
  fileprivate func withFolded<R>(_ text: String, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    if isEmpty {
      var text = text
      return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
    return folded(text).withUnsafeBytes(body)
  }
}
