import Files
import Foundation
import Store
import TestSupport
import Testing
import Values
import Streams

@testable import StateStore

/// What is written stays in proportion to what changed.
@Suite(.timeLimit(.minutes(5)))
struct ConsumerStateSizeTests {
  private static let pageSize = 4_096

  /// The number of pages in the log of a state.
  private static func pages(_ fixture: StateFixture) throws -> Int {
    try fixture.folder.bytes(of: "state.db-wal").count / pageSize
  }

  private static func row(_ number: Int) -> ListRow { row(number, phrases: 15) }

  private static func row(_ number: Int, phrases: Int) -> ListRow {
    let text = String(repeating: "some words ", count: phrases)
    return ListRow(
      section: "", id: Item.ID("item-\(number)"), path: RelativePath(bytes: "item-\(number).yaml".utf8),
      value: PackedValue(["text": .string(text), "number": .number(.integer(number))]))
  }

  private static func list(_ rows: [ListRow]) throws -> ListSnapshot<Item> {
    try #require(ListSnapshot<Item>(restoring: [("", nil)], rows: rows, request: RandomList.request))
  }

  @Test func `one change of a long list writes a few pages`() throws {
    let fixture = try StateFixture()
    var rows = (0..<5_000).map { Self.row($0 * 7_919 % 5_000) }
    var last = try Self.list(rows)
    let state = try fixture.begin(last)
    for step in 2..<12 {
      let before = try Self.pages(fixture)
      let index = step * 375
      switch step % 3 {
      case 0: rows.insert(Self.row(100_000 + step), at: index)
      case 1: rows.remove(at: index)
      default: rows.insert(rows.remove(at: index), at: 3)
      }
      let list = try Self.list(rows)
      state.offer(from: last, to: list, "t\(step)", seq: step)
      last = list
      // Without the log being written back, each page is a page of the database.
      let written = try Self.pages(fixture) - before
      #expect(written > 0)
      #expect(written < 16, "step \(step)")
    }
    state.close()
    #expect(try fixture.open(since: "t11").resumed.map { Shown($0.list) } == Shown(last))
  }

  @Test func `changes without an acknowledgement need a bounded size`() throws {
    let fixture = try StateFixture()
    var rows = (0..<50).map(Self.row)
    let first = try Self.list(rows)
    try fixture.begin(first).close()
    let state = try #require(
      try fixture.open(limits: History.Limits(steps: 20, bytes: 1 << 20, recent: 5)).state)
    var last = first
    var sizes: [Int] = []
    for step in 2..<160 {
      // New items come and go for ever.
      rows.removeFirst()
      rows.append(Self.row(1_000 + step))
      let list = try Self.list(rows)
      state.offer(from: last, to: list, "t\(step)", seq: step)
      last = list
      if step % 50 == 0 {
        try fixture.folder.shell("rm -rf copy; mkdir copy; cp state.db* copy")
        let copy = try StateFixture(fixture.folder, file: "\(fixture.folder.path)/copy/state.db")
        let opening = try copy.open()
        #expect(opening.resumed.map { Shown($0.list) } == Shown(first))
        opening.state?.close()
        sizes.append(try fixture.folder.bytes(of: "copy/state.db").count)
      }
    }
    state.close()
    #expect(sizes.count == 3)
    #expect(sizes[2] < sizes[0] * 2, "\(sizes)")
    #expect(try fixture.open().resumed.map { Shown($0.list) } == Shown(first))
  }

  @Test func `the log is written back before it is large`() throws {
    let fixture = try StateFixture()
    var rows = (0..<800).map { Self.row($0, phrases: 35) }
    var last = try Self.list(rows)
    let state = try fixture.begin(last)
    var largest = 0
    for step in 2..<30 {
      for index in rows.indices { rows[index] = Self.row(rows.count * step + index, phrases: 35) }
      let list = try Self.list(rows)
      state.offer(from: last, to: list, "t\(step)", seq: step)
      #expect(state.acknowledge("t\(step)"))
      last = list
      largest = max(largest, try fixture.folder.bytes(of: "state.db-wal").count)
    }
    #expect(largest < 8 << 20, "\(largest)")
    state.close()
    #expect(try fixture.open().resumed.map { Shown($0.list) } == Shown(last))
    // At most ten megabytes lead back, so the file does not grow for ever.
    let size = try fixture.folder.bytes(of: "state.db").count
    #expect(size < 40 << 20, "\(size)")
  }
}
