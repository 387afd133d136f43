package import Terminal

/// Draws canvases on a model terminal, and compares what it shows with them.
package struct DrawingCheck {
  private let writer: FrameWriter
  private let widths: ModelTerminal.Widths
  private var terminal: ModelTerminal
  private var painted: Canvas?
  /// The cells that drawing a row from nothing shows, by what the canvas has there.
  private var redrawn: [[Canvas.Cell]: [ModelTerminal.Cell]] = [:]

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - palette: The colours.
  ///   - widths: How the terminal measures characters.
  package init(palette: Palette, widths: ModelTerminal.Widths = .ours) {
    writer = FrameWriter(palette: palette, synchronizesFrames: true)
    self.widths = widths
    terminal = ModelTerminal(ScreenSize(columns: 1, rows: 1))
  }

  /// Draws what differs from the last canvas, and returns what is wrong on the terminal, in words:
  /// what is not as the canvas has it, or not as drawing everything from nothing shows it.
  ///
  /// - Parameters:
  ///   - canvas: The canvas.
  ///   - again: True to draw it on a second terminal, too. Otherwise only the rows that changed are
  ///     drawn from nothing, each by itself and only once.
  package mutating func show(_ canvas: Canvas, again: Bool) -> [String] {
    let known = painted?.size == canvas.size ? painted : nil
    painted = canvas
    let bytes = writer.bytes(from: known, to: canvas)
    if canvas.cells.isEmpty { return OutputGrammar.offenders(in: bytes) }
    if known == nil {
      terminal = makeTerminal(canvas.size)
      redrawn = [:]
    }
    terminal.touchedRows = []
    terminal.receive(bytes)
    var rows = terminal.touchedRows
    for row in 0..<canvas.size.rows where known?[row: row] != canvas[row: row] { rows.insert(row) }
    var mistakes = terminal.offenders
    // With other widths, what is left of a character in its own cells depends on what was there.
    if widths == .ours { rows = rows.filter { !isAsRedrawn($0, canvas, &mistakes) } }
    mistakes += terminal.differences(from: canvas, palette: writer.palette, rows: rows)
    if again { checkRedrawn(canvas, &mistakes) }
    return mistakes
  }

  /// Returns true if a row of the terminal is what drawing it from nothing shows.
  private mutating func isAsRedrawn(_ row: Int, _ canvas: Canvas, _ mistakes: inout [String]) -> Bool {
    let cells = Array(canvas[row: row])
    let shown = terminal.cells[row * canvas.size.columns..<(row + 1) * canvas.size.columns]
    if let drawn = redrawn[cells] { return drawn[...] == shown }
    let alone = canvas.onlyRow(row)
    var fresh = makeTerminal(alone.size)
    fresh.receive(writer.bytes(from: nil, to: alone))
    mistakes += fresh.offenders + fresh.differences(from: alone, palette: writer.palette)
    redrawn[cells] = fresh.cells
    return fresh.cells[...] == shown
  }

  private func checkRedrawn(_ canvas: Canvas, _ mistakes: inout [String]) {
    var fresh = makeTerminal(canvas.size)
    fresh.receive(writer.bytes(from: nil, to: canvas))
    mistakes += fresh.offenders + fresh.differences(from: canvas, palette: writer.palette)
    if widths == .ours, fresh.cells != terminal.cells {
      mistakes.append("drawing what changed shows something else than drawing everything")
    }
  }

  private func makeTerminal(_ size: ScreenSize) -> ModelTerminal {
    var terminal = ModelTerminal(size, widths: widths)
    terminal.receive(Array("\u{1B}[?7l".utf8))
    return terminal
  }
}
