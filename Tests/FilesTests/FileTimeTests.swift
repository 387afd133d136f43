import Files
import Testing

struct MomentTests {
  @Test(arguments: [0, 1, -1, 1_700_000_000, -1_700_000_000])
  func `a moment keeps its seconds and nanoseconds`(seconds: Int64) {
    let moment = FileTime(seconds: seconds, nanoseconds: 999_999_999)
    #expect(moment.seconds == seconds)
    #expect(moment.nanoseconds == 999_999_999)
  }

  @Test func `a moment outside the years 1678 to 2262 is moved to the nearer end`() {
    #expect(FileTime(seconds: .max) == FileTime(seconds: .max, nanoseconds: 1))
    #expect(FileTime(seconds: .max).seconds == 9_223_372_036)
    #expect(FileTime(seconds: .min).seconds == -9_223_372_037)
  }
}
