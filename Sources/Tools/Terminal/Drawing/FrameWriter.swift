/// Turns the difference of two canvases into the bytes that change one into the other on a
/// terminal.
///
/// Only changed cells are written. What follows a character that some terminals draw in another
/// number of columns than `DisplayWidth` says is written after an explicit position; so is the
/// character itself, if it could join the one before it. The cells that it can have covered by
/// mistake are written again. So a wrong width never moves another character. The terminal must not
/// wrap lines (mode 7 is reset while the screen is up).
///
/// Where rows moved up or down, the terminal moves them if that takes fewer bytes than drawing. A row
/// that it moves is as right as it was: a character of a wrong width moves within its own cells.
///
/// A frame begins and ends in the plain style.
public struct FrameWriter: Sendable {
  /// The colours.
  public var palette: Palette { didSet { attributes = Self.attributes(of: palette) } }
  /// True if the terminal shows a frame at once between the marks of mode 2026. Without it, the
  /// cursor is hidden while a frame is drawn.
  public var synchronizesFrames: Bool
  /// The row of the terminal in which the canvas begins.
  public var top: Int
  /// True if the terminal can move rows (IL, DL and DECSTBM). A VT100 cannot.
  public var movesRows = true
  /// True if the terminal can move the cursor to a column of its row (CHA). A VT220 cannot.
  public var setsColumns = true
  /// The attributes of each style, by ink and paper.
  private var attributes: [Attributes]

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - palette: The colours.
  ///   - synchronizesFrames: True if the terminal knows mode 2026.
  ///   - top: The row of the terminal in which the canvas begins.
  public init(palette: Palette, synchronizesFrames: Bool = false, top: Int = 0) {
    (self.palette, self.synchronizesFrames, self.top) = (palette, synchronizesFrames, max(top, 0))
    attributes = Self.attributes(of: palette)
  }

  /// Creates a writer for a type of terminal, as `TERM` names it.
  init(palette: Palette, terminal: String) {
    self.init(palette: palette)
    movesRows = !["vt52", "vt100", "vt101", "ansi"].contains { terminal.hasPrefix($0) }
    setsColumns = !terminal.hasPrefix("vt")
  }

  /// Returns the bytes that draw `new` where `old` is; none if they are equal.
  ///
  /// - Parameters:
  ///   - old: The canvas that is on the terminal, drawn with the same palette; nil if what the
  ///     screen shows is unknown. With another size, it counts as unknown.
  ///   - new: The canvas to draw.
  public func bytes(from old: Canvas?, to new: Canvas) -> [UInt8] {
    let known = old?.size == new.size ? old : nil
    var output = FrameOutput(top: top, columns: new.size.columns, setsColumns: setsColumns)
    if let known, movesRows { output = moving(known, to: new) } else { draw(known, new, &output) }
    if output.bytes.isEmpty {
      if known?.cursor != new.cursor { output.move(to: clamped(new.cursor, new.size)) }
      return output.bytes
    }
    let (begin, end) =
      synchronizesFrames ? ("\u{1B}[?2026h", "\u{1B}[?2026l") : ("\u{1B}[?25l", "\u{1B}[?25h")
    return Array(begin.utf8) + output.bytes + Array(end.utf8)
  }

  /// The smallest frame for which a search for moved rows may be worth its time.
  private static let minSearched = 64
  /// The most blocks of rows that one frame moves.
  private static let maxShifts = 4

  /// Draws with the fewest bytes: as it is, or after blocks of rows were moved.
  private func moving(_ old: Canvas, to new: Canvas) -> FrameOutput {
    var before = FrameOutput(top: top, columns: new.size.columns, setsColumns: setsColumns)
    var best = before
    draw(old, new, &best)
    var shown = old
    for _ in 0..<Self.maxShifts where best.bytes.count - before.bytes.count >= Self.minSearched {
      guard let shift = RowShift.find(from: shown, to: new) else { break }
      // A terminal that shows each step must not show how the rows below move.
      before.move(shift, usesMargins: !synchronizesFrames)
      shown.move(shift.rows, by: shift.distance)
      var output = before
      draw(shown, new, &output)
      if output.bytes.count >= best.bytes.count { break }
      best = output
    }
    return best
  }

  /// Draws what changed, if anything did, and moves the cursor to its place.
  private func draw(_ old: Canvas?, _ new: Canvas, _ output: inout FrameOutput) {
    let rows = RowWriter(
      old: old?.cells ?? [], new: new.cells, columns: new.size.columns, attributes: attributes)
    // Begins where the cursor is, after rows were moved.
    let first = min(output.position?.row ?? 0, new.size.rows)
    for row in first..<new.size.rows { rows.draw(row, &output) }
    for row in 0..<first { rows.draw(row, &output) }
    if output.bytes.isEmpty { return }
    output.set(.plain)
    output.move(to: clamped(new.cursor, new.size))
  }

  private func clamped(_ position: CellPosition, _ size: ScreenSize) -> CellPosition {
    CellPosition(
      row: max(min(position.row, size.rows - 1), 0), column: max(min(position.column, size.columns - 1), 0))
  }

  private static func attributes(of palette: Palette) -> [Attributes] {
    Style.Ink.allCases.flatMap { ink in
      Style.Paper.allCases.map { palette.attributes(for: Style(ink, on: $0)) }
    }
  }
}
