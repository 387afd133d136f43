import Files
import Testing

@testable import Watch

/// Settling with several work trees in the root. Times as in `SettlerBench`.
@Suite struct GitSessionsTests {
  var bench = SettlerBench()

  init() {
    for tree in ["one", "two", "one/inner"] { bench.addTree(tree) }
  }

  @Test mutating func `a command in a tree is one batch of that tree`() {
    bench.marker("index.lock", true, in: "one", at: 0)
    bench.rewrite("one/a", at: 5)
    bench.rewrite("two/a", at: 5)
    bench.rewrite("a", at: 5)
    #expect(bench.due(at: 5) == ["a two/a"])
    bench.marker("index.lock", false, in: "one", at: 10)
    bench.headReplaced(in: "one", at: 12)
    #expect(bench.run() == ["42 git: one/a"])
  }

  @Test mutating func `commands in separate trees are one batch each`() {
    for tree in ["one", "two"] { bench.marker("index.lock", true, in: tree, at: 0) }
    for tree in ["one", "two"] { bench.rewrite("\(tree)/a", at: 5) }
    bench.marker("index.lock", false, in: "two", at: 10)
    bench.marker("index.lock", false, in: "one", at: 30)
    #expect(bench.run() == ["160 git: two/a", "180 git: one/a"])
  }

  /// `git checkout --recurse-submodules`.
  @Test mutating func `changes inside a tree where git is at work end together with it`() {
    bench.marker("index.lock", true, at: 0)
    bench.marker("index.lock", true, in: "one", at: 10)
    bench.rewrite("one/a", at: 20)
    bench.marker("index.lock", false, in: "one", at: 30)
    bench.marker("index.lock", true, in: "two", at: 300)
    bench.rewrite("two/a", at: 310)
    bench.marker("index.lock", false, in: "two", at: 320)
    #expect(bench.due(at: 600).isEmpty)
    bench.rewrite("a", at: 610)
    bench.marker("index.lock", false, at: 620)
    bench.headReplaced(at: 621)
    #expect(bench.run() == ["651 git: a one/a two/a"])
  }

  @Test mutating func `git status around a tree delays nothing in it`() {
    bench.marker("index.lock", true, at: 0)
    bench.marker("index.lock", true, in: "one", at: 1)
    bench.rewrite("one/a", at: 2)
    bench.marker("index.lock", false, in: "one", at: 3)
    bench.drop("index.lock", at: 4)
    bench.headReplaced(in: "one", at: 5)
    #expect(bench.run() == ["35 git: one/a"])
  }

  /// `git submodule update` updates one after the other, without a lock around them.
  @Test mutating func `submodules of one tree are one batch`() {
    for tree in ["one", "two"] { bench.addTree(tree, submoduleOf: "") }
    for (tree, time) in [("one", 0), ("two", 120), ("one", 240)] {
      bench.marker("index.lock", true, in: tree, at: time)
      bench.rewrite("\(tree)/\(time)", at: time + 5)
      bench.marker("index.lock", false, in: tree, at: time + 10)
      bench.headReplaced(in: tree, at: time + 12)
    }
    #expect(bench.run() == ["402 git: one/0 one/240 two/120"])
  }

  @Test mutating func `submodules that never end do not starve`() {
    for tree in ["one", "two"] { bench.addTree(tree, submoduleOf: "") }
    var times: [Int] = []
    for time in stride(from: 0, to: 13_000, by: 100) {
      let tree = time % 200 == 0 ? "one" : "two"
      bench.marker("index.lock", true, in: tree, at: time)
      bench.rewrite("\(tree)/a", at: time)
      if !bench.due(at: time).isEmpty { times.append(time) }
      bench.marker("index.lock", false, in: tree, at: time + 1)
    }
    #expect(times.count == 2)
    #expect(times.first.map { $0 <= 6_000 } == true, "\(times)")
  }

  /// The events of `git clone` and `git worktree add` are read after their end.
  @Test mutating func `the files of a new tree belong to git`() {
    bench.git(.found([], isAtWork: true), in: "one", at: 0)
    for name in ["one/a", "one/b"] { bench.record(.created(isEmpty: false), name, at: 0) }
    #expect(bench.run() == ["150 git: one/a one/b"])
  }

  @Test mutating func `a tree that is removed holds nothing`() {
    bench.marker("index.lock", true, in: "one", at: 0)
    bench.rewrite("one/a", at: 5)
    bench.git(.removed, in: "one", at: 10)
    bench.record(.vanished(cookie: 0), "one/", at: 10)
    #expect(bench.run() == ["160 git: one/a one/"])
    // After that it is a folder of the tree around it.
    bench.marker("index.lock", true, at: 1000)
    bench.rewrite("one/b", at: 1005)
    bench.marker("index.lock", false, at: 1010)
    #expect(bench.run() == ["1160 git: one/b"])
  }
}
