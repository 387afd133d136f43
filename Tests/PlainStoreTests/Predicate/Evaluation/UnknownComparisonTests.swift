import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Comparisons of two fields, one of which may be missing.
struct UnknownComparisonTests {
  @Test(arguments: [
    "status = other", "NOT status = other", "status != other", "NOT status != other", "other = done",
    "NOT other = done", "other != done",
    "status < other", "NOT status < other", "status >= nothing", "NOT status >= nothing", "nothing = other",
    "nothing != other",
    "status IN {other}", "NOT status IN {other}", "NOT status IN {other, nothing, 'x'}",
    "NOT status IN other", "NOT other IN tags",
    "NOT other IN {status, 'x'}", "status BETWEEN {other, status}", "NOT status BETWEEN {other, status}",
    "NOT status BETWEEN other",
    "status CONTAINS other", "NOT status CONTAINS other", "NOT other CONTAINS status",
    "NOT status BEGINSWITH other",
    "NOT status ENDSWITH nothing", "NOT status LIKE other", "NOT status =[c] other", "ANY tags = other",
    "NONE tags = other",
    "ALL tags = other", "NOT ANY tags = other", "NOT ALL tags = other", "NOT NONE tags = other",
    "ANY other = status",
    "NONE other = status", "ALL other = status", "NONE nothing IN tags", "NOT ANY parts (a = b)",
    "ALL parts (a = b)", "NONE parts (a = b)",
    "TRUE AND status = other", "NOT (status = other AND status = other)", "NOT (FALSE OR status = other)",
    "NOT NOT status = other",
    "NOT {other, status} = {status, status}", "NOT {status, other} CONTAINS tags", "NONE holes = status",
    "NOT ANY parts (SELF = status)",
  ])
  func `a comparison with a missing field does not match, nor does its negation`(text: String) throws {
    #expect(try !PredicateTests.holds(text, of: UnknownComparisonTests.item))
  }

  @Test(arguments: [
    "NOT status = 'done'", "other = nil", "nothing IS NULL", "other != 'done'", "NOT other = 'done'",
    "NOT other < 5", "NOT other IN {'x'}",
    "NONE other = 'x'", "ALL other = 'x'", "NOT ANY other = 'x'", "NOT 'x' = other", "NOT 5 IN {other}",
    "other IN {nil, 'x'}",
    "NOT other CONTAINS 'x'", "TRUE OR status = other", "NOT (FALSE AND status = other)",
    "status = other OR status = 'open'",
    "NOT (status = other AND status = 'x')", "status IN {other, 'open'}", "NOT (status BETWEEN {other, 'a'})",
    "ANY tags IN {other, 'x'}",
    "NONE empty = other", "ALL empty = other", "NOT ANY empty = other", "status = status",
    "NOT {status} = {status, other}",
    "NOT status IN holes", "ALL nothing (a = b)", "ALL other (a = b)", "NONE other (a = b)",
    "ANY parts (a = b OR a = 1)", "tags = tags",
    "holes = holes",
    "other.@count = other.@count",
  ])
  func `comparisons with values, nil and NULL are true or false`(text: String) throws {
    #expect(try PredicateTests.holds(text, of: UnknownComparisonTests.item))
  }

  private static let item: Value = [
    "status": "open", "done": "x", "nothing": .null, "tags": ["x", "y"], "empty": .list([]),
    "holes": .list([.null, "x"]),
    "parts": .list([["a": 1]]),
  ]
}

// MARK: Random predicates

/// A predicate with its meaning, written without a look at the program: nil is unknown.
private struct Oracle {
  /// The item, and in parentheses the element.
  typealias Source = [String: Value]

  let text: String
  let meaning: (_ source: Source, _ element: Value?) -> Bool?

  static func not(_ a: Bool?) -> Bool? { a == nil ? nil : a == false }
  static func and(_ a: Bool?, _ b: Bool?) -> Bool? {
    a == false || b == false ? false : a == nil || b == nil ? nil : true
  }
  static func or(_ a: Bool?, _ b: Bool?) -> Bool? { not(and(not(a), not(b))) }

  /// One side of a comparison.
  struct Side {
    let text: String
    let isField: Bool
    let value: (_ source: Source, _ element: Value?) -> Value?
  }

