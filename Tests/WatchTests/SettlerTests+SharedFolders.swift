import Files
import Testing

@testable import Watch

/// Settling in a folder that is at several paths: every event comes once per path. Times as in
/// `SettlerBench`.
@Suite struct SettlerSharedFolderTests {
  var bench = SettlerBench()

  @Test mutating func `a rename in a folder at two paths is one batch`() {
    for name in ["d/a", "mount/a"] { bench.record(.vanished(cookie: 5), name, at: 0) }
    for name in ["d/b", "mount/b"] { bench.record(.arrived(cookie: 5), name, at: 0) }
    #expect(bench.run() == ["60 d/a d/b mount/a mount/b"])
  }

  @Test mutating func `a rename into a folder at two paths is one batch`() {
    bench.record(.vanished(cookie: 5), "a", at: 0)
    for name in ["d/b", "mount/b"] { bench.record(.arrived(cookie: 5), name, at: 0) }
    #expect(bench.run() == ["60 a d/b mount/b"])
  }

  @Test mutating func `a rename out of a folder at two paths is one batch`() {
    for name in ["d/a", "mount/a"] { bench.record(.vanished(cookie: 5), name, at: 0) }
    bench.record(.arrived(cookie: 5), "b", at: 0)
    #expect(bench.run() == ["60 b d/a mount/a"])
  }
}
