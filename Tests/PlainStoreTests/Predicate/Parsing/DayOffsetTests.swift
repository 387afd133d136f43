import Foundation
@testable import Store
import TestSupport
import Testing

@testable import Query

struct DayOffsetTests {
  private static func lengths(of year: Int) -> [Int] {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  }

  /// The days from 1800-01-01 to a date, counted month by month.
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    (1800..<year).reduce(0) { $0 + lengths(of: $1).reduce(0, +) }
      + lengths(of: year)[..<(month - 1)].reduce(0, +) + day - 1
  }

  private static let epoch = day(1970, 1, 1)

  @Test(arguments: Randomness.seeds(5))
  func `a distance in months equals counting them one by one`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let (year, month) = (1900 + random.below(200), 1 + random.below(12))
      let day = 1 + random.below(DayOffsetTests.lengths(of: year)[month - 1])
      let from = DayOffsetTests.day(year, month, day) - DayOffsetTests.epoch
      let count = random.below(161) - 80
      for (unit, days) in [(DayOffset.Unit.day, 1), (.week, 7)] {
        #expect(
          DayOffset(count: count, unit: unit).applied(to: from) == from + count * days, "\(seedNote(seed))")
      }
      for (unit, months) in [(DayOffset.Unit.month, count), (.year, 12 * count)] {
        let all = 12 * year + month - 1 + months
        let wanted = DayOffsetTests.day(
          all / 12, all % 12 + 1, min(day, DayOffsetTests.lengths(of: all / 12)[all % 12]))
        let found = DayOffset(count: count, unit: unit).applied(to: from)
        #expect(
          found == wanted - DayOffsetTests.epoch,
          "\(count) \(unit) from \(year)-\(month)-\(day); \(seedNote(seed))")
      }
    }
  }

  @Test(arguments: [-DayOffset.maxCount, DayOffset.maxCount])
  func `the greatest distances lead to valid days`(count: Int) {
    for unit in DayOffset.Unit.allCases {
      #expect((DayOffset(count: count, unit: unit).applied(to: 0) < 0) == (count < 0))
    }
  }

  @Test(arguments: [
    ("2024-02-29", -1, DayOffset.Unit.year, "2023-02-28"), ("2024-03-31", -1, .month, "2024-02-29"),
    ("2023-12-31", 2, .month, "2024-02-29"),
    ("2024-01-15", -1, .month, "2023-12-15"), ("2024-12-31", 1, .month, "2025-01-31"),
    ("2024-03-01", -1, .day, "2024-02-29"),
  ])
  func `a month that is too short ends with its last day`(
    from: String, count: Int, unit: DayOffset.Unit, to: String
  ) throws {
    func day(_ text: String) throws -> Int {
      Int(try #require(ISO8601DateFormatter().date(from: text + "T00:00:00Z")).timeIntervalSince1970) / 86_400
    }
    #expect(try DayOffset(count: count, unit: unit).applied(to: day(from)) == day(to))
  }
}
