package import Values

/// A test if a request shows an item that belongs to its list (`ItemGate`): the predicate and each
/// word of the search text must match.
package struct ItemFilter {
  private let predicate: ItemPredicate?
  private let context: PredicateContext
  package let words: [FoldedPattern]
  /// The part of an item that must contain the words.
  package let searched: SearchedText

  /// `predicate` is nil if every tested item matches it.
  package init(_ request: FetchRequest, predicate: ItemPredicate?, context: PredicateContext) {
    self.predicate = predicate
    self.context = context
    words = ItemFilter.words(of: request.search)
    searched = SearchedText(fields: request.searchFields)
  }

  static func words(of search: String) -> [FoldedPattern] {
    search.split(whereSeparator: \.isWhitespace).map { FoldedPattern(String($0)) }
  }

  package var isEmpty: Bool { predicate == nil && words.isEmpty }

  package var hasPredicate: Bool { predicate != nil }

  /// Returns true if every item that matches this filter surely matches `other` too, because a
  /// longer search text or a predicate was added. False means that this is not known.
  package func isNarrower(than other: ItemFilter) -> Bool {
    let isSamePredicate =
      predicate == other.predicate && (context == other.context || predicate?.usesToday != true)
    guard isSamePredicate || other.predicate == nil,
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

  package func fitsPredicate(_ fields: ItemFields) -> Bool { predicate?.matches(fields, in: context) ?? true }
}

/// The part of an item that a search text is looked up in: the id and all scalars, or the search fields.
package struct SearchedText: Hashable {
  let fields: [FieldPath]

  package init(fields: [FieldPath]) { self.fields = fields }

  /// Appends the strings of an item in three parts: its names, which are the id and the title, its other
  /// fields, and its body. A ranking tells them apart (`SearchRanking`).
  package func append(_ source: ItemFields, to text: inout FoldedText) {
    if fields.isEmpty { return appendAll(source, to: &text) }
    func append(_ belongs: (FieldPath) -> Bool) {
      for path in fields where belongs(path) {
        if let value = source.value(at: path) { SearchedText.append(PackedValue(value), to: &text) }
      }
    }
    append(\.isName)
    text.endPart()
    append { !$0.isName && !$0.isBody }
    text.endPart()
    append(\.isBody)
  }

  private func appendAll(_ source: ItemFields, to text: inout FoldedText) {
    let item = source.item
    var id = item.id.description
    id.withUTF8 { text.append(UnsafeRawBufferPointer($0)) }
    item.fields.bytes.withUnsafeBytes { raw in
      let (title, body) = SearchedText.titleAndBody(in: raw)
      if let title { SearchedText.append(title, to: &text) }
      text.endPart()
      SearchedText.forEachField(in: raw) { _, value in
        if value.baseAddress == title?.baseAddress || value.baseAddress == body?.baseAddress { return }
        SearchedText.append(value, to: &text)
      }
      for field in source.defaults where !item.hasField(at: FieldPath(keys: [field.key])) {
        SearchedText.append(PackedValue(field.value), to: &text)
      }
      text.endPart()
      if let body { SearchedText.append(body, to: &text) }
    }
  }

  private static let titleKeys = Item.titleKeys.map { Array($0.utf8) }
  fileprivate static let bodyKey = "body"
  private static let bodyKeyBytes = Array(bodyKey.utf8)

  /// Returns the packed values of the title and the body of an item.
  private static func titleAndBody(in raw: UnsafeRawBufferPointer) -> (
    title: UnsafeRawBufferPointer?, body: UnsafeRawBufferPointer?
  ) {
    var title: (number: Int, value: UnsafeRawBufferPointer)?
    var body: UnsafeRawBufferPointer?
    forEachField(in: raw) { key, value in
      if key.elementsEqual(bodyKeyBytes) { body = value }
      guard let number = titleKeys.firstIndex(where: key.elementsEqual), number < title?.number ?? .max,
        PackedValue.isFilledScalar(value)
      else { return }
      title = (number, value)
    }
    return (title?.value, body)
  }

  private static func forEachField(
    in raw: UnsafeRawBufferPointer,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) {
    var reader = PackedReader(raw)
    guard case .map(var fields) = reader.part() else { return }
    while !fields.isAtEnd {
      let key = fields.textBytes()
      body(key, fields.valueBytes())
    }
  }

  private static func append(_ value: UnsafeRawBufferPointer, to text: inout FoldedText) {
    var reader = PackedReader(value)
    _ = reader.visitScalarTexts {
      text.append($0)
      return true
    }
  }

  private static func append(_ value: PackedValue, to text: inout FoldedText) {
    value.bytes.withUnsafeBytes { append($0, to: &text) }
  }
}

extension FieldPath {
  /// True for the id and the fields that can be a title.
  fileprivate var isName: Bool {
    PseudoField(self) == .id || keys.count == 1 && Item.titleKeys.contains(keys[0])
  }

  fileprivate var isBody: Bool { keys == [SearchedText.bodyKey] }
}
