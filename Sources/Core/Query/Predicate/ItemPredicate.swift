public import Values

/// A condition that decides which items a list shows, in the format of `NSPredicate`.
///
/// ```swift
/// let predicate: ItemPredicate = "rating > \(7) AND ANY tags BEGINSWITH[cd] \("sci")"
/// let ada: Value = ["rating": 9, "tags": ["Science"]]
/// predicate.matches(ada)  // true
/// ```
///
/// In a literal, interpolated values are data: no text can change the meaning of the text around it. A text
/// that a person typed is a predicate by ``init(_:)``, which throws.
///
/// | interpolation | meaning |
/// | --- | --- |
/// | `\(text)`, `\(3)`, `\(date)` | a value, exactly: a string, number, boolean, date, UUID, URL, or an enumeration with raw values |
/// | `\(["new", "old"])` | a list, for IN and BETWEEN |
/// | `\(1...5)`, `\(start..<end)` | a range, for IN and BETWEEN |
/// | `\(path)` of a `FieldPath` | a field |
/// | `\(other)` of an `ItemPredicate` | another predicate, as if in parentheses |
///
/// Write a value without quotes around it. In a comparison with `@id`, on either side, values are ids as
/// they are written: a UUID in lower case, an integer as its digits. Any other comparison with a UUID
/// ignores case, as by `[c]`. A string that is an ISO 8601 date compares as that date, as everywhere. `LIKE \(text)` and `MATCHES \(text)` interpret the text as a pattern; to look for
/// the text itself, use `CONTAINS`, `BEGINSWITH` or `ENDSWITH`.
///
/// Keywords can be written in upper or lower case.
///
/// ```ebnf
/// predicate  = and, { ("OR" | "||"), and } ;
/// and        = not, { ("AND" | "&&"), not } ;
/// not        = { "NOT" | "!" }, term ;
/// term       = "(", predicate, ")" | "TRUEPREDICATE" | "FALSEPREDICATE" | comparison ;
/// comparison = [ quantifier ], value, [ operator, [ "[", { "c" | "d" }, "]" ], value ]
///            | [ quantifier ], value, "IS", [ "NOT" ], "NULL"
///            | quantifier, path, "(", predicate, ")" ;
/// quantifier = "ANY" | "SOME" | "ALL" | "NONE" ;
/// operator   = "=" | "==" | "!=" | "<>" | "<" | "<=" | "=<" | ">" | ">=" | "=>" | "BETWEEN" | "IN"
///            | "BEGINSWITH" | "ENDSWITH" | "CONTAINS" | "LIKE" | "MATCHES" ;
/// value      = path | string | number | date | today
///            | "TRUE" | "YES" | "FALSE" | "NO" | "NIL" | "NULL"
///            | "{", [ value, { ",", value } ], "}" | "(", value, ")" ;
/// today      = "@today", [ " ", ("+" | "-"), " ", number, ("d" | "w" | "m" | "y") ] ;
/// path       = (key | "SELF"), { ".", (key | "@count" | "@min" | "@max" | "@sum" | "@avg")
///            | "[", (number | "FIRST" | "LAST" | "SIZE"), "]" } ;
/// key        = a name (letters, digits, "_", "-"; not first a digit or "-")
///            | anything in backquotes | "@id" and the other pseudo-fields ;
/// string     = in double or single quotes, with \" \' \\ \n \r \t \u00e9 \u{e9};
///              any other backslash is itself ;
/// date       = 2024-01-31 | 2024-01-31T10:00:00Z | either as a string ;
/// ```
///
/// | operator | is true if |
/// | --- | --- |
/// | `a = b`, `a != b` | both are the same value, or not: numbers by value, dates by moment, strings byte for byte. A missing field is `nil` |
/// | `a < b` and so on | both are of one type and in that order: numbers, dates, strings (as they are sorted), booleans |
/// | `a BETWEEN {b, c}` | `b <= a AND a <= c` |
/// | `a IN {b, c}`, `a IN list` | the list contains `a`, or the string on the right contains the one on the left |
/// | `a CONTAINS b` | the list `a` contains `b`, or the string `a` contains `b` |
/// | `a BEGINSWITH b`, `a ENDSWITH b` | the string begins or ends with `b` |
/// | `a LIKE b` | the complete string matches, with `*` for any characters and `?` for one |
/// | `a MATCHES b` | the complete string matches the regular expression (PCRE2 syntax) |
/// | `ANY a …`, `ALL a …`, `NONE a …` | the comparison is true for one, each or none of the elements of `a`; `SOME` is `ANY` |
/// | `ANY a (…)`, `ALL a (…)`, `NONE a (…)` | the predicate is true for one, each or none of the elements. Paths in it begin at the element, `SELF` is the element, and pseudo-fields such as `@id` are those of the item |
/// | `a IS NULL`, `a IS NOT NULL` | the field is missing or null, or neither of them |
/// | `a` | the value is `true` |
///
/// - `[c]` ignores case, `[d]` accents, `[cd]` both.
/// - Types are never converted: the number 4.1 is not the string `"4.1"`, and `1` is not `true`.
///   But the string operators read numbers, dates and booleans as they are written, and a string
///   that is completely a date is that date.
/// - A date without a time is its midnight. A comparison with `@today`, the local calendar day,
///   compares complete days: `due <= @today` includes all of today.
/// - A missing field has no order: `a < 5` and `a >= 5` are both false, and so are the string operators.
/// - A comparison of two fields is unknown if one of them is missing or null. NOT of it is unknown,
///   too, and AND, OR, ANY, ALL and NONE treat it as in SQL. Only items for which the predicate is
///   true match. `NSPredicate` instead finds two missing values equal.
/// - A single word without quotes is a field. If no item has it, but some item has the field that
///   it is compared with, ``ListSnapshot/hints`` says so: it was probably meant as a string. In
///   backquotes it is surely a field.
/// - ANY, ALL and NONE treat a scalar as a list of one element and a missing field as an empty
///   list. Without them a list is compared as one value.
/// - A key below a list means that key of each element. `releases.@count` is the number of elements
///   (0 if the list is missing), `releases.@max.date` is the latest date.
/// - `@today - 30d` and `@today + 2w` are days before and after today; the units are days, weeks,
///   months and years. If a month is too short for the day, its last day counts.
/// - There is no other arithmetic, because names may contain `-`.
///
/// `LIKE` and `MATCHES` have 0.2 s per string, and less after strings took longer. A string that
/// takes longer does not match.
public struct ItemPredicate: Sendable {
  let format: PredicateFormat
  /// The fields and pseudo-fields that the predicate reads.
  package var fieldPaths: Set<FieldPath> { Set(namedFields) }
  /// The fields and pseudo-fields that the predicate reads, in the order of its text.
  package let namedFields: [FieldPath]
  /// True if the predicate uses `@today`, so that midnight may change its result.
  package let usesToday: Bool
  let expression: PredicateExpression
  /// The offsets of the comparisons that do not read interpolated values as their texts.
  private let readings: [Int]
  /// True if a comparison of fields has a single word that may be meant as a string.
  let hasBareWords: Bool
  let allowance: MatchAllowance

