import TestSupport
import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotIterationTests {
  @Test func `a range of items is the slice of the complete list`() throws {
    for seed in Randomness.seeds(30) {
      var random = SeededGenerator(seed: seed)
      var lists = [[Int]](repeating: [], count: 1 + random.below(6))
      for item in 0..<random.below(600) { lists[random.below(lists.count)].append(item) }
      var list = try Snapshot(lists.enumerated().map { (id: $0.offset, items: $0.element) })
      let divisor = 1 + random.below(5)
      list.setHidden { $0 % divisor == 1 }
      let whole = lists.map { $0.filter { $0 % divisor != 1 } }
      #expect(list.itemIdentifiers == whole.flatMap { $0 }, "\(seedNote(seed))")
      for _ in 0..<20 {
        let start = random.below(700)
        let range = start..<start + random.below(200)
        #expect(
          Array(list.items(in: range)) == Array(whole.flatMap { $0 }.dropFirst(start).prefix(range.count)),
          "\(seedNote(seed))")
        let section = random.below(lists.count)
        #expect(
          Array(list.items(inSection: section, range))
            == Array(whole[section].dropFirst(start).prefix(range.count)), "\(seedNote(seed))")
      }
    }
  }

  @Test func `a range is clamped to the existing items`() throws {
    let list = try people()
    #expect(Array(list.items(in: -5..<2)) == ["ada", "bob"])
    #expect(Array(list.items(in: 4..<Int.max)) == ["eve"])
    #expect(Array(list.items(in: 7..<9)) == [])
    #expect(Array(list.items(inSection: "family")) == [])
  }
}
