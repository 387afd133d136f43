import PlainText

/// Decides whether a request shows an item: its predicate and every word of its search text.
struct ItemFilter: Sendable {
  private let predicate: ItemPredicate?
  private let words: [FoldedPattern]
  private let searchFields: [FieldPath]
  private let context: PredicateContext

  init(_ request: FetchRequest, context: PredicateContext) {
    predicate = request.predicate
    words = request.search.split(whereSeparator: \.isWhitespace).map { FoldedPattern(String($0)) }
    searchFields = request.searchFields
    self.context = context
  }

  /// Whether everything fits.
  var isEmpty: Bool { predicate == nil && words.isEmpty }

  /// Whether all that fits here fits `other`, as far as the requests alone tell: a search text that was typed on, or a predicate where there was none.
  func isNarrower(than other: ItemFilter) -> Bool {
    let isSamePredicate = predicate == other.predicate && (context == other.context || predicate?.usesToday != true)
    guard isSamePredicate || other.predicate == nil, searchFields == other.searchFields || other.words.isEmpty else { return false }
    // Every word that was asked for is a part of one that is.
    return other.words.allSatisfy { old in words.contains { new in new.bytes.withUnsafeBytes { old.isFound(inFolded: $0) } } }
  }

  /// `text` is scratch space; handing in the same one keeps its room.
  func fits(_ item: Item, _ text: inout FoldedText) -> Bool {
    if let predicate, !predicate.matches(item, in: context) { return false }
    if words.isEmpty { return true }
    text.reset()
    fill(&text, from: item)
    for word in words where !text.contains(word) { return false }
    return true
  }

  /// Where the words are looked for: the id and every scalar, or those below the search fields.
  private func fill(_ text: inout FoldedText, from item: Item) {
    if searchFields.isEmpty {
      var id = item.id.description
      id.withUTF8 { text.append(UnsafeRawBufferPointer($0)) }
      item.fields.forEachScalarText {
        text.append($0)
        return true
      }
    }
    for path in searchFields {
      guard let value = item.value(at: path) else { continue }
      PackedValue(value).forEachScalarText {
        text.append($0)
        return true
      }
    }
  }
}
