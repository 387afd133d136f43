import Testing

@testable import Values

struct NumberSumTests {
  private static func sum(_ numbers: [Number]) -> NumberSum { NumberSum(numbers.map(Value.number)) }

  @Test func `a sum of integers is an integer`() {
    #expect(NumberSumTests.sum([.integer(1), .integer(2)]).total == .integer(3))
    #expect(NumberSumTests.sum([]).total == .integer(0))
  }

  @Test func `fractions add up in decimal`() {
    #expect(NumberSumTests.sum([.double(0.1), .double(0.2)]).total == .double(0.3))
    #expect(NumberSumTests.sum([.double(0.1), .integer(1)]).total == .double(1.1))
    #expect(NumberSumTests.sum([.double(0.1), .double(0.2)]).average == .double(0.15))
  }

  @Test func `a sum is canonical, however its numbers are written`() {
    #expect(NumberSumTests.sum([.literal("1.10"), .literal("2.20")]).total == .double(3.3))
    #expect(NumberSumTests.sum([.literal("-0"), .integer(1)]).total == .integer(1))
    #expect(NumberSumTests.sum([.literal("1E+2"), .literal("1e2")]).total == .double(200))
  }

  @Test func `numbers beyond the range of a decimal add up as doubles`() {
    #expect(NumberSumTests.sum([.integer(.max), .integer(1)]).total == .double(0x1p63))
    #expect(NumberSumTests.sum([.double(1e300), .double(1e300)]).total == .double(2e300))
    #expect(NumberSumTests.sum([.double(.infinity), .integer(1)]).total == .double(.infinity))
    #expect(
      NumberSumTests.sum([.literal("12345678901234567890"), .integer(0)]).total.doubleValue
        == 12_345_678_901_234_567_168)
  }

  @Test func `only numbers count`() {
    let sum = NumberSum([.string("5"), .number(.integer(2)), .bool(true), .null])
    #expect(sum.total == .integer(2))
    #expect(sum.count == 1)
    #expect(NumberSum([.string("5")]).average == nil)
  }
}
