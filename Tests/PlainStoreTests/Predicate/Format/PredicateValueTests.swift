import Files
import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// The values of Swift types in predicates, and how they compare with what files have.
struct PredicateValueTests {
  private enum Group: String, Codable { case friends, family }

  private static func holds(_ value: some Encodable, _ written: Value) throws -> Bool {
    try ItemPredicate("x = \(value)").checked().matches(.map(["x": written]))
  }

  private static func holds(_ value: Value, _ written: Value) throws -> Bool {
    try ItemPredicate("x = \(value)").checked().matches(.map(["x": written]))
  }

  private static func number(_ text: String) -> Value { Number(json: text).map(Value.number) ?? .null }

  @Test func `each type equals the value that a file has`() throws {
    #expect(try PredicateValueTests.holds("Ada", "Ada"))
    #expect(try PredicateValueTests.holds("2024-05-27", Value(text: "2024-05-27T00:00:00Z")))
    #expect(try PredicateValueTests.holds("true", .string("true")))
    #expect(try !PredicateValueTests.holds("true", true))
    #expect(try PredicateValueTests.holds(true, true))
    #expect(try PredicateValueTests.holds(9, 9))
    #expect(try PredicateValueTests.holds(UInt8(9), PredicateValueTests.number("9.0")))
    #expect(try PredicateValueTests.holds(UInt64.max, PredicateValueTests.number("18446744073709551615")))
    #expect(try !PredicateValueTests.holds(UInt64.max, PredicateValueTests.number("18446744073709551614")))
    #expect(try PredicateValueTests.holds(Int.min, .number(.integer(.min))))
    #expect(
      try PredicateValueTests.holds(
        Int128.max, PredicateValueTests.number("170141183460469231731687303715884105727")))
    #expect(try PredicateValueTests.holds(4.1, PredicateValueTests.number("4.10")))
    #expect(try PredicateValueTests.holds(Float(3.1), 3.1))
    #expect(try PredicateValueTests.holds(Float(1e20), 1e20))
    #expect(try PredicateValueTests.holds(Double.infinity, .number(.double(.infinity))))
    #expect(try PredicateValueTests.holds(Double.nan, .number(.double(.nan))))
    let decimal = try #require(Decimal(string: "12345678901234567890"))
    #expect(try PredicateValueTests.holds(decimal, PredicateValueTests.number("12345678901234567890")))
    #expect(try PredicateValueTests.holds(Decimal(string: "4.10") ?? 0, 4.1))
    #expect(try PredicateValueTests.holds(Decimal.nan, .number(.double(.nan))))
    let uuid = UUID()
    #expect(try PredicateValueTests.holds(uuid, .string(uuid.uuidString)))
    #expect(try PredicateValueTests.holds(uuid, .string(uuid.uuidString.lowercased())))
    #expect(try !PredicateValueTests.holds(uuid, .string(UUID().uuidString)))
    #expect(ItemPredicate("x IN \([UUID(), uuid])").matches(["x": .string(uuid.uuidString.lowercased())]))
    #expect(!ItemPredicate("x != \(uuid)").matches(["x": .string(uuid.uuidString.lowercased())]))
    #expect(ItemPredicate("x =[cd] \(uuid)").matches(["x": .string(uuid.uuidString.lowercased())]))
    #expect(
      try PredicateValueTests.holds(
        try #require(URL(string: "https://example.org/a%20b")), "https://example.org/a%20b"))
    #expect(try PredicateValueTests.holds(Group.friends, "friends"))
    #expect(try PredicateValueTests.holds(Item.ID(printed: "a/b%25"), "a/b%25"))
    let list: Value = .list([1, .string("2024-05-27"), ["a": 1]])
    #expect(try PredicateValueTests.holds(list, [1, "2024-05-27", ["a": 1]]))
    let number: Value = .number(try #require(Number(json: "3.10")))
    #expect(try PredicateValueTests.holds(number, 3.1))
    #expect(try PredicateValueTests.holds([1, 2], [1, 2]))
    #expect(try PredicateValueTests.holds([[1], []], [[1], []]))
    #expect(ItemPredicate("x IN \(Set([Group.friends, .family]))").matches(["x": "family"]))
    #expect(!ItemPredicate("x IN \([Int]())").matches(["x": 1]))
  }

  @Test func `a value that no field can have is an error`() throws {
    struct Point: Codable { var x = 1 }
    let predicate: ItemPredicate = "x = \(Point()) OR TRUEPREDICATE"
    #expect(!predicate.matches(["x": 1]))
    let error = try #require(throws: ItemPredicateError.self) { try predicate.checked() }
    #expect(error.message.contains("Point"))
    #expect(throws: ItemPredicateError.self) { try ItemPredicate("x IN \([Point()])").checked() }
    #expect(throws: ItemPredicateError.self) { try ItemPredicate("x IN \(3...)").checked() }
    #expect(throws: ItemPredicateError.self) { try ItemPredicate("x = \(["a": 1])").checked() }
    #expect(throws: ItemPredicateError.self) { try ItemPredicate("x = \([String: Int]())").checked() }
    #expect(ItemPredicate("x = \(Data([1, 2]))").matches(["x": "AQI="]))
    #expect(throws: ItemPredicateError.self) { try ItemPredicate("x = 1 OR \(predicate)").checked() }
  }

  @Test func `nil equals a missing field`() throws {
    let none: Int? = nil
    let some: Int? = 3
    #expect(ItemPredicate("x = \(none)").matches(["y": 1]))
    #expect(ItemPredicate("x = \(none)").matches(["x": .null]))
    #expect(!ItemPredicate("x = \(none)").matches(["x": 0]))
    #expect(ItemPredicate("x = \(some)").matches(["x": 3]))
    #expect(!ItemPredicate("x > \(none)").matches(["x": 3]))
    #expect(ItemPredicate("x IN \([1, nil])").matches(["y": 1]))
  }

  @Test(arguments: [
    "2026-11-20T22:31:07Z", "2026-11-20T22:31:07.120Z", "2026-11-20T22:31:07.123456Z",
    "2026-11-20T22:31:07.999999+02:00", "1815-12-10",
    "1969-12-31T23:59:59.999999Z", "0001-01-01", "2199-12-31T23:59:59.5Z", "2000-12-31T23:59:59.000001Z",
  ])
  func `a date that was decoded equals the date in the file`(_ text: String) throws {
    let written = Value(text: text)
    let date = try #require(Date(written))
    #expect(try PredicateValueTests.holds(date, written))
    #expect(try !PredicateValueTests.holds(date + 0.00001, written))
    #expect(
      ItemPredicate("x < \(date + 0.00001) AND x > \(date - 0.00001)").matches(.map(["x": written])))
    #expect(try ItemPredicate(ItemPredicate("x = \(date)").text).matches(.map(["x": written])))
  }

