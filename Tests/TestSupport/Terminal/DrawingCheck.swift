package import TerminalDevice

/// Draws canvases on a model terminal, and compares what it shows with them.
package struct DrawingCheck {
  private let writer: FrameWriter
  private let widths: ModelTerminal.Widths
  private var terminal: ModelTerminal
  private var painted: Canvas?

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

  /// Draws what differs from the last canvas, and returns what is wrong on the terminal, in words.
  ///
  /// - Parameters:
  ///   - canvas: The canvas.
  ///   - again: True to draw it on a second terminal from nothing too, which must show the same.
  package mutating func show(_ canvas: Canvas, again: Bool) -> [String] {
    let known = painted?.size == canvas.size ? painted : nil
    painted = canvas
    let bytes = writer.bytes(from: known, to: canvas)
    if canvas.cells.isEmpty { return OutputGrammar.offenders(in: bytes) }
    if known == nil { terminal = makeTerminal(canvas.size) }
    terminal.touchedRows = []
    terminal.receive(bytes)
    var rows = terminal.touchedRows
    for row in 0..<canvas.size.rows where known?[row: row] != canvas[row: row] { rows.insert(row) }
    var mistakes = terminal.offenders + terminal.differences(from: canvas, palette: writer.palette, rows: rows)
    if again {
      var fresh = makeTerminal(canvas.size)
      fresh.receive(writer.bytes(from: nil, to: canvas))
      mistakes += fresh.offenders + fresh.differences(from: canvas, palette: writer.palette)
      if widths == .ours, fresh.cells != terminal.cells {
        mistakes.append("drawing what changed shows something else than drawing everything")
      }
    }
    return mistakes
  }

  private func makeTerminal(_ size: ScreenSize) -> ModelTerminal {
    var terminal = ModelTerminal(size, widths: widths)
    terminal.receive(Array("\u{1B}[?7l".utf8))
    return terminal
  }
}
