import PlainText
import TestSupport
import Testing

@testable import Sinks

@Suite struct TableLayoutTests {
  /// Columns named `a`, `b`, … whose widest cells are so wide; a negative number is a column of numbers.
  private func columns(_ widths: Int...) -> [TableColumn] {
    zip("abcdefgh", widths).map { name, width in
      var column = TableColumn(FieldPath(keys: [String(name)]))
      let digits = String(repeating: "1", count: abs(width))
      column.measure(width < 0 ? .number(.literal(digits)) : .string(String(repeating: "x", count: width)), limit: .max)
      return column
    }
  }

  private func widths(_ layout: TableLayout) -> [Int] { layout.cells.map(\.width) }

  @Test func `what fits stands as it is`() {
    let layout = TableLayout(columns(4, 10, -3), width: 21, indent: 0)
    #expect(widths(layout) == [4, 10, 3])
    #expect(layout.cells.map(\.start) == [0, 6, 18])
    #expect(!layout.isPartial)
  }

  @Test func `the widest give way first, and end up equally wide`() {
    #expect(widths(TableLayout(columns(4, 50, 30), width: 40, indent: 0)) == [4, 16, 16])
    #expect(widths(TableLayout(columns(4, 50, 30), width: 41, indent: 0)) == [4, 17, 16])
    #expect(widths(TableLayout(columns(4, 50, 14), width: 42, indent: 2)) == [4, 18, 14])
  }

  @Test func `numbers are never cut`() {
    #expect(widths(TableLayout(columns(60, -20), width: 40, indent: 0)) == [18, 20])
  }

  @Test func `where it is too narrow, columns go from the right, and room is left to say so`() {
    let layout = TableLayout(columns(30, 30, 30, 30), width: 40, indent: 0)
    #expect(widths(layout) == [18, 17])
    #expect(layout.isPartial)
    #expect(layout.cells.allSatisfy { $0.start + $0.limit <= 37 })
  }

  @Test func `one column takes the window, whatever it is`() {
    #expect(widths(TableLayout(columns(90), width: 20, indent: 0)) == [20])
    #expect(widths(TableLayout(columns(-90), width: 20, indent: 0)) == [20])
    #expect(widths(TableLayout(columns(-90, 3), width: 20, indent: 0)) == [17])
  }

  @Test func `without a window nothing is cut, and one long cell does not widen its column for all`() {
    let layout = TableLayout(columns(4, 500, 3), width: nil, indent: 0)
    #expect(widths(layout) == [4, TableLayout.widestAligned, 3])
    #expect(layout.cells.allSatisfy { $0.limit == .max })
  }

  @Test func `no line is wider than its window`() {
    for seed in Randomness.seeds(1_000) {
      var random = SeededGenerator(seed: seed)
      let columns = (0..<1 + random.below(12)).map { index in
        var column = TableColumn(FieldPath(keys: ["f\(index)"]))
        column.measure(
          random.below(3) == 0 ? .int(random.below(1_000_000)) : .string(String(repeating: "x", count: random.below(60))), limit: .max)
        return column
      }
      let width = TextOptions.leastWidth + random.below(200)
      let indent = random.below(2) * 2
      let layout = TableLayout(columns, width: width, indent: indent)
      #expect(!layout.cells.isEmpty, "\(seedNote(seed))")
      #expect(layout.cells.allSatisfy { $0.start + $0.width <= width && $0.width > 0 && $0.limit == $0.width }, "\(seedNote(seed))")
      #expect(
        zip(layout.cells, layout.cells.dropFirst()).allSatisfy { $0.start + $0.width + TableLayout.gap == $1.start }, "\(seedNote(seed))")
      #expect(layout.isPartial == (layout.cells.count < columns.count), "\(seedNote(seed))")
    }
  }
}
