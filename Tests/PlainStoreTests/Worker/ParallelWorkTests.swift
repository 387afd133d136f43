import Testing

@testable import PlainStore

struct ParallelWorkTests {
  @Test(arguments: [0, 1, 9, 10, 11, 100, 12_345]) func `the ranges cover each number once, in order`(count: Int) {
    let ranges = ParallelWork.map(count, by: 10) { Array($0) }
    #expect(ranges.flatMap { $0 } == Array(0..<count))
    #expect(ranges.allSatisfy { $0.count <= 10 })
  }

  @Test func `a size of zero counts as one`() {
    #expect(ParallelWork.map(3, by: 0) { $0.count } == [1, 1, 1])
  }
}