  static func isMissing(_ value: Value?) -> Bool { value == nil || value == .null }

  static func equal(_ a: (Value?, Bool), _ b: (Value?, Bool)) -> Bool? {
    if a.1, b.1, isMissing(a.0) || isMissing(b.0) { return nil }
    if isMissing(a.0) || isMissing(b.0) { return isMissing(a.0) && isMissing(b.0) }
    return a.0 == b.0
  }

  static func less(_ a: (Value?, Bool), _ b: (Value?, Bool), orEqual: Bool) -> Bool? {
    if a.1, b.1, isMissing(a.0) || isMissing(b.0) { return nil }
    switch (a.0, b.0) {
    case (.number(.integer(let x))?, .number(.integer(let y))?): return x < y || orEqual && x == y
    case (.string(let x)?, .string(let y)?): return x < y || orEqual && x == y
    default: return false
    }
  }

  static func side(_ random: inout SeededGenerator, inElement: Bool) -> Side {
    switch random.below(inElement ? 8 : 7) {
    case 0:
      let number = random.below(3)
      return Side(text: "\(number)", isField: false) { _, _ in .number(.integer(number)) }
    case 1:
      let text = random.one(of: ["x", "y"])
      return Side(text: "'\(text)'", isField: false) { _, _ in .string(text) }
    case 2: return Side(text: "nil", isField: false) { _, _ in .null }
    case 7: return Side(text: "SELF", isField: true) { _, element in element }
    default:
      let name = random.one(of: ["a", "b", "c"])
      return Side(text: name, isField: true) { source, _ in source[name] }
    }
  }

  /// A comparison of a side with others.
  struct Comparison {
    let text: String
    let meaning: (_ left: (Value?, Bool), _ source: Source, _ element: Value?) -> Bool?
  }

  static func comparison(_ random: inout SeededGenerator, inElement: Bool) -> Comparison {
    let (p, q) = (side(&random, inElement: inElement), side(&random, inElement: inElement))
    switch random.below(8) {
    case 0: return Comparison(text: "= \(p.text)") { equal($0, (p.value($1, $2), p.isField)) }
    case 1: return Comparison(text: "!= \(p.text)") { not(equal($0, (p.value($1, $2), p.isField))) }
    case 2: return Comparison(text: "< \(p.text)") { less($0, (p.value($1, $2), p.isField), orEqual: false) }
    case 3: return Comparison(text: ">= \(p.text)") { less((p.value($1, $2), p.isField), $0, orEqual: true) }
    case 4:
      return Comparison(text: "BETWEEN {\(p.text), \(q.text)}") { left, source, element in
        and(
          less((p.value(source, element), p.isField), left, orEqual: true),
          less(left, (q.value(source, element), q.isField), orEqual: true))
      }
    case 5:
      return Comparison(text: "IN {\(p.text), \(q.text)}") { left, source, element in
        or(
          equal(left, (p.value(source, element), p.isField)),
          equal(left, (q.value(source, element), q.isField)))
      }
    case 6:
      return Comparison(text: "IN l") { left, source, _ in
        if left.1 && isMissing(left.0) || isMissing(source["l"]) { return left.1 ? nil : false }
        guard case .list(let elements)? = source["l"] else { return false }
        return elements.contains { equal((left.0, false), ($0, false)) == true }
      }
    default: return Comparison(text: "IS NULL") { left, _, _ in isMissing(left.0) }
    }
  }

