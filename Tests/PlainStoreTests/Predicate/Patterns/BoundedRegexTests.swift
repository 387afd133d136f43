@testable import Models
@testable import Store
import Testing
import Values

@testable import Query

struct BoundedRegexTests {
  private static let evil = String(repeating: "a", count: 60) + "!"

  @Test func `a pattern that takes too long matches nothing and gives one hint`() throws {
    let predicate = ItemPredicate("name MATCHES '^(a+)+$'")
    let item: Value = .map(["name": .string(BoundedRegexTests.evil)])
    #expect(predicate.consumeHint() == nil)
    #expect(!predicate.matches(item, in: PredicateTests.context))
    #expect(predicate.consumeHint()?.contains("MATCHES") == true)
    #expect(!predicate.matches(item, in: PredicateTests.context))
    #expect(predicate.consumeHint() == nil)
    #expect(predicate.matches(.map(["name": .string("aaaa")]), in: PredicateTests.context))
  }

  @Test func `each timeout shortens the next`() {
    let allowance = MatchAllowance(time: .milliseconds(200), shortest: .milliseconds(1))
    var total = Duration.zero
    for _ in 0..<1_000 {
      total += allowance.time
      allowance.runOut()
    }
    #expect(allowance.time == .milliseconds(1))
    #expect(total < .seconds(2))
  }

  @Test func `a string that takes too much memory gives a hint`() throws {
    let allowance = MatchAllowance()
    let regex = try BoundedRegex("(a|b)*", isCaseInsensitive: false, allowance: allowance)
    #expect(regex.matches(String(repeating: "ab", count: 1_000)))
    #expect(!allowance.consumeExceeded())
    #expect(!regex.matches(String(repeating: "ab", count: 1_000_000)))
    #expect(allowance.consumeExceeded())
  }

  @Test func `many slow strings do not add up`() throws {
    let regex = try BoundedRegex(
      "(x+x+)+y", isCaseInsensitive: false,
      allowance: MatchAllowance(time: .milliseconds(8), shortest: .microseconds(200)))
    let text = String(repeating: "x", count: 5_000)
    #expect(!(0..<100).contains { _ in regex.matches(text) })
    #expect(regex.matches("xxxy"))
  }

  @Test(arguments: [
    ("a|ab", "ab", true), ("a", "ab", false), ("^a$", "a", true), ("a$|b", "a\n", false),
    ("(?x) a b # c", "ab", true),
    ("\\Qa.b", "a.b", true), (".", "\n", false), ("(?s).", "\n", true), ("", "", true), ("", "a", false),
    ("(?i)A", "a", true),
    ("ä+", "äää", true),
    ("\\p{Lu}.*", "Éa", true), ("😀", "😀", true), ("..", "😀", false),
  ])
  func `a pattern matches the complete text`(_ pattern: String, _ text: String, _ expected: Bool) throws {
    #expect(try BoundedRegex(pattern, isCaseInsensitive: false).matches(text) == expected)
  }

  private static let long = String(repeating: "a", count: 1_000_000)

  @Test(arguments: [
    ("(a*)\\1b", long), ("(?i)(a*)\\1b", long), ("a*a*a*a*b", long), ("(a(?1)?b)", long),
    ("((?1)a|a)*", long), ("(?R)", long),
    ("(?(?=a*b)a|a)*", long), ("(((a{1,30}){1,30}){1,30})", long),
    ("(*LIMIT_MATCH=4000000000)(*LIMIT_HEAP=4000000)(a+)+$", evil),
    (String(repeating: "(a|", count: 240) + "a" + String(repeating: ")*", count: 240), long),
    ("(?:(?=(?s).*\\X$).)*", "a" + String(repeating: "\u{301}", count: 300_000)),
  ])
  func `a hostile pattern matches nothing and gives a hint`(_ pattern: String, _ text: String) throws {
    let allowance = MatchAllowance(time: .milliseconds(20), shortest: .milliseconds(1))
    #expect(!(try BoundedRegex(pattern, isCaseInsensitive: false, allowance: allowance).matches(text)))
    #expect(allowance.consumeExceeded())
  }

  @Test(arguments: [
    "a\\Cb", "(?:(?:a?){0,65000}){0,65000}", String(repeating: "\\w", count: 5_000),
    String(repeating: "\\b", count: 5_000),
  ])
  func `a pattern that PCRE2 cannot hold is refused`(_ pattern: String) {
    #expect(throws: ItemPredicateError.self) { try BoundedRegex(pattern, isCaseInsensitive: false) }
  }

  @Test func `the size of a pattern is bounded`() {
    #expect(throws: ItemPredicateError.self) {
      try BoundedRegex(String(repeating: "a", count: 10_001), isCaseInsensitive: false)
    }
    #expect(throws: ItemPredicateError.self) {
      try BoundedRegex(String(repeating: "(", count: 5_000), isCaseInsensitive: false)
    }
  }

  @Test func `many threads share one expression`() async throws {
    let regex = try BoundedRegex("note \\d+", isCaseInsensitive: true)
    let hits = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask { (0..<500).count { regex.matches($0.isMultiple(of: 2) ? "Note \($0)" : "x \($0)") } }
      }
      return await group.reduce(0, +)
    }
    #expect(hits == 1_000)
  }
}
