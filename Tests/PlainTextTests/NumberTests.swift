import PlainText
import Testing

@Suite struct NumberTests {
  @Test func equalWhenWrittenTheSameWay() {
    #expect(Number.integer(1) != .double(1))
    #expect(Number.double(.nan) == .double(-.nan))
    #expect(Set([Number.double(.nan), .double(.nan)]).count == 1)
    #expect(Number.double(0) != .double(-0.0))
    #expect(Number.literal("12345678901234567890") != .literal("12345678901234567891"))
  }

  @Test func descriptionsAreJSONNumbersWhereJSONHasOne() {
    #expect(Number.integer(-7).description == "-7")
    #expect(Number.double(2.50).description == "2.5")
    #expect(Number.literal("1e400").description == "1e400")
    #expect(Number.double(.infinity).description == ".inf")
    #expect(Number.double(-.infinity).description == "-.inf")
    #expect(Number.double(.nan).description == ".nan")
  }

  @Test func theNearestDouble() {
    #expect(Number.integer(3).doubleValue == 3)
    #expect(Number.literal("18446744073709551616").doubleValue == 0x1p64)
    #expect(Number.literal("1e400").doubleValue == .infinity)
    #expect(Number.literal("-1e400").doubleValue == -.infinity)
  }
}
