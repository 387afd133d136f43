package import Values

/// A predicate as far as the folded texts of items tell it (`SearchedText`), so that a search reads bytes in
/// order and does not unpack values.
package indirect enum TextPredicate {
  /// The texts tell nothing of it.
  case unknown
  /// Each of the words is in a part of the item, or a word of it begins with it.
  case words([FoldedPattern], areBegun: Bool, SearchedText)
  /// The id or a field that could be a title matches a pattern of literal texts and stars.
  case names(WildcardPattern)
  case not(TextPredicate)
  case and([TextPredicate])
  case or([TextPredicate])

  fileprivate init(_ expression: PredicateExpression) {
    switch expression {
    case .constant: self = .unknown
    case .comparison(let comparison): self.init(comparison)
    case .not(let expression): self = .not(TextPredicate(expression))
    case .and(let terms): self = .and(terms.map { TextPredicate($0) })
    case .or(let terms):
      self = TextPredicate.pattern(ofNames: terms).map { .names($0) } ?? .or(terms.map { TextPredicate($0) })
    }
  }

  private init(_ comparison: PredicateComparison) {
    // A field without a value has no text, which not even an empty word is in.
    guard comparison.quantifier == nil, case .text(let field) = comparison.left,
      case .words(let pattern, let areBegun) = comparison.test, pattern.folding == .all,
      !pattern.bytes.isEmpty
    else {
      self = .unknown
      return
    }
    self = .words([pattern], areBegun: areBegun, SearchedText(fields: field.map { [$0] } ?? []))
  }

  private static let names =
    [FieldPath(keys: [PseudoField.id.rawValue])] + Item.titleKeys.map { FieldPath(keys: [$0]) }

  /// Returns the pattern of the terms that a fuzzy term of a query makes (`SearchQuery`).
  private static func pattern(ofNames terms: [PredicateExpression]) -> WildcardPattern? {
    guard terms.count == names.count else { return nil }
    var found: WildcardPattern?
    for (term, name) in zip(terms, names) {
      guard case .comparison(let comparison) = term, comparison.quantifier == nil,
        comparison.left == .path(name), case .text(.like(let pattern, .all, _)) = comparison.test,
        found == nil || found == pattern
      else { return nil }
      found = pattern
    }
    return found?.copyOfLiterals
  }

  /// Returns the test of a text that such a condition needs, with memory of its own for each thread.
  package static func test(_ words: [FoldedPattern], areBegun: Bool) -> (UnsafeRawBufferPointer) -> Bool {
    let words = words.map(\.copy)
    if areBegun { return { text in words.allSatisfy { $0.beginsWord(inFolded: text) } } }
    return { text in words.allSatisfy { $0.isFound(inFolded: text) } }
  }

  package static func test(names pattern: WildcardPattern) -> (UnsafeRawBufferPointer) -> Bool {
    let pattern = pattern.copyOfLiterals ?? pattern
    return { text in
      let names = 0..<FoldedText.end(at: FoldedText.partEnd, in: text, from: 0)
      if pattern.matchesString(in: names, of: text) { return true }
      let start = names.upperBound + 1
      return pattern.matchesString(
        in: start..<FoldedText.end(at: FoldedText.namesEnd, in: text, from: start), of: text)
    }
  }
}

extension ItemPredicate {
  var textPredicate: TextPredicate { TextPredicate(expression) }
}

extension WildcardPattern {
  fileprivate func matchesString(in range: Range<Int>, of text: UnsafeRawBufferPointer) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = FoldedText.end(at: FoldedText.stringEnd, in: text, from: start)
      // Without sets and wildcards for one scalar the steps are linear.
      var steps = Int.max
      if matches(UnsafeRawBufferPointer(rebasing: text[start..<end]), &steps) { return true }
      start = end + 1
    }
    return false
  }
}
