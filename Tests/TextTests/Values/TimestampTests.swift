import Testing
import Values

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01", 0, 0), ("2024-02-29", 1_709_164_800, 0), ("0000-01-01", -62_167_219_200, 0),
    ("9999-12-31", 253_402_214_400, 0),
    ("1969-12-31T23:59:59Z", -1, 0), ("2024-01-31T10:00", 1_706_695_200, 0),
    ("2024-01-31 10:00:00", 1_706_695_200, 0),
    ("2024-01-31t10:00:00z", 1_706_695_200, 0), ("2024-01-31T10:00:00+02:00", 1_706_688_000, 0),
    ("2024-01-31T10:00:00-0230", 1_706_704_200, 0),
    ("2024-01-31T10:00:00+02", 1_706_688_000, 0), ("2024-01-31T10:00:00.5Z", 1_706_695_200, 500_000_000),
    ("2024-01-31T10:00:00,1234567899Z", 1_706_695_200, 123_456_789),
    ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
  ])
  func `a date has a moment`(_ text: String, _ seconds: Int64, _ nanoseconds: Int32) {
    let date = Timestamp(text)
    #expect(date?.seconds == seconds)
    #expect(date?.nanoseconds == nanoseconds)
    #expect(date?.text == text)
  }

  @Test(arguments: [
    "", "2024", "2024-01", "2024-1-31", "2024-13-01", "2024-00-10", "2024-01-00", "2023-02-29", "1900-02-29",
    "24-01-31", "2024-01-31T",
    "2024-01-31T1",
    "2024-01-31T24:00", "2024-01-31T10:60", "2024-01-31T10:00:61", "2024-01-31T10:00:00.",
    "2024-01-31T10:00:00+", "2024-01-31T10:00:00+2",
    "2024-01-31T10:00:00Zx", "2024-01-31  10:00", " 2024-01-31", "2024-01-31 ", "2024-01-31x", "2024/01/31",
    "+2024-01-31", "２０２４-01-31",
    "2024-01-31T10:00:00.0000000000000000000000000000000000000000000000000000",
  ])
  func `a text that is not a date is refused`(_ text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func `timestamps order by moment and are equal by text`() throws {
    let a = try #require(Timestamp("2024-01-31T10:00:00+02:00"))
    let b = try #require(Timestamp("2024-01-31T08:00:00Z"))
    let c = try #require(Timestamp("2024-01-31T08:00:00.000000001Z"))
    #expect(a != b)
    #expect(!(a < b))
    #expect(!(b < a))
    #expect(b < c)
    #expect(a.precision == .zonedTime)
    #expect(try #require(Timestamp("2024-01-31")).precision == .day)
    #expect(try #require(Timestamp("2024-01-31T10:00")).precision == .localTime)
  }

  @Test func `a moment is written in the form in which it is read`() throws {
    for text in [
      "2024-02-29T00:00:00.120Z", "1969-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z",
      "2400-03-01T12:30:00.000Z",
    ] {
      let date = try #require(Timestamp(text))
      #expect(Timestamp(seconds: date.seconds, nanoseconds: date.nanoseconds).text == text)
    }
  }

  @Test func `moments of all years have a text`() {
    #expect(Timestamp(seconds: -1, nanoseconds: 999_000_000).text == "1969-12-31T23:59:59.999Z")
    #expect(Timestamp(seconds: -86_400, nanoseconds: 0).text == "1969-12-31T00:00:00.000Z")
    for seconds in [Int64.min, .min + 1, .max] {
      #expect(Timestamp(seconds: seconds, nanoseconds: 0).seconds == seconds)
    }
  }
}
