import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Compares predicates about the elements of a list with a test of each element alone.
struct PredicateElementTests {
  private static func value(_ random: inout SeededGenerator, _ depth: Int) -> Value {
    switch random.below(depth > 0 ? 6 : 4) {
    case 0: return .null
    case 1: return .bool(random.oneIn(2))
    case 2: return .number(.integer(random.below(3)))
    case 3: return .string(random.one(of: ["x", "y", "2024-05-27"]))
    case 4: return .list((0..<random.below(4)).map { _ in value(&random, depth - 1) })
    default:
      let keys = ["a", "b", "c"].filter { _ in !random.oneIn(3) }
      return .map(Fields(unique: keys.map { ($0, value(&random, depth - 1)) }))
    }
  }

  private static func predicate(_ random: inout SeededGenerator, _ depth: Int) -> String {
    switch random.below(depth > 0 ? 9 : 5) {
    case 0: return "a = \(random.below(3))"
    case 1: return "b IS \(random.oneIn(2) ? "NOT " : "")NULL"
    case 2: return "c.a > 'x'"
    case 3: return "ANY b IN {'y', 1}"
    case 4: return "a >= @today - \(random.below(3))d"
    case 5: return "NOT (\(predicate(&random, depth - 1)))"
    case 6: return "ANY c (\(predicate(&random, depth - 1)))"
    case 7: return "(\(predicate(&random, depth - 1)) OR \(predicate(&random, depth - 1)))"
    default: return "\(predicate(&random, depth - 1)) AND \(predicate(&random, depth - 1))"
    }
  }

  /// The elements that ANY tests, including those of lists in the list. A scalar or a map is one
  /// element.
  private static func elements(of value: Value?) -> [Value] {
    switch value {
    case nil, .null: []
    case .list(let list): list.flatMap { if case .list = $0 { elements(of: $0) } else { [$0] } }
    case let value?: [value]
    }
  }

  @Test(arguments: Randomness.seeds(40))
  func `ANY, ALL and NONE test their predicate on each element`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var held = 0
    for _ in 0..<50 {
      let list = PredicateElementTests.value(&random, 4)
      let text = PredicateElementTests.predicate(&random, 3)
      let inner = try ItemPredicate(text)
      let holds = PredicateElementTests.elements(of: list).map {
        inner.matches($0, in: PredicateTests.context)
      }
      let item: Value = .map(["list": list])
      for (quantifier, expected) in [
        ("ANY", holds.contains(true)), ("ALL", !holds.contains(false)), ("NONE", !holds.contains(true)),
      ] {
        let whole = "\(quantifier) list (\(text))"
        #expect(
          try PredicateTests.holds(whole, of: item) == expected, "\(whole) of \(item); \(seedNote(seed))")
        #expect(try PredicateTests.holds("(\(whole))", of: item) == expected, "\(seedNote(seed))")
        held += expected ? 1 : 0
      }
    }
    #expect(held > 0)
  }

  @Test func `pseudo-fields in a predicate about elements are those of the item`() throws {
    let item = Item.sample("d/a.md", ["tags": .list([.string("d/a"), .map(["x": .string("a")])])])
    let context = PredicateTests.context
    #expect(ItemPredicate("ANY tags (SELF = @id)").matches(item, in: context))
    #expect(ItemPredicate("ANY tags (x = @name)").matches(item, in: context))
    #expect(ItemPredicate("ANY tags (ANY SELF (@dir = 'd' AND x = 'a'))").matches(item, in: context))
  }
}
