package import Values

/// A comparison of a field with a bare word that no item has as a field. The word is probably a
/// string whose quotes were forgotten: `status = done`. Or a field of a query that no item has.
package struct UnquotedString: Hashable {
  /// The words, as the fields that they name.
  package let fields: [FieldPath]
  /// The sentence that says what to write instead, with the column of the first word.
  package let error: ItemPredicateError
  /// True if the words are in a query, not in a predicate.
  package var isInQuery = false
}

extension ItemPredicate {
  /// Returns the comparisons in which quotes were probably forgotten. This alone decides it:
  ///
  /// - A side has a field that is a single word without backquotes, and no item has this field.
  /// - The other side has a field that some item has.
  ///
  /// In a predicate about the elements of a list, these are the fields of all elements. Defaults of
  /// models are not fields of items. There are at most eight, because a predicate may have
  /// thousands of comparisons.
  ///
  /// `items` are all items of the folder, whether or not a list shows them. O(1) if there is no such word,
  /// otherwise up to O(n) for each one.
  package func unquotedStrings(in items: some Sequence<Item>) -> [UnquotedString] {
    if !hasBareWords { return [] }
    var found: [UnquotedString] = []
    let sources = PredicateSources(context: .now, allowance: allowance) { body in
      for item in items where !body(item) { return }
    }
    expression.forEachComparison(about: sources) { comparison, sources in
      guard found.count < 8 else { return }
      let words = comparison.unquotedWords(in: sources)
      guard let first = words.first else { return }
      // Of a misspelt field on the left, the right side is the value.
      let isName = words.count == 1 && first.isOnLeft
      let nearest =
        isName ? items.nearestField(to: FieldPath(keys: sources.keys + [first.key]))?.keys.last : nil
      let message = comparison.message(about: words, in: text, nearest: nearest)
      found.append(
        UnquotedString(
          fields: words.map { FieldPath(keys: sources.keys + [$0.key]) },
          error: ItemPredicateError(at: first.range.lowerBound, message).of(text)))
    }
    return found
  }
}

extension PredicateSources {
  fileprivate func have(_ field: PredicateOperand) -> Bool {
    var isFound = false
    forEach { source in
      isFound = if case .path(let path) = field { source.hasField(at: path) } else { source is ElementSource }
      return !isFound
    }
    return isFound
  }
}

extension PredicateComparison {
  /// The longest comparison that a message repeats, in Unicode scalars.
  private static let maxShown = 200
  private static let maxWords = 3

  /// Returns the bare words that no source has as a field, if a source has one on the other side.
  fileprivate func unquotedWords(in sources: PredicateSources) -> [PredicateComparison.BareWord] {
    if text.words.isEmpty { return [] }
    let onLeft = left.fields
    let onRight = test.operand?.fields ?? []
    // Most words are fields of the first item.
    let unknown = text.words.filter { !sources.have(.path(FieldPath(keys: [$0.key]))) }
    if unknown.isEmpty { return [] }
    let hasLeft = onLeft.contains(where: sources.have)
    let hasRight = onRight.contains(where: sources.have)
    return unknown.filter { $0.isOnLeft ? hasRight : hasLeft }
  }

  fileprivate func message(
    about words: [PredicateComparison.BareWord], in predicate: String, nearest: String?
  ) -> String {
    let keys = words.prefix(PredicateComparison.maxWords).map { "`\($0.key.excerpt)`" }
    let names = keys.joined(separator: ", ") + (words.count > keys.count ? ", …" : "")
    let isOne = words.count == 1
    if let nearest {
      return "no item has the field \(names): did you mean `\(nearest.excerpt)`? "
        + "If it is a string, put it in quotes; if it is a field, in backquotes."
    }
    return
      "no item has the \(isOne ? "field" : "fields") \(names): did you mean "
      + "`\(quoted(words, in: predicate))`? "
      + (isOne ? "If it is a field, put it in backquotes." : "If they are fields, put them in backquotes.")
  }

  /// Returns the comparison with words in quotes, or as moments; only the first word if it is long.
  private func quoted(_ words: [PredicateComparison.BareWord], in predicate: String) -> String {
    let scalars = Array(predicate.unicodeScalars)
    func written(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
    if text.end - text.start > PredicateComparison.maxShown {
      return PredicateOperand.value(.string(words[0].key.excerpt)).written
    }
    var result = quantifier.map { "\($0.keyword) " } ?? ""
    var position = text.start
    for word in words {
      let value =
        MomentWord.isMoment("@\(word.key)")
        ? "@\(word.key)" : PredicateOperand.value(.string(word.key)).written
      result += written(position..<word.range.lowerBound) + value
      position = word.range.upperBound
    }
    return result + written(position..<text.end)
  }
}