  /// The dates are in seconds, because `Date.description` traps for some of them.
  @Test(arguments: [-1e11, 1e11, 1e15, -1e15, 1e300, -1e300, .infinity, -.infinity, .nan])
  func `any date is a value`(_ seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(ItemPredicate("x > \(date)").matches(["x": "2024-05-27"]) == (seconds < 0))
    #expect(ItemPredicate("x < \(date)").matches(["x": "2024-05-27"]) == (seconds > 0))
  }

  @Test func `a moment is compared to the nanosecond`() throws {
    let moment = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_789)
    #expect(ItemPredicate("x = \(Value.date(moment))").matches(.map(["x": .date(moment)])))
    #expect(
      !ItemPredicate("x = \(Value.date(moment))").matches(
        .map(["x": .date(Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_788))])))
    #expect(ItemPredicate("x = \(Value.date(moment))").text == "x = 2023-11-14T22:13:20.123456789Z")
    let local = try #require(Timestamp("2024-05-27 10:00"))
    #expect(ItemPredicate("x = \(Value.date(local))").text == "x = \"2024-05-27 10:00\"")
  }

  @Test func `a value is printed as it would be written`() {
    func text(_ operand: PredicateOperand?) -> String? { operand?.written }
    #expect(text(PredicateOperand(of: "a\"b\\c\nd\u{0}")) == #""a\"b\\c\nd\u{0}""#)
    let list: Value = [1, 2.5, true, .null, "2024-05-27"]
    #expect(text(PredicateOperand(list)) == "{1, 2.5, TRUE, NULL, 2024-05-27}")
    #expect(text(.path("a.`b c`[0].@count")) == "`a`.`b c`[0].@count")
    #expect(text(PredicateOperand(of: 1..<3)) == "1..<3")
    #expect(text(PredicateOperand(.number(.literal("1 OR TRUE")))) == "\"1 OR TRUE\"")
  }

  /// Any case of `Number` can be made by hand.
  @Test(arguments: ["", "1 OR TRUE", "-", "0x1F", "1e", "é", "1e999999999999999999999"])
  func `a malformed number harms nothing`(_ text: String) throws {
    let predicate = ItemPredicate(
      "x = \(Value.number(.literal(text))) OR x < \(Value.number(.literal(text)))")
    _ = predicate.matches(["x": 1])
    #expect(predicate.fieldPaths == ["x"])
  }
}
