import PlainText

/// A test if a request shows an item that belongs to its list (`ItemGate`): the predicate and each
/// word of the search text must match.
struct ItemFilter: Sendable {
  private let predicate: ItemPredicate?
  private let words: [FoldedPattern]
  private let searchFields: [FieldPath]
  private let context: PredicateContext
  private let defaults: Fields

  /// Creates the filter of a request.
  ///
  /// - Parameters:
  ///   - predicate: The request's predicate; nil if every item that is tested matches it.
  ///   - defaults: The values of fields that an item does not have.
  init(_ request: FetchRequest, predicate: ItemPredicate?, context: PredicateContext, defaults: Fields = [:]) {
    self.predicate = predicate
    self.defaults = defaults
    words = request.search.split(whereSeparator: \.isWhitespace).map { FoldedPattern(String($0)) }
    searchFields = request.searchFields
    self.context = context
  }

  /// True if every item matches.
  var isEmpty: Bool { predicate == nil && words.isEmpty }

  /// Returns true if every item that matches this filter surely matches `other` too, because a
  /// longer search text or a predicate was added. False means that this is not known.
  func isNarrower(than other: ItemFilter) -> Bool {
    let isSamePredicate = predicate == other.predicate && (context == other.context || predicate?.usesToday != true)
    guard isSamePredicate || other.predicate == nil, searchFields == other.searchFields || other.words.isEmpty else { return false }
    // Each old word is a part of a new word.
    return other.words.allSatisfy { old in words.contains { new in new.bytes.withUnsafeBytes { old.isFound(inFolded: $0) } } }
  }

  /// Returns true if the item matches.
  ///
  /// - Parameter text: Scratch space. Pass the same one for many items, so that its memory is
  ///   reused.
  func fits(_ item: Item, _ text: inout FoldedText) -> Bool {
    let item = ItemFields(item: item, defaults: defaults)
    if let predicate, !predicate.matches(item, in: context) { return false }
    if words.isEmpty { return true }
    text.reset()
    fill(&text, from: item)
    for word in words where !text.contains(word) { return false }
    return true
  }

  /// Fills `text` with the strings that are searched: the id and all scalars, or the search fields.
  private func fill(_ text: inout FoldedText, from source: ItemFields) {
    if searchFields.isEmpty {
      var id = source.item.id.description
      id.withUTF8 { text.append(UnsafeRawBufferPointer($0)) }
      fill(&text, from: source.item.fields)
      for field in defaults where !source.item.hasField(at: FieldPath(keys: [field.key])) { fill(&text, from: PackedValue(field.value)) }
    }
    for path in searchFields {
      if let value = source.value(at: path) { fill(&text, from: PackedValue(value)) }
    }
  }

  private func fill(_ text: inout FoldedText, from value: PackedValue) {
    value.forEachScalarText {
      text.append($0)
      return true
    }
  }
}
