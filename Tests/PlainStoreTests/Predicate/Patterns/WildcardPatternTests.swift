@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct WildcardPatternTests {
  private enum Token {
    case scalar(Unicode.Scalar)
    case any
    case star
    case set(Set<Unicode.Scalar>, isNegated: Bool)
  }

  private static func pattern(_ tokens: [Token]) -> WildcardPattern {
    var pattern = WildcardPattern()
    for token in tokens {
      switch token {
      case .scalar(let scalar): pattern.append(scalar)
      case .any: pattern.append(.anyScalar)
      case .star: pattern.appendStar()
      case .set(let scalars, let isNegated):
        pattern.append(.set(WildcardPattern.ScalarSet(scalars.map { $0...$0 }), isNegated: isNegated))
      }
    }
    pattern.endLiteral()
    return pattern
  }

  /// A simple matcher, by dynamic programming.
  private static func matches(_ tokens: [Token], _ text: [Unicode.Scalar]) -> Bool {
    var row = [true] + [Bool](repeating: false, count: text.count)
    for token in tokens {
      var next = [Bool](repeating: false, count: text.count + 1)
      for index in 0...text.count {
        switch token {
        case .star: next[index] = row[index] || (index > 0 && next[index - 1])
        case .scalar(let scalar): next[index] = index > 0 && row[index - 1] && text[index - 1] == scalar
        case .any: next[index] = index > 0 && row[index - 1]
        case .set(let set, let isNegated):
          next[index] = index > 0 && row[index - 1] && set.contains(text[index - 1]) != isNegated
        }
      }
      row = next
    }
    return row[text.count]
  }

  @Test(arguments: Randomness.seeds(4))
  func `a pattern matches the same strings as a simple matcher`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters: [Unicode.Scalar] = ["a", "b", "é", "😀"]
    var matchCount = 0
    for _ in 0..<600 {
      let tokens = (0..<random.below(8)).map { _ -> Token in
        switch random.below(6) {
        case 0, 1: .star
        case 2: .any
        case 3: .set(Set([random.one(of: letters), random.one(of: letters)]), isNegated: random.oneIn(2))
        default: .scalar(random.one(of: letters))
        }
      }
      let text = (0..<random.below(10)).map { _ in random.one(of: letters) }
      let expected = WildcardPatternTests.matches(tokens, text)
      var string = String(String.UnicodeScalarView(text))
      var work = Int.max
      let found = string.withUTF8 {
        WildcardPatternTests.pattern(tokens).matches(UnsafeRawBufferPointer($0), &work)
      }
      #expect(found == expected, "\(tokens) and \(string); \(seedNote(seed))")
      if expected { matchCount += 1 }
    }
    #expect(matchCount > 0)
  }

  /// The number of steps for a string of this many bytes.
  private static func steps(_ pattern: WildcardPattern, _ text: String) -> Int {
    var text = text
    var work = Int.max
    _ = text.withUTF8 { pattern.matches(UnsafeRawBufferPointer($0), &work) }
    return Int.max - work
  }

  @Test func `stars cost linear work`() {
    let stars = WildcardPatternTests.pattern(
      [Token](repeating: .star, count: 1) + (0..<500).flatMap { _ in [Token.scalar("a"), .star] } + [
        .scalar("b"), .star,
      ])
    for count in [10_000, 20_000, 40_000] {
      #expect(WildcardPatternTests.steps(stars, String(repeating: "a", count: count)) <= 4 * count)
    }
  }

  @Test func `a LIKE that needs too many steps fails and is reported once`() {
    let allowance = MatchAllowance(time: .milliseconds(10))
    let like = PredicateTextTest(.like, "*" + String(repeating: "a?", count: 16_000) + "b*", [], allowance)
    #expect(!allowance.consumeExceeded())
    #expect(!like.holds(String(repeating: "a", count: 128 << 10)))
    #expect(allowance.time == .milliseconds(5))
    #expect(allowance.consumeExceeded())
    #expect(!allowance.consumeExceeded())
  }

  @Test func `a linear LIKE never fails for its steps`() {
    let allowance = MatchAllowance(time: .zero, shortest: .zero)
    let text = String(repeating: "ab", count: 50_000)
    #expect(PredicateTextTest(.like, "*ab*ba*b", [], allowance).holds(text))
    #expect(PredicateTextTest(.like, "*?ab*ba*b", [], allowance).holds(text))
    #expect(!PredicateTextTest(.like, "*c*", [], allowance).holds(text))
    #expect(!allowance.consumeExceeded())
  }

  @Test(
    .enabled(
      if: Randomness.factor > 1, "its 150 million steps take long in a debug build: `make stress` runs it"))
  func `all LIKE and MATCHES of a predicate share one allowance`() throws {
    let slow = "'*" + String(repeating: "a?", count: 16_000) + "b*'"
    let predicate = try ItemPredicate(
      "name LIKE \(slow) OR name LIKE[c] \(slow) OR name LIKE pattern" as String)
    let item: Value = .map([
      "name": .string(String(repeating: "a", count: 128 << 10)), "pattern": .string("b*"),
    ])
    #expect(!predicate.matches(item))
    #expect(predicate.consumeHint()?.contains("LIKE or MATCHES") == true)
    #expect(predicate.consumeHint() == nil)
  }
}
