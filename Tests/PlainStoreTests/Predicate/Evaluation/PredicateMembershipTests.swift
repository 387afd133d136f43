import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Compares IN between the lists of two fields with a test of each element alone.
struct PredicateMembershipTests {
  private static func scalar(_ random: inout SeededGenerator) -> Value {
    switch random.below(6) {
    case 0: .bool(random.oneIn(2))
    case 1: .number(random.oneIn(2) ? .integer(random.below(40)) : .double(Double(random.below(40))))
    case 2: Value(text: "2024-05-\(random.below(9) + 10)")
    case 3: .map(["k": .number(.integer(random.below(4)))])
    case 4: .null
    default: .string(random.one(of: ["x", "X", "é", "e\u{301}", "E", "ab", "1", "true"]))
    }
  }

  private static func list(_ random: inout SeededGenerator) -> [Value] {
    (0..<random.below(40)).map { _ in scalar(&random) }
  }

  @Test(arguments: Randomness.seeds(200))
  func `a quantified IN asks each element`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let modifiers = random.one(of: ["", "[c]", "[d]", "[cd]"])
    let single = try ItemPredicate("x IN\(modifiers) y" as String)
    var lists = (PredicateMembershipTests.list(&random), PredicateMembershipTests.list(&random))
    if random.oneIn(2) {
      lists.0 += lists.1
    } else if random.oneIn(3) {
      lists.1.append(.list([.string("x")]))
    }
    let right = Value.list(lists.1)
    let answers = lists.0.map { single.matches(.map(["x": $0, "y": right])) }
    let item = Value.map(["x": .list(lists.0), "y": right])
    // It is unknown whether an element without a value is in the list of another field.
    let isKnown = !lists.0.contains(.null)
    for (quantifier, expected) in [
      ("ANY", answers.contains(true)), ("ALL", !answers.contains(false)),
      ("NONE", !answers.contains(true) && isKnown),
    ] {
      let predicate = try ItemPredicate("\(quantifier) x IN\(modifiers) y" as String)
      #expect(predicate.matches(item) == expected, "\(quantifier) \(item) \(seedNote(seed))")
    }
  }

  @Test(.timeLimit(.minutes(1))) func `long lists take linear time`() throws {
    let numbers = (0..<30_000).map { Value.number(.integer($0)) }
    let fields: Fields = ["x": .list(numbers), "y": .list(numbers.map { .string($0.text) })]
    let predicate = ItemPredicate("ANY x IN y OR ANY y IN[cd] x OR ANY x = 'x'")
    #expect(!predicate.matches(.map(fields)))
    #expect(predicate.hints(about: [Item.sample("a.yaml", fields)], in: .now).count == 3)
  }
}
