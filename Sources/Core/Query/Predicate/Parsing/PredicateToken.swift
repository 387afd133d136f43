import Values

struct PredicateToken {
  enum Kind: Sendable, Hashable {
    /// An interpolated value, and what it is beside `@id`.
    case argument(PredicateOperand, id: PredicateOperand)
    case word(String)
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
  let range: Range<Int>

  func isSymbol(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }

  var keyword: Keyword? {
    if case .word(let text) = kind { Keyword(rawValue: text.uppercased()) } else { nil }
  }

  enum Symbol: String, CaseIterable {
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
  enum Keyword: String {
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

/// A number of days, weeks, months or years before or after today: `- 30d`, `+ 2w`.
struct DayOffset: Hashable, CustomStringConvertible {
  enum Unit: String, CaseIterable {
    case day = "d"
    case week = "w"
    case month = "m"
    case year = "y"
  }

  /// The number of units; negative for days before today.
  let count: Int
  let unit: Unit

  /// The day as a predicate has it: `@today - 30d`.
  var description: String {
    count == 0 ? "@today" : "@today \(count < 0 ? "-" : "+") \(count.magnitude)\(unit.rawValue)"
  }

  static let maxCount = 999_999
  static let zero = DayOffset(count: 0, unit: .day)

  /// The day at this distance from another, in days since 1970-01-01. A month that is too short for
  /// the day ends with its last day.
  func applied(to day: Int) -> Int {
    switch unit {
    case .day: day + count
    case .week: day + 7 * count
    case .month: DayOffset.addMonths(count, to: day)
    case .year: DayOffset.addMonths(12 * count, to: day)
    }
  }

  private static func addMonths(_ count: Int, to day: Int) -> Int {
    let date = Timestamp.civil(fromDays: day)
    let months = 12 * date.year + date.month - 1 + count
    let year = months >= 0 ? months / 12 : (months - 11) / 12
    let month = months - 12 * year + 1
    return Int(Timestamp.daysSinceEpoch(year, month, min(date.day, Timestamp.daysInMonth(month, year))))
  }
}
