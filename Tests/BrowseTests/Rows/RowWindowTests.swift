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

  private func text(_ window: RowWindow) -> String {
    window.lines.map { line in
      switch line {
      case .heading(let id, let count): "[\(id) \(count)]"
      case .row(let id): id.description
      }
    }.joined(separator: " ")
  }

  @Test func `a window begins at the top of the list`() {
    let window = RowWindow(Self.list(["a": 2, "b": 1]), cursor: "a0", line: 0, height: 4)
    #expect(text(window) == "[a 2] a0 a1 [b 1]")
    #expect(window.cursorLine == 1)
    #expect(window.isAtTop)
  }

  @Test func `the heading of the first row's section stays at the top`() {
    let window = RowWindow(Self.list(["a": 9, "b": 1]), cursor: "a5", line: 2, height: 4)
    #expect(text(window) == "[a 9] a4 a5 a6")
    #expect(window.cursorLine == 2)
    #expect(!window.isAtTop)
  }

  @Test func `a heading at the top is there once`() {
    let window = RowWindow(Self.list(["a": 9, "b": 3]), cursor: "b1", line: 3, height: 4)
    #expect(text(window) == "[b 3] b0 b1 b2")
    #expect(window.cursorLine == 2)
  }

  @Test func `the end of the list is at the bottom of the window`() {
    let window = RowWindow(Self.list(["a": 9]), cursor: "a8", line: 1, height: 4)
    #expect(text(window) == "[a 9] a6 a7 a8")
    #expect(window.cursorLine == 3)
  }

  @Test func `an empty section has its heading`() {
    let window = RowWindow(
      Self.list(["a": 1], order: ["none", "a", "late"]), cursor: "a0", line: 0, height: 6)
    #expect(text(window) == "[none 0] [a 1] a0 [late 0]")
  }

  @Test func `a low window has no headings`() {
    let window = RowWindow(Self.list(["a": 2, "b": 1]), cursor: "b0", line: 0, height: 2)
    #expect(text(window) == "a1 b0")
  }

  @Test func `a window of no height has no lines`() {
    #expect(RowWindow(Self.list(["a": 2]), cursor: "a0", line: 0, height: 0).lines == [])
  }

  @Test func `an empty list has no lines`() {
    #expect(RowWindow(MemoryStore().snapshot(FetchRequest()), cursor: nil, line: 0, height: 3).lines == [])
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
    let all = list.list.itemIdentifiers
    if all.isEmpty { return }
    let cursor = random.one(of: all)
    let height = 1 + random.below(12)
    let window = RowWindow(list, cursor: cursor, line: random.below(14), height: height)
    let rows = window.lines.compactMap(\.id)
    #expect(window.lines.count <= height, Comment(rawValue: seedNote(seed)))
    #expect(rows.contains(cursor), Comment(rawValue: seedNote(seed)))
    #expect(window.lines[window.cursorLine].id == cursor, Comment(rawValue: seedNote(seed)))
    let start = all.firstIndex(of: rows[0]) ?? 0
    #expect(rows == Array(all[start..<min(start + rows.count, all.count)]), Comment(rawValue: seedNote(seed)))
    if isSectioned, height >= 3 {
      #expect(window.lines[0].id == nil, Comment(rawValue: seedNote(seed)))
    }
  }
}
