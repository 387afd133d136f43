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
      var reader = PagedVector<Int>.Reader()
      for index in 0..<version.count {
        let owner = [index * 2, index * 2 + 1].last { $0 % 7 == 0 && $0 < version.count }
        #expect(version[index] == owner.map { -$0 } ?? index)
        #expect(reader.element(at: index, of: version) == version[index])
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
    #expect((0..<2_000).filter { number in full.first(hash: number &* 0x9E37_79B9) { $0 == number } == nil } == [])
    #expect(trie.first(hash: 0) { _ in true } == nil)
  }

  @Test func `a pool reuses released numbers`() {
    var pool = NumberPool()
    let numbers = (0..<100).map { pool.allocate($0) }
    #expect(numbers == Array(0..<100))
    pool.release(3)
    pool.release(7)
    #expect([3, 4, 1_000].map { pool.isInUse($0) } == [false, true, false])
    #expect(pool.count == 98)
    #expect([pool.allocate(1), pool.allocate(2), pool.allocate(3)] == [7, 3, 100])
    #expect([pool[7], pool[3]] == [1, 2])
    #expect(pool.count == 101)
  }
}
