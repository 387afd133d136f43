/// A hint about a probable mistake in a request. A list with hints works; they are for the author
/// of the request.
///
/// ```swift
/// let best = try store.list(sort: "-raiting")
/// for hint in best.snapshot.hints { print(hint) }
/// // no item has the field `raiting`. Did you mean `rating`?
/// ```
public struct Hint: Sendable, Hashable, CustomStringConvertible {
  /// The kind of the hint.
  package let kind: Kind
  /// The field that the hint is about; nil if it is not about a field.
  package let field: FieldPath?
  /// The field that was probably meant; nil if no item has a similar one.
  package let suggestion: FieldPath?
  /// The sentence that describes the mistake and says what to write instead.
  public let message: String

  /// The kind of a hint.
  package struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// No item has a field that the request names.
    package static let unknownField = Kind(description: "unknownField")
    /// A word of the predicate is read as a field that no item has, but it is compared with a field
    /// that some item has. It is probably a string whose quotes were forgotten: `status = done`.
    package static let unquotedString = Kind(description: "unquotedString")
    /// No item is in the folder that the request names, but some are in one with a similar name.
    package static let unknownFolder = Kind(description: "unknownFolder")
    /// The predicate is a malformed literal.
    package static let malformedPredicate = Kind(description: "malformedPredicate")
    /// The list is empty, and a comparison of its predicate can match no item, because it compares
    /// different types.
    package static let impossibleComparison = Kind(description: "impossibleComparison")

    /// The name of the kind, such as `unknownField`.
    package let description: String
  }

  /// The message. Control characters are escaped.
  public var description: String { DisplayText.safe(message) }
}

extension Hint {
  package init(unknownField field: FieldPath, suggestion: FieldPath?) {
    let advice =
      suggestion.map { "Did you mean `\($0)`?" } ?? "Check the name. In a predicate, put strings in quotes."
    self.init(
      kind: .unknownField, field: field, suggestion: suggestion,
      message: "no item has the field `\(field)`. \(advice)")
  }

  fileprivate init(malformed error: ItemPredicateError) {
    self.init(kind: .malformedPredicate, field: nil, suggestion: nil, message: error.description)
  }

  fileprivate init(_ string: UnquotedString) {
    self.init(
      kind: string.isInQuery ? .unknownField : .unquotedString, field: string.fields.first, suggestion: nil,
      message: string.error.message)
  }

  fileprivate init(unknownFolder folder: RelativePath, suggestion: String) {
    let message = "no item is in the folder `\(folder)`. Did you mean `\(suggestion)`?"
    self.init(kind: .unknownFolder, field: nil, suggestion: nil, message: message)
  }

  fileprivate init(impossibleComparison message: String) {
    self.init(kind: .impossibleComparison, field: nil, suggestion: nil, message: message)
  }
}

extension ListSnapshot {
  /// The hints about the request: strings of the predicate whose quotes were probably forgotten, other fields
  /// that no item has, a folder without items whose name is similar to another folder's, and for an empty
  /// list the comparisons that can match no item. At most eight of each kind.
  ///
  /// Costs O(n), and more for each unknown field: it reads all items.
  public var hints: [Hint] {
    warnings
      + unknownFields(max: maxHints).map {
        Hint(unknownField: $0, suggestion: nearestField(to: $0))
      }
      + predicateHints.map(Hint.init(impossibleComparison:)) + [folderHint].compactMap { $0 }
  }

  /// The hints that people must see for as long as they hold: a malformed predicate, which matches nothing,
  /// strings of the predicate whose quotes were probably forgotten, and fields of the query that no item has:
  /// such a comparison never selects an item. O(1) for none.
  public var warnings: [Hint] {
    (request.predicate?.error.map { [Hint(malformed: $0)] } ?? []) + unquotedStrings.map(Hint.init)
  }

  private var folderHint: Hint? {
    guard let folder = request.folder, !storeItems.contains(where: { $0.value.path.isBelow(folder) }) else {
      return nil
    }
    var folders: Set<RelativePath> = []
    for (_, item) in storeItems { folders.formUnion(sequence(first: item.path, next: \.parent).dropFirst()) }
    let name = folders.map(\.description).sorted().nearest(to: folder.description)
    return name.map { Hint(unknownFolder: folder, suggestion: $0) }
  }
}

/// Nobody reads hundreds of hints.
private let maxHints = 8
