import Foundation
@testable import Store
import Testing
import Values

@testable import Query

struct PredicateContextTests {
  private static func moment(_ text: String) throws -> Date {
    Date(timeIntervalSince1970: Double(try #require(Timestamp(text)).seconds))
  }

  private static func context(_ moment: String, _ zone: String) throws -> PredicateContext {
    let timeZone: TimeZone = try #require(TimeZone(identifier: zone))
    return PredicateContext(at: try self.moment(moment), timeZone: timeZone)
  }

  @Test(arguments: [
    ("2024-05-27T21:59:59Z", "Europe/Berlin", "2024-05-27"),
    ("2024-05-27T22:00:00Z", "Europe/Berlin", "2024-05-28"),
    ("2024-05-28T06:59:59Z", "America/Los_Angeles", "2024-05-27"),
    ("2024-01-31T12:00:00Z", "Pacific/Kiritimati", "2024-02-01"),
    ("1969-12-31T12:00:00Z", "UTC", "1969-12-31"),
  ])
  func `today is the local day`(_ moment: String, _ zone: String, _ day: String) throws {
    let context = try PredicateContextTests.context(moment, zone)
    let date = try #require(Timestamp(day))
    #expect(context.today == Int(date.seconds / 86_400))
    #expect(ItemPredicate("x = @today").matches(.map(["x": .date(date)]), in: context))
  }

  @Test(arguments: [.nan, .infinity, -.infinity, 1e300, -1e300, 1e18, -1e18])
  func `a date without a day has a context`(_ interval: TimeInterval) throws {
    let berlin: TimeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let context = PredicateContext(at: Date(timeIntervalSince1970: interval), timeZone: berlin)
    #expect(interval.isNaN ? context.today == 0 : (context.today > 0) == (interval > 0))
    #expect(!ItemPredicate("x = @today").matches(.map(["x": Value(text: "2024-05-27")]), in: context))
  }

  @Test(arguments: [
    ("2024-05-27", true), ("2024-05-27T00:00", true), ("2024-05-27T23:59:59.9", true),
    ("2024-05-28T00:00", false),
    ("2024-05-26T22:00:00Z", true), ("2024-05-26T21:59:59Z", false), ("2024-05-27T21:59:59Z", true),
    ("2024-05-27T22:00:00Z", false),
    ("2024-05-27T23:00-05:00", false), ("2024-05-28T05:00+10:00", true),
  ])
  func `times with a zone are converted to the local zone`(_ date: String, _ isToday: Bool) throws {
    let context = try PredicateContextTests.context("2024-05-27T08:00:00Z", "Europe/Berlin")
    let item: Value = .map(["x": Value(text: date)])
    #expect(ItemPredicate("x = @today").matches(item, in: context) == isToday)
    #expect(ItemPredicate("x BETWEEN {@today, @today}").matches(item, in: context) == isToday)
    #expect(ItemPredicate("x IN {@today}").matches(item, in: context) == isToday)
    #expect(ItemPredicate("x < @today OR x > @today").matches(item, in: context) != isToday)
  }

  @Test func `without a time zone the day is that of the system`() {
    for seconds in stride(from: -2e9, to: 4e9, by: 9_876_543.21) {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(PredicateContext(at: date).today == PredicateContext(at: date, timeZone: .current).today)
      let wait = PredicateContext.timeToMidnight(from: date, timeZone: nil)
      #expect(wait == PredicateContext.timeToMidnight(from: date, timeZone: .current))
    }
  }

  @Test func `midnight changes the result of a predicate`() throws {
    let predicate = ItemPredicate("due <= @today")
    let item: Value = .map(["due": Value(text: "2024-05-28")])
    #expect(
      !predicate.matches(item, in: try PredicateContextTests.context("2024-05-27T21:59:59Z", "Europe/Berlin"))
    )
    #expect(
      predicate.matches(item, in: try PredicateContextTests.context("2024-05-27T22:00:00Z", "Europe/Berlin")))
  }

  @Test(arguments: [
    ("2024-05-27T21:59:00Z", "Europe/Berlin", 60), ("2024-05-27T22:00:00Z", "Europe/Berlin", 86_400),
    ("2024-03-30T23:00:00Z", "Europe/Berlin", 82_800), ("2024-10-26T22:00:00Z", "Europe/Berlin", 90_000),
    ("2024-05-27T12:00:00Z", "UTC", 43_200),
  ])
  func `the time to midnight ends with the local day`(_ moment: String, _ zone: String, _ seconds: Int) throws
  {
    let start = try PredicateContextTests.moment(moment)
    let timeZone = try #require(TimeZone(identifier: zone))
    let wait = PredicateContext.timeToMidnight(from: start, timeZone: timeZone)
    #expect(wait >= .seconds(seconds))
    #expect(wait < .seconds(seconds + 1))
    let then = PredicateContext(at: start + Double(seconds), timeZone: timeZone)
    #expect(then.today == PredicateContext(at: start, timeZone: timeZone).today + 1)
  }
}
