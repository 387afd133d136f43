@testable import Store
import TestSupport
import Testing

@testable import Browse
@testable import Query

@Suite struct RowWindowTests {
  /// Returns a list of sections with some rows each, such as `a0 a1 | b0`.
  private static func list(_ sections: KeyValuePairs<String, Int>, order: [SectionID] = []) -> ListSnapshot<
    Item
  > {
    var store = MemoryStore()
    for (name, count) in sections {
      for number in 0..<count { store.write("\(name)\(number).yaml", "group: \(name)") }
    }
    return store.snapshot(FetchRequest(section: SectionDescriptor("group", order: order)))
  }

  private static func problems(_ count: Int) -> [Problem] {
    (0..<count).map { Problem(path: RelativePath(bytes: "p\($0).yaml".utf8), message: "broken") }
  }

  private func window(
    _ list: ListSnapshot<Item>, _ problems: [Problem] = [], cursor: ScreenRow?, line: Int, height: Int
  ) -> RowWindow {
    RowWindow(RowWalk(list, problems, height: height), cursor: cursor, line: line, height: height)
  }

  private func text(_ window: RowWindow) -> String {
    window.lines.map { line in
      switch line {
      case .heading(let id, let count): "[\(id?.description ?? "!") \(count)]"
      case .row(let row): row.description
      }
    }.joined(separator: " ")
  }

  @Test func `a window begins at the top of the list`() {
    let window = window(Self.list(["a": 2, "b": 1]), cursor: .item("a0"), line: 0, height: 4)
    #expect(text(window) == "[a 2] a0 a1 [b 1]")
    #expect(window.cursorLine == 1)
    #expect(window.isAtTop)
  }

  @Test func `the heading of the first row's section stays at the top`() {
    let window = window(Self.list(["a": 9, "b": 1]), cursor: .item("a5"), line: 2, height: 4)
    #expect(text(window) == "[a 9] a4 a5 a6")
    #expect(window.cursorLine == 2)
    #expect(!window.isAtTop)
  }

  @Test func `a heading at the top is there once`() {
    let window = window(Self.list(["a": 9, "b": 3]), cursor: .item("b1"), line: 3, height: 4)
    #expect(text(window) == "[b 3] b0 b1 b2")
    #expect(window.cursorLine == 2)
  }

  @Test func `the end of the list is at the bottom of the window`() {
    let window = window(Self.list(["a": 9]), cursor: .item("a8"), line: 1, height: 4)
    #expect(text(window) == "[a 9] a6 a7 a8")
    #expect(window.cursorLine == 3)
  }

  @Test func `an empty section has its heading`() {
    let window = window(
      Self.list(["a": 1], order: ["none", "a", "late"]), cursor: .item("a0"), line: 0, height: 6)
    #expect(text(window) == "[none 0] [a 1] a0 [late 0]")
  }

  @Test func `a low window has no headings`() {
    let window = window(Self.list(["a": 2, "b": 1]), cursor: .item("b0"), line: 0, height: 2)
    #expect(text(window) == "a1 b0")
  }

  @Test func `a window of no height has no lines`() {
    #expect(window(Self.list(["a": 2]), cursor: .item("a0"), line: 0, height: 0).lines == [])
  }

  @Test func `an empty list has no lines`() {
    #expect(window(MemoryStore().snapshot(FetchRequest()), cursor: nil, line: 0, height: 3).lines == [])
  }

  @Test func `the problems are above the items, with a heading of their own`() {
    let list = Self.list(["a": 2])
    let top = window(list, Self.problems(2), cursor: .item("a0"), line: 4, height: 9)
    #expect(text(top) == "[! 2] p0.yaml p1.yaml [a 2] a0 a1")
    #expect(top.isAtTop)
    let plain = window(
      MemoryStore().snapshot(FetchRequest()), Self.problems(2), cursor: nil, line: 0, height: 9)
    #expect(text(plain) == "[! 2] p0.yaml p1.yaml")
  }

  @Test func `the heading of the problems stays above those that are left`() {
    let list = Self.list(["a": 9])
    #expect(
      text(window(list, Self.problems(4), cursor: .item("a0"), line: 3, height: 5))
        == "[! 4] p3.yaml [a 9] a0 a1")
    #expect(
      text(window(list, Self.problems(4), cursor: .problem("p3.yaml"), line: 0, height: 3))
        == "[! 4] p3.yaml [a 9]")
  }

  @Test(arguments: Randomness.seeds(100))
  func `a window holds the cursor and a part of the list without gaps`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let counts = (0...random.below(5)).map { _ in random.below(8) }
    var store = MemoryStore()
    for (section, count) in counts.enumerated() {
      for number in 0..<count { store.write("s\(section)-\(number).yaml", "group: s\(section)") }
    }
    let isSectioned = random.oneIn(2)
    let list = store.snapshot(FetchRequest(section: isSectioned ? SectionDescriptor("group") : nil))
    let problems = Self.problems(random.oneIn(2) ? 0 : random.below(9))
    let all = problems.map { ScreenRow.problem($0.path) } + list.list.itemIdentifiers.map(ScreenRow.item)
    if all.isEmpty { return }
    let cursor = random.one(of: all)
    let height = 1 + random.below(12)
    let window = window(list, problems, cursor: cursor, line: random.below(14), height: height)
    let rows = window.lines.compactMap(\.row)
    #expect(window.lines.count <= height, Comment(rawValue: seedNote(seed)))
    #expect(rows.contains(cursor), Comment(rawValue: seedNote(seed)))
    #expect(window.lines[window.cursorLine].row == cursor, Comment(rawValue: seedNote(seed)))
    let start = all.firstIndex(of: rows[0]) ?? 0
    let walk = RowWalk(list, problems, height: height)
    #expect(all.map { walk.index(of: $0) } == Array(all.indices), Comment(rawValue: seedNote(seed)))
    #expect(all.indices.map { walk.row(atIndex: $0) } == all, Comment(rawValue: seedNote(seed)))
    #expect(rows == Array(all[start..<min(start + rows.count, all.count)]), Comment(rawValue: seedNote(seed)))
    if height >= 3, isSectioned || rows.first?.item == nil {
      #expect(window.lines[0].row == nil, Comment(rawValue: seedNote(seed)))
    }
  }
}