  static func predicate(_ random: inout SeededGenerator, _ depth: Int, inElement: Bool = false) -> Oracle {
    if depth == 0 || random.oneIn(3) {
      let (left, test) = (side(&random, inElement: inElement), comparison(&random, inElement: inElement))
      return Oracle(text: "\(left.text) \(test.text)") {
        test.meaning((left.value($0, $1), left.isField), $0, $1)
      }
    }
    switch random.below(5) {
    case 0:
      let inner = predicate(&random, depth - 1, inElement: inElement)
      return Oracle(text: "NOT (\(inner.text))") { not(inner.meaning($0, $1)) }
    case 1:
      let parts = [
        predicate(&random, depth - 1, inElement: inElement),
        predicate(&random, depth - 1, inElement: inElement),
      ]
      return Oracle(text: "(\(parts[0].text) AND \(parts[1].text))") {
        and(parts[0].meaning($0, $1), parts[1].meaning($0, $1))
      }
    case 2:
      let parts = [
        predicate(&random, depth - 1, inElement: inElement),
        predicate(&random, depth - 1, inElement: inElement),
      ]
      return Oracle(text: "(\(parts[0].text) OR \(parts[1].text))") {
        or(parts[0].meaning($0, $1), parts[1].meaning($0, $1))
      }
    case 3: return quantified(&random, inElement: inElement)
    default:
      let quantifier = random.one(of: ["ANY", "ALL", "NONE"])
      let inner = predicate(&random, depth - 1, inElement: true)
      return Oracle(text: "\(quantifier) l (\(inner.text))") { source, _ in
        let elements = elements(of: source["l"])
        return fold(quantifier, elements.map { element in inner.meaning(fields(of: element), element) })
      }
    }
  }

  private static func quantified(_ random: inout SeededGenerator, inElement: Bool) -> Oracle {
    let quantifier = random.one(of: ["ANY", "ALL", "NONE"])
    let test = comparison(&random, inElement: inElement)
    return Oracle(text: "\(quantifier) l \(test.text)") { source, element in
      if isMissing(source["l"]), test.meaning((nil, true), source, element) == nil { return nil }
      return fold(quantifier, elements(of: source["l"]).map { test.meaning(($0, true), source, element) })
    }
  }

  private static func fields(of element: Value) -> Source {
    guard case .map(let fields) = element else { return [:] }
    return Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0.value) })
  }

  private static func elements(of value: Value?) -> [Value] {
    switch value {
    case nil, .null?: []
    case .list(let elements)?: elements
    case let value?: [value]
    }
  }

  private static func fold(_ quantifier: String, _ results: [Bool?]) -> Bool? {
    switch quantifier {
    case "ANY": results.reduce(false, or)
    case "ALL": results.reduce(true, and)
    default: not(results.reduce(false, or))
    }
  }
}

struct ThreeValuedLogicTests {
  private static func value(_ random: inout SeededGenerator) -> Value? {
    switch random.below(7) {
    case 0, 1: nil
    case 2: .null
    case 3, 4: .number(.integer(random.below(3)))
    default: .string(random.one(of: ["x", "y"]))
    }
  }

  private static func map(_ random: inout SeededGenerator) -> Oracle.Source {
    var source: Oracle.Source = [:]
    for name in ["a", "b", "c"] { source[name] = value(&random) }
    return source
  }

  private static func item(_ random: inout SeededGenerator) -> Oracle.Source {
    var item = map(&random)
    guard !random.oneIn(4) else {
      if random.oneIn(2) { item["l"] = .null }
      return item
    }
    item["l"] = .list(
      (0..<random.below(4)).map { _ in
        random.oneIn(2)
          ? value(&random) ?? .null
          : .map(Fields(unique: map(&random).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
      })
    return item
  }

  @Test(arguments: Randomness.seeds(60))
  func `a random predicate matches the items for which it is true in three-valued logic`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    var counts: [Bool?: Int] = [:]
    for _ in 0..<40 {
      let oracle = Oracle.predicate(&random, 3)
      let predicate = try ItemPredicate(oracle.text)
      let negation = try ItemPredicate("NOT (\(oracle.text))" as String)
      let composed = ItemPredicate("\(predicate)")
      let printed = try ItemPredicate(composed.description)
      for _ in 0..<10 {
        let source = ThreeValuedLogicTests.item(&random)
        let item: Value = .map(Fields(unique: source.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        let expected = oracle.meaning(source, nil)
        counts[expected, default: 0] += 1
        #expect(predicate.matches(item) == (expected == true), "\(oracle.text) of \(item); \(seedNote(seed))")
        #expect(
          negation.matches(item) == (expected == false), "NOT (\(oracle.text)) of \(item); \(seedNote(seed))")
        #expect(printed.matches(item) == (expected == true), "\(printed) of \(item); \(seedNote(seed))")
      }
    }
    #expect(counts.keys.count == 3, "\(counts)")
  }
}
