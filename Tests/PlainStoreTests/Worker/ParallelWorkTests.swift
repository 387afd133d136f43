import Query
@testable import Store
import Synchronization
import Testing

@testable import Files

struct ParallelWorkTests {
  @Test(arguments: [0, 1, 9, 10, 11, 100, 12_345]) func `the ranges cover each number once, in order`(
    count: Int
  ) {
    let ranges = ParallelWork.map(count, by: 10) { Array($0) }
    #expect(ranges.flatMap { $0 } == Array(0..<count))
    #expect(ranges.allSatisfy { $0.count <= 10 })
  }

  @Test func `a size of zero counts as one`() {
    #expect(ParallelWork.map(3, by: 0) { $0.count } == [1, 1, 1])
  }

  @Test(arguments: [0, 1, 2, 1_000])
  func `results are consumed in order`(count: Int) {
    var numbers: [Int] = []
    var consumed: [Int] = []
    ParallelWork.forEach(
      count, { $0 * $0 },
      {
        numbers.append($0)
        consumed.append($1)
      })
    #expect(numbers == Array(0..<count))
    #expect(consumed == (0..<count).map { $0 * $0 })
  }

  @Test func `an error of the consumer ends the work`() {
    struct Full: Error {}
    let calls = Mutex(0)
    var consumed: [Int] = []
    #expect(throws: Full.self) {
      try ParallelWork.forEach(
        100_000,
        { number in
          calls.withLock { $0 += 1 }
          return number
        },
        { number, _ in
          if number == 3 { throw Full() }
          consumed.append(number)
        })
    }
    #expect(consumed == [0, 1, 2])
    // Only a few results are computed before they are consumed.
    let count = calls.withLock(\.self)
    #expect(count < 20)
  }
}
