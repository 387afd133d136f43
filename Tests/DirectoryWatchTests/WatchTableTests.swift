import Testing

@testable import DirectoryWatch

@Suite struct WatchTableTests {
  private func path(_ text: String) -> RelativePath { RelativePath(bytes: text.utf8) }

  @Test func forgetsAWholeTree() {
    var table = WatchTable()
    for (watch, name) in [(1, ""), (2, "a"), (3, "a/b"), (4, "a/b/c"), (5, "ab")] { #expect(table.set(Int32(watch), path(name)) == nil) }
    #expect(table.removeTree(path("a")).sorted() == [2, 3, 4])
    #expect(table.count == 2)
    #expect(table.path(of: 5) == path("ab") && table.path(of: 3) == nil)
    #expect(table.removeTree(.root).sorted() == [1, 5])
  }

  @Test func aFolderThatMovedKeepsItsWatch() {
    var table = WatchTable()
    _ = table.set(1, path("a"))
    #expect(table.set(1, path("b")) == nil)
    #expect(table.path(of: 1) == path("b"))
    // The event about the old name comes late, and must not take the new one away.
    #expect(table.removeTree(path("a")) == [])
    #expect(table.contains(path("b")))
  }

  @Test func aFolderThatWasReplacedGivesItsWatchUp() {
    var table = WatchTable()
    _ = table.set(1, path("a"))
    #expect(table.set(2, path("a")) == 1)
    #expect(table.path(of: 1) == nil && table.path(of: 2) == path("a"))
    table.remove(1)
    #expect(table.contains(path("a")))
  }
}
