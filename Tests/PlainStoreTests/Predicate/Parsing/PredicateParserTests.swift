import Foundation
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct PredicateParserTests {
  private static let pieces = [
    "rating", "tags", "releases.cycle", "`a b`", "@id", "@today", "@count", ".", ".@count", ".@max", "[0]",
    "[", "]", "[cd]", "=", "==",
    "!=", "<", "<=", ">", ">=", "BETWEEN", "IN", "LIKE", "MATCHES", "CONTAINS",
    "BEGINSWITH", "ENDSWITH", "AND", "OR", "NOT", "!", "&&", "||", "ANY", "ALL", "NONE", "(", ")", "{", "}",
    ",", "1", "-2.5", "1e400",
    "2024-01-31", "'x'", "\"y\"", "'[a-z]+'", "'*'", "nil", "TRUE", "NO", "TRUEPREDICATE", "'", "IS",
    "IS NULL", "IS NOT NULL",
    "@today - 30d", " - ", "2w", "SELF", "ANY releases (", "ANY tags (SELF",
    "\"", "`", "\\", "+", "~", "é", "\u{0}", "😀", "%@", "\u{301}",
  ]

  @Test(arguments: Randomness.seeds(40))
  func `any string is a predicate or an error with a column`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let pieces = (0..<random.below(14)).map { _ in
        PredicateParserTests.pieces[random.below(PredicateParserTests.pieces.count)]
      }
      let text = pieces.joined(separator: random.below(2) == 0 ? " " : "")
      do throws(ItemPredicateError) {
        let predicate = try ItemPredicate(text)
        let holds = predicate.matches(PredicateTests.item, in: PredicateTests.context)
        // NOT inverts a result. Only a comparison of two fields can be unknown, and then neither matches.
        if let negated = try? ItemPredicate("NOT (\(text))" as String) {
          let isInverse = negated.matches(PredicateTests.item, in: PredicateTests.context)
          let isUnknown = predicate.namedFields.count > 1 && !holds && !isInverse
          #expect(isInverse != holds || isUnknown, "\(text); NOTES_WATCH_SEED=\(seed)")
        }
      } catch {
        #expect((1...text.count + 1).contains(error.column), "\(text); NOTES_WATCH_SEED=\(seed)")
        #expect(!error.message.isEmpty, "\(text); NOTES_WATCH_SEED=\(seed)")
        #expect(!error.description.isEmpty, "\(text); NOTES_WATCH_SEED=\(seed)")
      }
    }
  }

  private static let sentences = [
    ("done", true), ("missing IS NULL", true), ("name is not null", true), ("rating IS NULL", false),
    ("due > @today - 1d", true),
    ("due < @today - 2m", false),
    ("ANY releases (cycle = '1' AND lts)", true), ("ALL numbers (SELF > 1 OR SELF = 1)", true),
    ("NONE releases (NOT cycle IS NULL)", false),
    ("ANY releases (ANY tags (SELF = 'new'))", true),
  ]

  /// A predicate as a string, and its expected result.
  private static func sentence(_ random: inout SeededGenerator, depth: Int) -> (text: String, value: Bool) {
    switch random.below(depth > 0 ? 7 : 3) {
    case 0: return ("rating = 8", true)
    case 1: return ("name BEGINSWITH 'x'", false)
    case 2: return random.one(of: PredicateParserTests.sentences)
    case 3:
      let inner = sentence(&random, depth: depth - 1)
      return ("NOT (\(inner.text))", !inner.value)
    case 4:
      let inner = sentence(&random, depth: depth - 1)
      return ("(\(inner.text))", inner.value)
    case let kind:
      let terms = (0..<2 + random.below(3)).map { _ in sentence(&random, depth: depth - 1) }
      let isAnd = kind == 5
      let text = terms.map { "(\($0.text))" }.joined(separator: isAnd ? " AND " : " || ")
      return (text, isAnd ? terms.allSatisfy(\.value) : terms.contains(where: \.value))
    }
  }

  @Test(arguments: Randomness.seeds(200))
  func `random predicates have the result of their parts`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (text, value) = PredicateParserTests.sentence(&random, depth: 5)
    #expect(try PredicateTests.holds(text) == value, "\(text); NOTES_WATCH_SEED=\(seed)")
  }

  /// Without parentheses: NOT binds tightest, then AND, then OR.
  @Test(arguments: 0..<64)
  func `NOT binds tighter than AND, and AND than OR`(bits: Int) throws {
    let flags = (0..<3).map { bits >> $0 & 1 == 1 }
    let isNegated = (3..<6).map { bits >> $0 & 1 == 1 }
    let terms = zip(flags, isNegated).map { ($1 ? "NOT " : "") + ($0 ? "TRUE" : "FALSE") }
    let values = zip(flags, isNegated).map { $0 != $1 }
    #expect(
      try PredicateTests.holds("\(terms[0]) OR \(terms[1]) AND \(terms[2])")
        == (values[0] || (values[1] && values[2])))
    #expect(
      try PredicateTests.holds("\(terms[0]) AND \(terms[1]) OR \(terms[2])")
        == ((values[0] && values[1]) || values[2]))
  }

  @Test func `predicates about elements nest as deep as parentheses`() throws {
    let deepest = String(repeating: "ANY matrix (", count: 99) + "TRUE" + String(repeating: ")", count: 99)
    #expect(try PredicateTests.holds(deepest, of: .map(["matrix": 1])) == false)
    let ofSelf =
      "ANY numbers (" + String(repeating: "ANY SELF (", count: 98) + "SELF = 10"
      + String(repeating: ")", count: 99)
    #expect(try PredicateTests.holds(ofSelf))
    #expect(throws: ItemPredicateError.self) {
      try ItemPredicate(
        String(repeating: "ANY a (", count: 200) + "TRUE" + String(repeating: ")", count: 200))
    }
  }
}
