import TestSupport
import Testing

@testable import DiffableSnapshot

/// Copies of the containers do not observe each other's changes.
@Suite struct PersistenceTests {
  @Test func `a vector keeps its old versions`() {
    var versions: [PagedVector<Int>] = [PagedVector()]
    for number in 0..<3_000 {
      var next = versions[versions.count - 1]
      next.append(number)
      if number % 7 == 0 { next[number / 2] = -number }
      if number % 100 == 0 { versions.append(next) } else { versions[versions.count - 1] = next }
    }
    for version in versions {
      var reader = PagedVector.Reader(version)
      for index in 0..<version.count {
        let owner = [index * 2, index * 2 + 1].last { $0 % 7 == 0 && $0 < version.count }
        #expect(version[index] == owner.map { -$0 } ?? index)
        #expect(reader.element(at: index) == version[index])
      }
    }
  }

  @Test func `a trie forgets removed numbers and joins its buckets`() {
    var trie = HashTrie()
    for number in 0..<2_000 { trie.insert(UInt32(number), hash: number &* 0x9E37_79B9) }
    let full = trie
    for number in 0..<1_990 { trie.remove(UInt32(number), hash: number &* 0x9E37_79B9) }
    #expect(trie.numbers().sorted() == Array(1_990..<2_000))
    #expect(full.numbers().count == 2_000)
    #expect(
      (0..<2_000).filter { number in full.first(hash: number &* 0x9E37_79B9) { $0 == number } == nil } == [])
    #expect(trie.first(hash: 0) { _ in true } == nil)
  }

  @Test func `a vector grows in batches as it grows one by one`() {
    for seed in Randomness.seeds(30) {
      var random = SeededGenerator(seed: seed)
      var vector = PagedVector<Int>()
      var expected: [Int] = []
      for _ in 0..<random.below(20) {
        let batch = Array(
          expected.count..<expected.count + (random.oneIn(3) ? random.below(5_000) : random.below(130)))
        if random.oneIn(3) {
          for number in batch { vector.append(number) }
        } else {
          vector.append(contentsOf: batch)
        }
        expected += batch
        let old = vector
        if !expected.isEmpty { vector[expected.count / 2] = -1 }
        vector = old
      }
      #expect(vector.count == expected.count, "\(seedNote(seed))")
      #expect((0..<vector.count).map { vector[$0] } == expected, "\(seedNote(seed))")
    }
  }

  @Test func `a trie that is built at once finds what a growing one finds`() {
    for seed in Randomness.seeds(40) {
      var random = SeededGenerator(seed: seed)
      // Few different hashes: identifiers collide, and buckets at the deepest level overflow.
      let spread = [UInt32(3), 200, .max].randomElement(using: &random) ?? 3
      let tags = (0..<random.below(1_500)).map { _ in UInt32(truncatingIfNeeded: random.next()) % spread }
      let ids = tags.indices.map { _ in random.below(random.oneIn(2) ? 20_000 : 2_000_000) }
      var firstRepeated: UInt32?
      var trie = HashTrie(of: tags, firstRepeated: &firstRepeated) {
        tags[Int($0)] == tags[Int($1)] && ids[Int($0)] == ids[Int($1)]
      }
      var grown = HashTrie()
      for (number, tag) in tags.enumerated() { grown.insert(UInt32(number), hash: Int(tag)) }
      #expect(trie.numbers().sorted() == grown.numbers().sorted(), "\(seedNote(seed))")
      var seen: [[Int]: Int] = [:]
      let repeated = tags.indices.first { number in
        seen.updateValue(number, forKey: [Int(tags[number]), ids[number]]) != nil
      }
      #expect(firstRepeated.map { Int($0) } == repeated, "\(seedNote(seed))")
      #expect(
        tags.indices.allSatisfy { number in trie.first(hash: Int(tags[number])) { $0 == number } != nil },
        "\(seedNote(seed))")
      for (number, tag) in tags.enumerated() { trie.remove(UInt32(number), hash: Int(tag)) }
      #expect(trie.numbers() == [], "\(seedNote(seed))")
    }
  }

  @Test func `a pool reuses released numbers`() {
    var pool = NumberPool()
    let numbers = (0..<100).map { pool.allocate($0) }
    #expect(numbers == Array(0..<100))
    pool.release(3)
    pool.release(7)
    #expect([3, 4, 1_000].map { pool.isInUse($0) } == [false, true, false])
    #expect(pool.inUse == 98)
    #expect([pool.allocate(1), pool.allocate(2), pool.allocate(3)] == [7, 3, 100])
    #expect([pool[7], pool[3]] == [1, 2])
    #expect(pool.inUse == 101)
  }
}
