import SampleLists
import TestSupport
import Testing
import Values

@testable import Printing

@Suite struct TableLayoutTests {
  /// Makes columns named `a`, `b`, … with the given widths. A negative width makes a column of
  /// numbers.
  private func columns(_ widths: Int...) -> [TableColumn] {
    zip("abcdefgh", widths).map { name, width in
      var column = TableColumn(FieldPath(keys: [String(name)]))
      let digits = String(repeating: "1", count: abs(width))
      column.measure(
        width < 0 ? .number(.literal(digits)) : .string(String(repeating: "x", count: width)), limit: .max)
      return column
    }
  }

  private func widths(_ layout: TableLayout) -> [Int] { layout.cells.map(\.width) }

  @Test func `columns that fit are not cut`() {
    let layout = TableLayout(columns(4, 10, -3), width: 21, indent: 0)
    #expect(widths(layout) == [4, 10, 3])
    #expect(layout.cells.map(\.start) == [0, 6, 18])
    #expect(!layout.isPartial)
  }

  @Test func `the widest columns are cut first and end up equally wide`() {
    #expect(widths(TableLayout(columns(4, 50, 30), width: 40, indent: 0)) == [4, 16, 16])
    #expect(widths(TableLayout(columns(4, 50, 30), width: 41, indent: 0)) == [4, 17, 16])
    #expect(widths(TableLayout(columns(4, 50, 14), width: 42, indent: 2)) == [4, 18, 14])
  }

  @Test func `numbers are never cut`() {
    #expect(widths(TableLayout(columns(60, -20), width: 40, indent: 0)) == [18, 20])
  }

  @Test func `columns that do not fit are dropped from the right, with room for the ellipsis`() {
    let layout = TableLayout(columns(30, 30, 30, 30), width: 40, indent: 0)
    #expect(widths(layout) == [18, 17])
    #expect(layout.isPartial)
    #expect(layout.cells.map { $0.start + $0.limit }.filter { $0 > 37 } == [])
  }

  private func chosen(_ rooms: (TableColumn.Room, Int)...) -> [TableColumn] {
    zip("abcdefgh", rooms).map { name, room in
      var column = TableColumn(FieldPath(keys: [String(name)]), room.0)
      column.measure(.string(String(repeating: "x", count: room.1)), limit: .max)
      return column
    }
  }

  private func names(_ layout: TableLayout) -> String { layout.cells.map(\.column.title).joined() }

  @Test func `a chosen column that does not fit leaves its place to a later one`() {
    let columns = chosen((.readable, 18), (.readable, 40), (.readable, 8))
    #expect(names(TableLayout(columns, width: 60, indent: 0)) == "abc")
    let layout = TableLayout(columns, width: 40, indent: 0)
    #expect(names(layout) == "ac")
    #expect(layout.isPartial)
  }

  @Test func `a long text gets only the room that the others leave`() {
    let columns = chosen((.readable, 30), (.readable, 20), (.rest, 500))
    #expect(widths(TableLayout(columns, width: 80, indent: 0)) == [30, 20, 26])
    #expect(names(TableLayout(columns, width: 73, indent: 0)) == "ab")
    let short = chosen((.readable, 30), (.readable, 20), (.rest, 5))
    #expect(names(TableLayout(short, width: 40, indent: 0)) == "a")
    // With one column beside it, both are cut, so that it can be scrolled to.
    #expect(widths(TableLayout(chosen((.readable, 70), (.rest, 500)), width: 80, indent: 0)) == [39, 39])
  }

  @Test func `a single column is never wider than the window`() {
    #expect(widths(TableLayout(columns(90), width: 20, indent: 0)) == [20])
    #expect(widths(TableLayout(columns(-90), width: 20, indent: 0)) == [20])
    #expect(widths(TableLayout(columns(-90, 3), width: 20, indent: 0)) == [17])
  }

  @Test func `cells are cut at the limit without a window, and a long cell does not widen its column`() {
    let layout = TableLayout(columns(4, 500, 3), width: nil, indent: 0, limit: 200)
    #expect(widths(layout) == [4, TableLayout.maxAlignedWidth, 3])
    #expect(layout.cells.map(\.limit) == [200, 200, 200])
  }

  @Test func `no line is wider than its window`() {
    for seed in Randomness.seeds(1_000) {
      var random = SeededGenerator(seed: seed)
      let columns = (0..<1 + random.below(12)).map { index in
        let rooms: [TableColumn.Room] = [.narrow, .readable, .rest]
        var column = TableColumn(FieldPath(keys: ["f\(index)"]), rooms[random.below(3)])
        column.measure(
          random.below(3) == 0
            ? .int(random.below(1_000_000)) : .string(String(repeating: "x", count: random.below(60))),
          limit: .max)
        return column
      }
      let width = TextOptions.minWidth + random.below(200)
      let indent = random.below(2) * 2
      let layout = TableLayout(columns, width: width, indent: indent)
      #expect(!layout.cells.isEmpty, "\(seedNote(seed))")
      for cell in layout.cells {
        #expect(cell.start + cell.width <= width, "\(seedNote(seed))")
        #expect(cell.width > 0, "\(seedNote(seed))")
        #expect(cell.limit == cell.width, "\(seedNote(seed))")
      }
      #expect(
        zip(layout.cells, layout.cells.dropFirst()).allSatisfy {
          $0.start + $0.width + TableLayout.gap == $1.start
        }, "\(seedNote(seed))")
      #expect(layout.isPartial == (layout.cells.count < columns.count), "\(seedNote(seed))")
    }
  }
}
