package import Values

/// A search with a grammar, as a person types it: `tags:garden -done:true "apple tree" OR due:<=@today`.
///
/// ```swift
/// list.query = try SearchQuery("tags:garden -done:true")
/// ```
///
/// Words are AND, and OR binds weaker; there are `"phrases"`, `( )`, `-word`, `app*` for the beginning of a word,
/// `~apltr` for letters of the id or the title in this order, and conditions of a field: `title:apple`,
/// `status:=done`, `rating:>=3`, `rating:3..5`, `due:..@today+7d`, `has:due` and `no:due`. Case and accents are
/// ignored. In quotes everything is text.
public struct SearchQuery: Sendable {
  /// The query as it was written.
  public let text: String
  /// The words and phrases that must all be in the item's text.
  package let words: [String]
  /// The condition that all other parts of the query make; nil if there are none.
  package let predicate: ItemPredicate?
  private let parts: [Part]

  /// A word, a phrase or a condition of a field.
  package struct Term: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// The text is in a value.
      case word
      /// A word of a value begins with the text.
      case prefix
      /// The letters of the text are in the id or the title, in this order.
      case fuzzy
      case equal
      /// The sign of a predicate: `>=`.
      case ordered(String)
      case between
      case has
      case no
    }

    package var kind: Kind
    package let text: String
    /// The field that the term names; nil for the complete item.
    package var field: FieldPath?
    /// The values that the field is compared with.
    var values: [PredicateOperand] = []
    /// The place of the term in the query, in Unicode scalars.
    let offset: Int
    var isNegated = false
    /// True if no group or two groups around the term are negated, not one.
    var isPositive = true
    /// True if the term is in no parentheses.
    var isTop = true

    fileprivate var isPlain: Bool { kind == .word && field == nil }
    fileprivate var isTopWord: Bool { isPlain && isTop && !isNegated }
  }

  /// A query in the order of its text. Terms and groups without `or` between them are joined by AND.
  enum Part: Hashable {
    case term(Term)
    case open(isNegated: Bool)
    case close
    /// `isTop` outside of parentheses.
    case or(isTop: Bool)

    fileprivate var term: Term? { if case .term(let term) = self { term } else { nil } }
  }

  /// Reads a query. Linear in its length, which is at most 16,384 characters.
  ///
  /// - Throws: An ``ItemPredicateError`` with the column of the first error: a quote or a parenthesis that is
  ///   not closed, an operator without a side, or a field without a value.
  public init(_ text: String) throws(ItemPredicateError) {
    var parser = Parser(text, isLenient: false)
    do throws(ItemPredicateError) {
      self.init(text, try parser.parse())
    } catch {
      throw error.of(text)
    }
  }

  /// Reads a query that a person is still typing: what is not closed ends with the text, what is incomplete
  /// is left out.
  package init(typed text: String) {
    var parser = Parser(text, isLenient: true)
    // A lenient parser has no errors.
    self.init(text, (try? parser.parse()) ?? [])
  }

  private init(_ text: String, _ parts: [Part]) {
    self.text = text
    self.parts = parts
    let hasOr = parts.contains(.or(isTop: true))
    words = hasOr ? [] : parts.compactMap(\.term).filter(\.isTopWord).map(\.text)
    predicate = ItemPredicate(parts, withWords: hasOr)
  }

  /// True if every item matches.
  package var isEmpty: Bool { parts.isEmpty }

  /// The query with `~` before each word. The text stays.
  package var fuzzy: SearchQuery {
    SearchQuery(
      text,
      parts.map { part in
        guard var term = part.term, term.isPlain else { return part }
        term.kind = .fuzzy
        return .term(term)
      })
  }

  /// The words and phrases that an item may have because it matches, those of fields among them.
  package var terms: [Term] {
    parts.compactMap(\.term).filter { $0.isPositive && [.word, .prefix, .fuzzy].contains($0.kind) }
  }

  /// The fields that the query names, in the order of its text.
  package var namedFields: [FieldPath] { parts.compactMap { $0.term?.field } }

  /// Returns the fields that none of some items has, with errors that say which one was probably meant.
  ///
  /// `items` are all items of a folder; without any, no field is known. There are at most eight. O(1) if
  /// the query names no field, otherwise up to O(n) for each.
  package func unknownFields(in items: some Sequence<Item>) -> [UnquotedString] {
    var found: [UnquotedString] = []
    var seen: Set<FieldPath> = []
    for part in parts where found.count < 8 {
      guard let term = part.term, let field = term.field, PseudoField(field) == nil,
        seen.insert(field).inserted,
        !items.contains(where: { $0.hasField(at: field) }), items.contains(where: { _ in true })
      else { continue }
      let advice = items.nearestField(to: field).map { "Did you mean `\($0)`? " } ?? ""
      let message = "no item has the field `\(field)`. \(advice)If it is text, put it in quotes."
      found.append(
        UnquotedString(
          fields: [field], error: ItemPredicateError(at: term.offset, message).of(text), isInQuery: true))
    }
    return found
  }
}

