import Files
import TestSupport
import Testing

@testable import Watch

@Suite struct WatchTableTests {
  private func path(_ text: String) -> RelativePath { RelativePath(bytes: text.utf8) }

  @Test func `removing a tree removes every watch in it`() {
    var table = WatchTable()
    for (watch, name) in [(1, ""), (2, "a"), (3, "a/b"), (4, "a/b/c"), (5, "ab")] {
      #expect(table.set(Int32(watch), path(name)) == [])
    }
    #expect(table.removeTree(path("a")).sorted() == [2, 3, 4])
    #expect(table.count == 2)
    #expect(table.paths(of: 5) == [path("ab")])
    #expect(table.paths(of: 3) == [])
    #expect(table.removeTree(.root).sorted() == [1, 5])
  }

  @Test func `a folder at two paths keeps its watch until the last path is gone`() {
    var table = WatchTable()
    for (watch, name) in [(1, "d"), (2, "d/x"), (1, "mount"), (2, "mount/x")] {
      #expect(table.set(Int32(watch), path(name)) == [])
    }
    #expect(table.count == 2)
    #expect(table.paths(of: 2) == [path("d/x"), path("mount/x")])
    #expect(table.removeTree(path("d")) == [])
    #expect(table.paths(of: 1) == [path("mount")])
    #expect(table.removeTree(path("mount")).sorted() == [1, 2])
    #expect(table.count == 0)
  }

  @Test func `a root that is mounted in itself has one watch`() {
    var table = WatchTable()
    _ = table.set(1, .root)
    _ = table.set(1, path("d"))
    #expect(table.paths(of: 1) == [.root, path("d")])
    #expect(table.removeTree(path("d")) == [])
    #expect(table.removeTree(.root) == [1])
  }

  @Test func `a folder that is replaced loses its watch and those below it`() {
    var table = WatchTable()
    for (watch, name) in [(1, "a"), (2, "a/b"), (3, "c"), (4, "a/b/c"), (4, "c/same")] {
      _ = table.set(Int32(watch), path(name))
    }
    #expect(table.set(5, path("a")).sorted() == [1, 2])
    #expect(table.paths(of: 1) == [])
    #expect(table.paths(of: 4) == [path("c/same")])
    #expect(table.paths(of: 5) == [path("a")])
    table.remove(1)
    #expect(table.contains(path("a")))
    table.remove(5)
    #expect(!table.contains(path("a")))
  }

  /// Compares the table with two plain lists. Every watch is either in the table or was returned
  /// once for removal.
  @Test func `the table agrees with a list of pairs`() {
    let names = ["", "a", "a/b", "a/b/c", "ab", "a/bc", "d", "d/b", "d/b/c"].map(path)
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      var table = WatchTable()
      var pairs: [RelativePath: Int32] = [:]
      for _ in 0..<40 {
        let name = random.one(of: names), watch = Int32(1 + random.below(5))
        let before = Set(pairs.values)
        var removed: [Int32] = []
        switch random.below(4) {
        case 0, 1:
          let isOther = pairs[name].map { $0 != watch } ?? false
          removed = table.set(watch, name)
          if isOther { pairs = pairs.filter { $0.key != name && !$0.key.isBelow(name) } }
          let left = Set(pairs.values)
          pairs[name] = watch
          #expect(Set(removed) == before.subtracting(left), "\(seedNote(seed))")
        case 2:
          removed = table.removeTree(name)
          pairs = pairs.filter { $0.key != name && !$0.key.isBelow(name) }
          #expect(Set(removed) == before.subtracting(pairs.values), "\(seedNote(seed))")
        default:
          table.remove(watch)
          pairs = pairs.filter { $0.value != watch }
        }
        #expect(removed.count == Set(removed).count, "\(seedNote(seed))")
        #expect(table.count == Set(pairs.values).count, "\(seedNote(seed))")
        for watch in Int32(1)...5 {
          #expect(
            table.paths(of: watch) == pairs.filter { $0.value == watch }.keys.sorted(), "\(seedNote(seed))")
        }
      }
    }
  }
}
