package import Values

/// A test if a request shows an item that belongs to its list (`ItemGate`): the predicate, each word of the
/// search text, and the query must match.
package struct ItemFilter {
  private let predicates: [ItemPredicate]
  private let context: PredicateContext
  package let words: [FoldedPattern]
  /// The part of an item that must contain the words.
  package let searched: SearchedText

  /// `predicate` is nil if every tested item matches it.
  package init(_ request: FetchRequest, predicate: ItemPredicate?, context: PredicateContext) {
    predicates = [predicate, request.query?.predicate].compactMap(\.self)
    self.context = context
    words =
      ItemFilter.words(of: request.search) + (request.query?.words ?? []).map { FoldedPattern($0) }
    searched = SearchedText(fields: request.searchFields)
  }

  static func words(of search: String) -> [FoldedPattern] {
    search.split(whereSeparator: \.isWhitespace).map { FoldedPattern(String($0)) }
  }

  package var isEmpty: Bool { predicates.isEmpty && words.isEmpty }

  /// Returns true if every item that matches this filter surely matches `other` too, because a
  /// longer search text or a predicate was added. False means that this is not known.
  package func isNarrower(than other: ItemFilter) -> Bool {
    let keepsPredicates = other.predicates.allSatisfy {
      predicates.contains($0) && (context == other.context || !$0.usesToday)
    }
    guard keepsPredicates,
      searched.fields == other.searched.fields || other.words.isEmpty
    else { return false }
    // Each old word is a part of a new word.
    return other.words.allSatisfy { old in
      words.contains { new in new.bytes.withUnsafeBytes { old.isFound(inFolded: $0) } }
    }
  }

  /// `text` is scratch space. Pass the same one for many items, so that its memory is reused.
  package func fits(_ fields: ItemFields, _ text: inout FoldedText) -> Bool {
    if !fitsPredicate(fields) { return false }
    if words.isEmpty { return true }
    text.reset()
    searched.append(fields, to: &text)
    for word in words where !text.contains(word) { return false }
    return true
  }

  /// Returns what the texts of items tell about the filter, of whose words only some are asked.
  package func textPredicate(asking words: [FoldedPattern]) -> TextPredicate {
    let asked: [TextPredicate] = words.isEmpty ? [] : [.words(words, areBegun: false, searched)]
    return .and(asked + predicates.map(\.textPredicate))
  }

  package func fitsPredicate(_ fields: ItemFields) -> Bool {
    predicates.allSatisfy { $0.matches(fields, in: context) }
  }
}

/// The part of an item that a search text is looked up in: the id and all scalars, or the search fields.
package struct SearchedText: Hashable {
  let fields: [FieldPath]
  /// The fields by the parts of a text: names, others, and the body.
  private let parts: [[FieldPath]]

  package init(fields: [FieldPath]) {
    self.fields = fields
    parts = [
      fields.filter(\.isName), fields.filter { !$0.isName && !$0.isBody }, fields.filter(\.isBody),
    ]
  }

  /// Appends the strings of an item in three parts: its names, which are the id and the title, its other
  /// fields, and its body. A ranking tells them apart (`SearchRanking`).
  package func append(_ source: ItemFields, to text: inout FoldedText) {
    if fields.isEmpty { return source.appendTexts(to: &text) }
    for (number, part) in parts.enumerated() {
      if number > 0 { text.endPart() }
      for path in part { source.value(at: path)?.appendTexts(to: &text) }
    }
  }
}

extension FieldPath {
  /// True for the id and the fields that can be a title.
  fileprivate var isName: Bool {
    PseudoField(self) == .id || keys.count == 1 && Item.titleKeys.contains(keys[0])
  }

  fileprivate var isBody: Bool { keys == [Item.bodyKey] }
}
