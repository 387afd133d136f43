import Foundation
import Query
@testable import Store
import Testing
import Values

struct TimestampDateTests {
  @Test(
    arguments: [
      ("2024-01-31", "2024-02-01T00:00:00Z", "2024-02-01"),
      ("2024-01-31", "2024-02-01T10:00:00Z", "2024-02-01T10:00:00Z"),
      ("2024-01-31 10:00", "2024-02-01T11:30:00Z", "2024-02-01 11:30"),
      ("2024-01-31 10:00", "2024-02-01T11:30:05Z", "2024-02-01 11:30:05"),
      ("2024-01-31T10:00:00+02:00", "2024-02-01T23:00:00Z", "2024-02-02T01:00:00+02:00"),
      ("2024-01-31T10:00:00-0530", "2024-02-01T03:00:00Z", "2024-01-31T21:30:00-0530"),
      ("2024-01-31t10:00:00+02", "2024-02-01T10:00:00.5Z", "2024-02-01t12:00:00.500+02"),
      ("2024-01-31T10:00:00.5Z", "2024-02-01T10:00:00Z", "2024-02-01T10:00:00.0Z"),
      ("2024-01-31T10:00:00,250z", "2024-02-01T10:00:00.125Z", "2024-02-01T10:00:00,125z"),
      ("2024-01-31T10:00:00.12Z", "2024-02-01T10:00:00.125Z", "2024-02-01T10:00:00.125Z"),
      ("2024-01-31T10:00:00.1234567890Z", "2024-02-01T10:00:00.125Z", "2024-02-01T10:00:00.1250000000Z"),
      ("0000-01-01T10:00:00-10:00", "0000-01-01T01:00:00Z", "0000-01-01T01:00:00Z"),
      ("9999-12-31T10:00:00+10:00", "9999-12-31T23:00:00Z", "9999-12-31T23:00:00Z"),
    ])
  func `a date is written in the style of another one`(old: String, new: String, expected: String) throws {
    let styled = try #require(Timestamp(new)).styled(like: #require(Timestamp(old)))
    #expect(styled.text == expected)
    #expect(styled.seconds == Timestamp(new)?.seconds)
    #expect(styled.nanoseconds == Timestamp(new)?.nanoseconds)
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00Z"), (-0.5, "1969-12-31T23:59:59.500Z"),
    (0.000_001, "1970-01-01T00:00:00.000001Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"),
  ])
  func `a date has as many digits as it needs`(seconds: Double, text: String) {
    #expect(Timestamp(Date(timeIntervalSince1970: seconds))?.text == text)
  }
}
