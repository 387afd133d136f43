import Files
import Store
import Terminal
import TestSupport
import Testing
import Values

@testable import Browse

/// Random files, problems, windows and scrolls.
@Suite struct DetailPaneFuzzTests {
  private func document(_ generator: inout SeededGenerator) -> ItemDocument {
    let pieces = [
      "---", "a: |", "  b", "- \"x", "```", "# t", "{", "}", "\t", "key: value value value value", "日本語: 語",
      "👩‍👩‍👧‍👦", "\r",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<generator.below(60) {
      switch generator.below(8) {
      case 0: bytes += Array(generator.hostileText().utf8)
      case 1: bytes += (0..<generator.below(9)).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
      case 2 where generator.oneIn(8): bytes += Array(repeating: UInt8(ascii: "y"), count: 20_000)
      default: bytes += Array(generator.one(of: pieces).utf8)
      }
      if !generator.oneIn(4) { bytes.append(0x0A) }
    }
    let problems = (0..<generator.below(3)).map { _ in
      Problem(
        path: "a", line: generator.one(of: [.min, -1, 0, 1, 5, 40, .max]),
        column: generator.one(of: [.min, 0, 1, 9, 300, .max]),
        message: generator.hostileText())
    }
    let format = generator.one(of: TextFormat.allCases)
    return ItemDocument(
      .item("a"), path: "a", format: format, bytes: generator.oneIn(12) ? nil : bytes, problems: problems)
  }

  @Test func `nothing in a file leaves the pane, and drawing depends on its state alone`() {
    for seed in Randomness.seeds(60) {
      var generator = SeededGenerator(seed: seed)
      var store = MemoryStore()
      store.write("a", "n: 1")
      var pane = DetailPane()
      var changes = RecentChanges()
      var area = ScreenArea(rows: 1..<9, columns: 2..<40)
      pane.view.fitBelowTitle(area)
      var list = store.snapshot(FetchRequest())
      for _ in 0..<40 {
        switch generator.below(6) {
        case 0:
          area = ScreenArea(rows: 1..<1 + generator.below(12), columns: 2..<2 + generator.below(70))
          pane.view.fitBelowTitle(area)
        case 1: _ = pane.show(document(&generator))
        case 2:
          store.write("a.yaml", "n: \(generator.below(9))\nb: |\n  x\n  \(generator.below(9))\n")
          let new = store.snapshot(FetchRequest())
          changes.record(ListUpdate<Item>(from: list, to: new, touched: nil, origin: .files))
          list = new
          _ = pane.follow(.item("a"), in: list, changes)
        case 3:
          pane.view.scroll(
            generator.one(of: [.rows(.max), .rows(.min), .pages(-1), .pages(1), .halves(-1), .start, .end]))
        case 4: pane.view.scroll(.rows(generator.below(7) - 3))
        default: pane.view.scroll(wheel: .mouse(.wheelDown, CellPosition(row: 1, column: 2), []))
        }
        var canvas = Canvas(ScreenSize(columns: 75, rows: 14))
        pane.draw(into: &canvas, area: area)
        var again = Canvas(canvas.size)
        pane.draw(into: &again, area: area)
        #expect(again == canvas, "\(seedNote(seed))")
        let blank = Canvas(canvas.size)
        for (index, cell) in canvas.cells.enumerated() where cell != blank.cells[index] {
          let (row, column) = index.quotientAndRemainder(dividingBy: canvas.size.columns)
          #expect(area.rows.contains(row), "\(seedNote(seed))")
          #expect(area.columns.contains(column), "\(seedNote(seed))")
        }
      }
    }
  }
}
