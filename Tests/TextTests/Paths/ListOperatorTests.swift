import Testing

@testable import Values

struct ListOperatorTests {
  private static func sum(_ numbers: [Number]) -> Number? {
    guard case .number(let sum)? = ListOperator.sum.apply(to: .list(numbers.map(Value.number))) else {
      return nil
    }
    return sum
  }

  @Test func `a sum of integers is an integer`() {
    #expect(ListOperatorTests.sum([.integer(1), .integer(2)]) == .integer(3))
    #expect(ListOperatorTests.sum([]) == .integer(0))
  }

  @Test func `fractions add up in decimal`() {
    #expect(ListOperatorTests.sum([.double(0.1), .double(0.2)]) == .double(0.3))
    #expect(ListOperatorTests.sum([.double(0.1), .integer(1)]) == .double(1.1))
    #expect(ListOperator.average.apply(to: [0.1, 0.2]) == 0.15)
  }

  @Test func `a sum is canonical, however its numbers are written`() {
    #expect(ListOperatorTests.sum([.literal("1.10"), .literal("2.20")]) == .double(3.3))
    #expect(ListOperatorTests.sum([.literal("-0"), .integer(1)]) == .integer(1))
    #expect(ListOperatorTests.sum([.literal("1E+2"), .literal("1e2")]) == .double(200))
  }

  @Test func `numbers beyond the range of a decimal add up as doubles`() {
    #expect(ListOperatorTests.sum([.integer(.max), .integer(1)]) == .double(0x1p63))
    #expect(ListOperatorTests.sum([.double(1e300), .double(1e300)]) == .double(2e300))
    #expect(ListOperatorTests.sum([.double(.infinity), .integer(1)]) == .double(.infinity))
    #expect(
      ListOperatorTests.sum([.literal("12345678901234567890"), .integer(0)])?.doubleValue
        == 12_345_678_901_234_567_168)
  }

  @Test func `only numbers count`() {
    let values: Value = ["5", 2, true, .null]
    #expect(ListOperator.sum.apply(to: values) == 2)
    #expect(ListOperator.average.apply(to: values) == 2.0)
    #expect(ListOperator.average.apply(to: ["5"]) == nil)
  }
}
