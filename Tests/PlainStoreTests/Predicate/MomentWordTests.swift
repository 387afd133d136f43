import Foundation
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

@Suite struct MomentWordTests {
  private static let zone = TimeZone(secondsFromGMT: 5_400)
  /// 2026-11-30, half past midnight in the zone.
  private static let date = Date(timeIntervalSince1970: 1_795_993_200)

  private func value(_ text: String) throws -> String? {
    try MomentWord(text)?.value(at: MomentWordTests.date, timeZone: MomentWordTests.zone).text
  }

  @Test(arguments: [
    ("@today", "2026-11-30"), ("@today + 3d", "2026-12-03"), ("@today - 2w", "2026-11-16"),
    ("@today + 3m", "2027-02-28"),
    ("@today  -  1y", "2025-11-30"), ("@now", "2026-11-30T00:30:00+01:30"),
  ])
  func `a moment is a local day, or a local time with its offset`(_ text: String, _ expected: String) throws {
    #expect(try value(text) == expected)
  }

  @Test(arguments: [
    "today", " @today", "@today ", "@todays", "@tomorrow", "@now!", "x @today", "@today is Monday",
    "@today - call", "\"@today\"", "",
  ])
  func `another text is not a moment`(_ text: String) throws {
    #expect(try value(text) == nil)
  }

  @Test(arguments: [
    "@today+3d", "@today +3d", "@today + 3", "@today + 3days", "@now + 3d", "@today + 9999999d",
    "@today + 999999y",
  ])
  func `a text that was meant as a moment is a mistake`(_ text: String) {
    #expect(throws: ItemPredicateError.self) { try MomentWord(text) }
  }

  @Test func `only a moment in quotes loses them`() {
    #expect(MomentWord.unquoted("\"@now\"") == "@now")
    #expect(MomentWord.unquoted("'@today + 3d'") == "@today + 3d")
    for text in ["@now", "\"now\"", "\"@now", "\"@now'", "\"", "\"\"", "\"@nowhere\""] {
      #expect(MomentWord.unquoted(text) == nil, "\(text)")
    }
  }

  @Test(arguments: Randomness.seeds(60))
  func `a distance is the same day as in a predicate`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text =
      "@today \(random.one(of: ["+", "-"])) \(random.below(800))\(random.one(of: ["d", "w", "m", "y"]))"
    let date = Date(timeIntervalSince1970: Double(random.below(4_000_000_000)))
    let zone = TimeZone(secondsFromGMT: (random.below(25) - 12) * 3_600)
    let value = try #require(try MomentWord(text)).value(at: date, timeZone: zone)
    let predicate = try ItemPredicate("due = \(text)" as String)
    #expect(
      predicate.matches(.map(["due": value]), in: PredicateContext(at: date, timeZone: zone)),
      "\(text) is \(value); \(seedNote(seed))")
  }
}