extension SearchQuery: Hashable, CustomStringConvertible {
  /// Compares the texts byte for byte, and whether they are read alike.
  public static func == (a: SearchQuery, b: SearchQuery) -> Bool {
    a.text.hasSameBytes(as: b.text) && a.parts == b.parts
  }
  /// Hashes the bytes of the text.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
  /// The query as it was written.
  public var description: String { text }
}

extension ItemPredicate {
  /// Creates the predicate of a query; nil if it has no condition. Its texts are values, never syntax.
  ///
  /// Without `withWords`, the words outside of parentheses are left out.
  fileprivate init?(_ parts: [SearchQuery.Part], withWords: Bool) {
    var written = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    var isEmpty = true
    var needsAnd = false
    func begin(_ isNegated: Bool) {
      written.appendLiteral((needsAnd ? " AND " : "") + (isNegated ? "NOT " : ""))
      isEmpty = false
    }
    for part in parts {
      switch part {
      case .term(let term) where term.isTopWord && !withWords: continue
      case .term(let term):
        begin(term.isNegated)
        written.append(term)
        needsAnd = true
      case .open(let isNegated):
        begin(isNegated)
        written.appendLiteral("(")
        needsAnd = false
      case .close:
        written.appendLiteral(")")
        needsAnd = true
      case .or:
        written.appendLiteral(" OR ")
        needsAnd = false
      }
    }
    if isEmpty { return nil }
    self.init(stringInterpolation: written)
  }
}

extension ItemPredicate.StringInterpolation {
  fileprivate mutating func append(_ term: SearchQuery.Term) {
    switch (term.kind, term.field) {
    case (.word, let field), (.prefix, let field):
      if let field {
        appendInterpolation(field)
        appendLiteral(".")
      }
      appendLiteral("@text \(term.kind == .prefix ? "BEGINSWITH" : "CONTAINS")[cd] ")
      append(.value(.string(term.text)))
    case (.fuzzy, _):
      let pattern = PredicateOperand.value(.string(term.text.fuzzyPattern))
      appendLiteral("(@id LIKE[cd] ")
      append(pattern)
      for key in Item.titleKeys {
        appendLiteral(" OR \(key) LIKE[cd] ")
        append(pattern)
      }
      appendLiteral(")")
    case (.has, let field?), (.no, let field?):
      appendInterpolation(field)
      appendLiteral(term.kind == .has ? " IS NOT NULL" : " IS NULL")
    case (.equal, let field?): append(field, term.values.count > 1 ? "IN[cd]" : "=[cd]", term.values)
    case (.between, let field?): append(field, "BETWEEN", term.values)
    case (.ordered(let sign), let field?): append(field, sign, term.values)
    case (.has, nil), (.no, nil), (.equal, nil), (.between, nil), (.ordered, nil): break
    }
  }

  private mutating func append(_ field: FieldPath, _ sign: String, _ values: [PredicateOperand]) {
    appendLiteral("ANY ")
    appendInterpolation(field)
    appendLiteral(" \(sign) \(values.count > 1 ? "{" : "")")
    for (index, value) in values.enumerated() {
      if index > 0 { appendLiteral(", ") }
      append(value)
    }
    if values.count > 1 { appendLiteral("}") }
  }
}

extension String {
  /// The pattern of LIKE for texts that have the characters of this one in the same order.
  fileprivate var fuzzyPattern: String {
    reduce(into: "*") { pattern, character in
      if character.isWhitespace { return }
      pattern += ("*?\\".contains(character) ? "\\" : "") + String(character) + "*"
    }
  }
}
