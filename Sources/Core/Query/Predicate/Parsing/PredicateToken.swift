import Values

/// A token of a predicate.
struct PredicateToken: Sendable {
  enum Kind: Sendable, Hashable {
    /// An interpolated value.
    case argument(PredicateOperand)
    /// A bare word: a keyword, or a key.
    case word(String)
    /// A key in backquotes.
    case quotedKey(String)
    /// A word that begins with `@`, which is part of it.
    case at(String)
    case string(String)
    case number(Number)
    case date(Timestamp)
    case symbol(Symbol)
    /// Signs that are not part of the language.
    case unknown(String)
    case end
  }

  let kind: Kind
  /// The range of the token in Unicode scalars.
  let range: Range<Int>

  func isSymbol(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }

  var keyword: Keyword? {
    if case .word(let text) = kind { Keyword(rawValue: text.uppercased()) } else { nil }
  }

  enum Symbol: String, Sendable, CaseIterable {
    case equal = "=="
    case singleEqual = "="
    case notEqual = "!="
    case lessOrGreater = "<>"
    case lessOrEqual = "<="
    case equalOrLess = "=<"
    case greaterOrEqual = ">="
    case equalOrGreater = "=>"
    case less = "<"
    case greater = ">"
    case and = "&&"
    case or = "||"
    case not = "!"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case dot = "."

    static let longestFirst = allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }
  }

  /// The keywords, which can be written in upper or lower case.
  enum Keyword: String, Sendable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case between = "BETWEEN"
    case `in` = "IN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case anyOf = "ANY"
    case someOf = "SOME"
    case allOf = "ALL"
    case noneOf = "NONE"
    case `true` = "TRUE"
    case yes = "YES"
    case `false` = "FALSE"
    case no = "NO"
    case `nil` = "NIL"
    case null = "NULL"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
  }
}