  /// The error of a literal that is malformed.
  package let error: ItemPredicateError?

  /// Parses a text that a person typed, such as that of a command line. Linear in its length.
  ///
  /// ```swift
  /// let typed = try ItemPredicate(line)
  /// ```
  ///
  /// To compare with a value, write a literal with the value in it: `"name = \(text)"`.
  ///
  /// - Throws: An ``ItemPredicateError`` with the column of the first error.
  public init(_ text: String) throws(ItemPredicateError) { try self.init(PredicateFormat(text: text)) }

  init(literal format: PredicateFormat, _ error: ItemPredicateError? = nil) {
    do throws(ItemPredicateError) {
      if let error { throw error.of(format.text) }
      try self.init(format)
    } catch {
      self.init(format, malformed: error)
    }
  }

  private init(_ format: PredicateFormat, malformed error: ItemPredicateError) {
    self.format = format
    self.error = error
    expression = .constant(false)
    namedFields = []
    readings = []
    usesToday = false
    hasBareWords = false
    allowance = MatchAllowance()
  }

  /// Returns the predicate, unless it is a malformed literal.
  package func checked() throws(ItemPredicateError) -> ItemPredicate {
    if let error { throw error }
    return self
  }

  private init(_ format: PredicateFormat) throws(ItemPredicateError) {
    error = nil
    var parser: PredicateParser
    do throws(ItemPredicateError) {
      parser = try PredicateParser(format)
      expression = try parser.parse()
    } catch {
      throw error.of(format.text)
    }
    self.format = format
    readings = parser.readings
    allowance = parser.allowance
    hasBareWords = parser.hasBareWords
    var namedFields: [FieldPath] = []
    var usesToday = false
    expression.forEachOperand { operand, keys in
      switch operand {
      case .path(let path):
        let all = (PseudoField(path) == nil ? keys : []) + operand.keys
        if !all.isEmpty { namedFields.append(FieldPath(keys: all)) }
      case .today: usesToday = true
      case .value, .list, .element, .range, .text: break
      }
    }
    self.namedFields = namedFields
    self.usesToday = usesToday
  }

  /// The predicate as it was written, with its interpolated values as they would be written.
  package var text: String { format.text }

  /// Returns true if the predicate is true for a value.
  ///
  /// - Parameter value: The map of an item's fields. It has no pseudo-fields.
  public func matches(_ value: Value) -> Bool { matches(value, in: .now) }

  package func matches(_ value: Value, in context: PredicateContext) -> Bool {
    PredicateEvaluator(source: value, context: context, allowance: allowance).holds(expression) == true
  }

  package func matches(_ source: some FieldSource, in context: PredicateContext) -> Bool {
    PredicateEvaluator(source: source, context: context, allowance: allowance).holds(expression) == true
  }

  /// Returns, once, a sentence for the author of the predicate after a `LIKE` or `MATCHES` ran out
  /// of time or memory; otherwise nil.
  package func consumeHint() -> String? {
    allowance.consumeExceeded()
      ? "A LIKE or MATCHES of “\(text.excerpt)” took too long for some items, which "
        + "therefore do not match. Simplify its pattern: avoid nested repeats."
      : nil
  }
}

extension ItemPredicate: Hashable, CustomStringConvertible {
  /// Compares the texts byte for byte. An interpolated value equals the same value as text, unless it is an
  /// id or a UUID that is read in another way than its text.
  public static func == (a: ItemPredicate, b: ItemPredicate) -> Bool {
    a.text.hasSameBytes(as: b.text) && a.readings == b.readings
  }
  /// Hashes the bytes of the text.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
  /// The predicate as it was written.
  public var description: String { text }
}
