import Files
import TestSupport
import Testing

@testable import Terminal

/// Draws random canvases with hostile texts on terminals that measure characters in different ways.
@Suite struct DrawingFuzzTests {
  @Test(arguments: ModelTerminal.Widths.allCases)
  func `a terminal shows the canvas after each frame, whatever widths it knows`(widths: ModelTerminal.Widths)
  {
    for seed in Randomness.seeds(150) {
      var random = SeededGenerator(seed: seed)
      let size = random.screenSize(columns: 40, rows: random.oneIn(4) ? 16 : 6)
      let palette = Palette(
        random.one(of: Palette.Depth.allCases), isLight: random.one(of: [nil, true, false]))
      let writer = FrameWriter(palette: palette, synchronizesFrames: random.oneIn(2), top: random.below(3))
      var terminal = ModelTerminal(
        ScreenSize(columns: max(size.columns, 1), rows: size.rows + 3), widths: widths)
      terminal.receive(Array("\u{1B}[?7l".utf8))
      var painted: Canvas?
      var canvas = Canvas(size)
      for _ in 0..<6 {
        if random.oneIn(8) { canvas = Canvas(size) }
        random.change(&canvas)
        terminal.receive(writer.bytes(from: random.oneIn(8) ? nil : painted, to: canvas))
        painted = canvas
        if size.columns == 0 || size.rows == 0 { continue }
        #expect(
          terminal.differences(from: canvas, palette: palette, top: writer.top) == [], "\(seedNote(seed))")
      }
      #expect(terminal.offenders == [], "\(seedNote(seed))")
    }
  }

  @Test func `drawing what changed shows the same as drawing everything`() {
    for seed in Randomness.seeds(150) {
      var random = SeededGenerator(seed: seed)
      let size = ScreenSize(columns: 1 + random.below(60), rows: 1 + random.below(9))
      let writer = FrameWriter(palette: Palette(.indexed), synchronizesFrames: random.oneIn(2))
      var terminal = ModelTerminal(size)
      var painted: Canvas?
      var canvas = Canvas(size)
      for _ in 0..<5 {
        random.change(&canvas)
        terminal.receive(writer.bytes(from: painted, to: canvas))
        painted = canvas
        var fresh = ModelTerminal(size)
        fresh.receive(writer.bytes(from: nil, to: canvas))
        #expect(terminal.cells == fresh.cells, "\(seedNote(seed))")
        #expect(terminal.cursor == fresh.cursor, "\(seedNote(seed))")
      }
    }
  }

  @Test(.enabled(if: LibVTerm.isInstalled, "libvterm is not installed"))
  func `libvterm shows the certain characters of each frame in their cells`() throws {
    for seed in Randomness.seeds(100) {
      var random = SeededGenerator(seed: seed)
      let size = ScreenSize(columns: 1 + random.below(60), rows: 1 + random.below(9))
      let writer = FrameWriter(palette: Palette(.sixteen), synchronizesFrames: random.oneIn(2))
      let terminal = try #require(LibVTerm(size))
      terminal.receive(Array("\u{1B}[?7l".utf8))
      var painted: Canvas?
      var canvas = Canvas(size)
      for _ in 0..<5 {
        random.change(&canvas)
        terminal.receive(writer.bytes(from: painted, to: canvas))
        painted = canvas
        #expect(differences(of: terminal, from: canvas, writer.palette) == [], "\(seedNote(seed))")
      }
    }
  }

  private func differences(of terminal: LibVTerm, from canvas: Canvas, _ palette: Palette) -> [String] {
    var differences: [String] = []
    for (index, cell) in canvas.cells.enumerated() {
      guard let scalar = cell.onlyScalar, DisplayWidth.isCertain(scalar) else { continue }
      let (row, column) = (index / canvas.size.columns, index % canvas.size.columns)
      let shown = terminal.cell(row: row, column: column)
      let rendition = Rendition(after: palette.sequence(for: cell.style))
      let isAsDrawn =
        shown.text == cell.text
        && [shown.isBold, shown.isUnderlined, shown.isReversed] == [
          rendition.isBold, rendition.isUnderlined, rendition.isReversed,
        ]
      if !isAsDrawn {
        differences.append(
          "row \(row), column \(column): \(shown), not \(cell.text.debugDescription) \(rendition)")
      }
    }
    if terminal.cursor != canvas.cursor {
      differences.append("the cursor is at \(terminal.cursor), not \(canvas.cursor)")
    }
    return differences
  }
}
