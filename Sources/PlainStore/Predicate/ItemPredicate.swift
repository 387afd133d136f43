public import PlainText

/// Which items a list shows, in the format of `NSPredicate`.
///
/// ```swift
/// let predicate = try ItemPredicate("rating > 7 AND ANY tags BEGINSWITH[cd] 'sci'")
/// let ada: Value = ["rating": 9, "tags": ["Science"]]
/// predicate.matches(ada)  // true
/// ```
///
/// Keywords stand in any case.
///
/// ```ebnf
/// predicate  = and, { ("OR" | "||"), and } ;
/// and        = not, { ("AND" | "&&"), not } ;
/// not        = { "NOT" | "!" }, term ;
/// term       = "(", predicate, ")" | "TRUEPREDICATE" | "FALSEPREDICATE" | comparison ;
/// comparison = [ quantifier ], value, [ operator, [ "[", { "c" | "d" }, "]" ], value ] | [ quantifier ], value, "IS", [ "NOT" ], "NULL"
///            | quantifier, path, "(", predicate, ")" ;
/// quantifier = "ANY" | "SOME" | "ALL" | "NONE" ;
/// operator   = "=" | "==" | "!=" | "<>" | "<" | "<=" | "=<" | ">" | ">=" | "=>" | "BETWEEN" | "IN"
///            | "BEGINSWITH" | "ENDSWITH" | "CONTAINS" | "LIKE" | "MATCHES" ;
/// value      = path | text | number | date | today | "TRUE" | "YES" | "FALSE" | "NO" | "NIL" | "NULL"
///            | "{", [ value, { ",", value } ], "}" | "(", value, ")" ;
/// today      = "@today", [ " ", ("+" | "-"), " ", number, ("d" | "w" | "m" | "y") ] ;
/// path       = (key | "SELF"), { ".", (key | "@count" | "@min" | "@max" | "@sum" | "@avg") | "[", (number | "FIRST" | "LAST" | "SIZE"), "]" } ;
/// key        = a name (letters, digits, "_", "-"; not first a digit or "-") | anything in backquotes | "@id" and the other pseudo-fields ;
/// text       = in double or single quotes, with \" \' \\ \n \r \t \u00e9 \u{e9}; another backslash stands for itself ;
/// date       = 2024-01-31 | 2024-01-31T10:00:00Z | either as text ;
/// ```
///
/// | operator | is true where |
/// | --- | --- |
/// | `a = b`, `a != b` | both are the same value, or not: numbers by value, dates by the moment, texts byte for byte. A missing field is `nil` |
/// | `a < b` and so on | both are of one type and in that order: numbers, dates, texts (as they are sorted), booleans |
/// | `a BETWEEN {b, c}` | `b <= a AND a <= c` |
/// | `a IN {b, c}`, `a IN list` | the list has `a`; or the text on the right has that on the left in it |
/// | `a CONTAINS b` | the list `a` has `b`; or the text `a` has `b` in it |
/// | `a BEGINSWITH b`, `a ENDSWITH b` | the text does |
/// | `a LIKE b` | all of the text fits, with `*` for any characters and `?` for one |
/// | `a MATCHES b` | all of the text matches the regular expression (ICU's) |
/// | `ANY a …`, `ALL a …`, `NONE a …` | it is for one, each or none of the elements of `a`; `SOME` is `ANY` |
/// | `ANY a (…)`, `ALL a (…)`, `NONE a (…)` | all of the predicate holds of the same element. Paths in it begin at the element, `SELF` is the element, and `@id` and so on are the item's |
/// | `a IS NULL`, `a IS NOT NULL` | the field is missing or null, or is neither |
/// | `a` | the value is `true` |
///
/// - `[c]` ignores case, `[d]` accents, `[cd]` both.
/// - Types are never turned into each other: the number 4.1 is not the text `"4.1"`, `1` is not `true`. But the text operators read numbers, dates and booleans as
///   they are written, and a text that is wholly a date is that date.
/// - A date without a time is its midnight. With `@today`, which is the local calendar day, whole days are compared: `due <= @today` includes all of today.
/// - Nothing has no order: `a < 5` and `a >= 5` are both false of a missing field, and so are the text operators.
/// - ANY, ALL and NONE take a scalar for a list of one and a missing field for an empty list; elsewhere a list is compared as a whole.
/// - A key below a list stands for that key of each of its elements. `releases.@count` counts them (a missing list has none), `releases.@max.date` is the greatest date.
/// - `@today - 30d` and `@today + 2w` are days before and after today: days, weeks, months and years. A month that is too short ends with its last day.
/// - There is no other arithmetic, since names may contain `-`.
///
/// `LIKE` and `MATCHES` have 0.2 s for a text, and less once texts have taken longer; what does not match within it does not match.
public struct ItemPredicate: Sendable {
  /// As it was written.
  public let text: String
  /// The fields and pseudo-fields that it reads.
  public let fieldPaths: Set<FieldPath>
  /// Whether it asks for `@today`, so that midnight may change what it holds of.
  public let usesToday: Bool
  let expression: PredicateExpression
  let allowance: MatchAllowance

  /// Linear in the text.
  public init(_ text: String) throws(ItemPredicateError) {
    var parser: PredicateParser
    do throws(PredicateFault) {
      parser = try PredicateParser(text)
      expression = try parser.parse()
    } catch {
      let column = text.unicodeScalars.prefix(error.offset)
      throw ItemPredicateError(column: String(column).count + 1, message: error.message, text: text)
    }
    self.text = text
    allowance = parser.allowance
    var fieldPaths: Set<FieldPath> = []
    var usesToday = false
    expression.forEachOperand { operand, keys in
      switch operand {
      case .path(let path):
        let all = (PseudoField(path) == nil ? keys : []) + operand.keys
        if !all.isEmpty { fieldPaths.insert(FieldPath(keys: all)) }
      case .today: usesToday = true
      case .value, .list, .element: break
      }
    }
    self.fieldPaths = fieldPaths
    self.usesToday = usesToday
  }

  /// Whether a value (the map of an item's fields) is one of those that this asks for.
  public func matches(_ value: Value, in context: PredicateContext = .now) -> Bool {
    PredicateEvaluator(source: value, context: context, allowance: allowance).holds(expression)
  }

  package func matches(_ source: some FieldSource, in context: PredicateContext) -> Bool {
    PredicateEvaluator(source: source, context: context, allowance: allowance).holds(expression)
  }

  /// A sentence for the person who wrote this, once, after a `LIKE` or `MATCHES` ran out of time or memory.
  public func takeHint() -> String? {
    allowance.takeExceeded()
      ? "A LIKE or MATCHES of “\(PredicateExcerpt.of(text))” took too long for some items, which therefore do not match; make its pattern simpler (avoid repeats within repeats)."
      : nil
  }
}

extension ItemPredicate: Hashable, CustomStringConvertible {
  /// By the text, byte for byte.
  public static func == (a: ItemPredicate, b: ItemPredicate) -> Bool { a.text.hasSameBytes(as: b.text) }
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
  public var description: String { text }
}
