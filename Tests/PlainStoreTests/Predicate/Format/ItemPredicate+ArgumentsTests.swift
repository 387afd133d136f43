import Foundation
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct ItemPredicateArgumentsTests {
  private static let ada: Value = [
    "name": "Ada", "rating": 9, "price": 4.1, "done": true, "100%": 1, "address": ["city": "London"],
  ]

  @Test func `placeholders are replaced by their arguments`() throws {
    let predicates = [
      try ItemPredicate(format: "rating > %@ AND %K CONTAINS[c] %@", 3, "name", "ad"),
      try ItemPredicate(
        format: "rating = %d AND rating = %ld AND rating = %lu AND rating = %zd", 9, 9, UInt(9), Int8(9)),
      try ItemPredicate(format: "price = %f AND price < %lf AND price > %g", 4.1, 5.0, 3),
      try ItemPredicate(format: "%K = %@", "address.city", "London"),
      try ItemPredicate(format: "%K = %@ AND done = %@", FieldPath(keys: ["100%"]), 1, true),
      try ItemPredicate(format: "`100%%` = 1 AND '100%%' = '100%' AND \"%\" = '%%'"),
      try ItemPredicate(
        format: "name IN %@ AND rating BETWEEN %@ AND rating IN %@", ["Ada", "Bob"], 1...9, [9]),
      try ItemPredicate(format: "missing = %@ AND other = %@", nil, Int?.none),
      try ItemPredicate(format: "'it\\'s %%' = %@ AND TRUE", "it's %"),
    ]
    for predicate in predicates {
      #expect(predicate.matches(ItemPredicateArgumentsTests.ada), "\(predicate)")
    }
  }

  @Test func `an argument is data`() throws {
    #expect(
      try !ItemPredicate(format: "name = %@", "x\" OR TRUEPREDICATE").matches(ItemPredicateArgumentsTests.ada)
    )
    #expect(
      try !ItemPredicate(format: "name = %@ AND rating = %@", "%@", "%@").matches(
        ItemPredicateArgumentsTests.ada))
    #expect(try ItemPredicate(format: "%K = 1", "100%").matches(ItemPredicateArgumentsTests.ada))
  }

  private static func error(_ format: StaticString, _ arguments: [(any PredicateValueConvertible)?])
    -> ItemPredicateError?
  {
    var reader = ArgumentReader(format.description, arguments)
    do throws(ItemPredicateError) {
      _ = try ItemPredicate(reader.read())
      return nil
    } catch { return error }
  }

  @Test func `a mistake has its column in the format`() throws {
    let cases: [(StaticString, [(any PredicateValueConvertible)?], Int, String)] = [
      ("a = %@", [], 5, "only 0"), ("a = %@ OR b = %@", [1], 15, "only 1"),
      ("a = %@", [1, 2], 7, "2 arguments"), ("a = 1", [1], 6, "1"),
      ("a = %d", ["x"], 5, "an integer"), ("a = %d", [1.5], 5, "an integer"),
      ("a = %f", ["1"], 5, "a number"),
      ("a = %d", [nil], 5, "NULL"),
      ("%K = 1", [1], 1, "a field"), ("%K = 1", ["a..b"], 1, "A key is missing"),
      ("é = %x", [1], 5, "expected a placeholder"),
      ("a = %", [], 5, "expected a placeholder"), ("a = %l", [], 5, "expected a placeholder"),
      ("a = '%@'", ["x"], 6, "remove the quotes"),
      ("`%K` = 1", ["x"], 2, "remove the quotes"), ("a = %l@", [1], 5, "expected a placeholder"),
    ]
    for (format, arguments, column, part) in cases {
      let error = try #require(ItemPredicateArgumentsTests.error(format, arguments), "\(format)")
      #expect(error.column == column, "\(format)")
      #expect(error.message.contains(part), "\(format): \(error.message)")
      #expect(error.text == format.description)
    }
    let unknown = try #require(ItemPredicateArgumentsTests.error("a = %@ b", ["x y"]))
    #expect(unknown.text == "a = \"x y\" b")
    #expect(unknown.column == 11)
  }

  private static let pieces = [
    "%", "@", "K", "d", "l", "%%", "'", "\"", "`", "\\", "a", " = ", "1", " AND ", "é", "\u{0}", "%@", "%K",
  ]

  @Test(arguments: Randomness.seeds(20))
  func `any format is a predicate or an error with a column`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let format = (0..<random.below(12)).map { _ in random.one(of: ItemPredicateArgumentsTests.pieces) }
        .joined()
      let arguments = (0..<random.below(4)).map { _ in
        random.one(of: [1, "x", nil, "'", 1.5] as [(any PredicateValueConvertible)?])
      }
      var reader = ArgumentReader(format, arguments)
      do throws(ItemPredicateError) {
        let predicate = try ItemPredicate(reader.read())
        _ = predicate.matches(ItemPredicateArgumentsTests.ada)
      } catch {
        #expect((1...error.text.count + 1).contains(error.column), "\(format) \(seedNote(seed))")
        #expect(!error.message.isEmpty)
      }
    }
  }
}
