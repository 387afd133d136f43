import Files

/// Turns the difference of two canvases into the bytes that change one into the other on a terminal.
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
package struct FrameWriter: Sendable {
  package var palette: Palette { didSet { attributes = Self.attributes(of: palette) } }
  /// True if the terminal shows a frame at once between the marks of mode 2026. Without it, the
  /// cursor is hidden while a frame is drawn.
  package var synchronizesFrames: Bool
  /// The row of the terminal in which the canvas begins.
  package var top: Int
  /// True if the terminal can move rows (IL, DL and DECSTBM). A VT100 cannot.
  var movesRows = true
  /// True if the terminal can move the cursor to a column of its row (CHA). A VT220 cannot.
  var setsColumns = true
  private var attributes: [Attributes]

  package init(palette: Palette, synchronizesFrames: Bool = false, top: Int = 0) {
    self.palette = palette
    self.synchronizesFrames = synchronizesFrames
    self.top = max(top, 0)
    attributes = Self.attributes(of: palette)
  }

  init(palette: Palette, terminal: String) {
    self.init(palette: palette)
    movesRows = !["vt52", "vt100", "vt101", "ansi"].contains { terminal.hasPrefix($0) }
    setsColumns = !terminal.hasPrefix("vt")
  }

  /// Returns the bytes that draw `new` where `old` is; none if they are equal.
  ///
  /// - Parameter old: The canvas that is on the terminal, drawn with the same palette; nil if what
  ///   the screen shows is unknown. With another size, it counts as unknown.
  package func bytes(from old: Canvas?, to new: Canvas) -> [UInt8] {
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

private struct RowWriter {
  let old: [Canvas.Cell]
  let new: [Canvas.Cell]
  let columns: Int
  let attributes: [Attributes]

  /// The longest run of unchanged cells to write again: moving the cursor instead takes four bytes.
  private static let maxGap = 4
  /// The shortest run of blank cells that takes fewer bytes to erase and pass over than to write.
  private static let minErased = 11

  func draw(_ row: Int, _ output: inout FrameOutput) {
    let start = row * columns
    let cells = new[start..<start + columns]
    guard !old.isEmpty else {
      output.set(.plain)
      output.move(to: CellPosition(row: row, column: 0))
      output.eraseRest()
      var state = RowState(old: Array(repeating: .blank, count: columns), new: Array(cells))
      return draw(row, &state, &output)
    }
    if old[start..<start + columns] == cells { return }
    var state = RowState(old: Array(old[start..<start + columns]), new: Array(cells))
    draw(row, &state, &output)
  }

  private func draw(_ row: Int, _ state: inout RowState, _ output: inout FrameOutput) {
    var column = 0
    while column < columns {
      let end = state.end(of: column)
      if !state.isStale(column..<end) {
        column = end
      } else if state.new[column] == .blank {
        column = drawBlank(row, column, &state, &output)
      } else {
        drawText(row, column..<end, &state, &output)
        column = end
      }
    }
  }

  private func drawBlank(_ row: Int, _ column: Int, _ state: inout RowState, _ output: inout FrameOutput)
    -> Int
  {
    let end = state.new[column...].firstIndex { $0 != .blank } ?? columns
    var last = column
    for other in column..<end where state.isStale(other..<other + 1) { last = other }
    let count = last + 1 - column
    reach(row, column, attributes(.blank), state, &output)
    if end == columns, count > 3 {
      output.eraseRest()
    } else if count >= Self.minErased {
      output.erase(count)
    } else {
      for _ in 0..<count { output.write(" ", columns: 1) }
    }
    return end
  }

  private func drawText(_ row: Int, _ place: Range<Int>, _ state: inout RowState, _ output: inout FrameOutput)
  {
    let cell = state.new[place.lowerBound]
    let style = attributes(cell)
    if let scalar = cell.onlyScalar, DisplayWidth.isCertain(scalar) {
      reach(row, place.lowerBound, style, state, &output)
      return output.write(scalar, columns: place.count)
    }
    let scalars = cell.scalars
    let position = CellPosition(row: row, column: place.lowerBound)
    if !Self.standsAlone(scalars) { output.moveExplicitly(to: position) }
    reach(row, place.lowerBound, style, state, &output)
    if place.dropFirst().contains(where: {
      $0 < state.stale || !state.old[$0].isSpace || attributes(state.old[$0]) != style
    }) {
      // A terminal that draws the character narrower would keep what was beside it.
      for _ in place { output.write(" ", columns: 1) }
      output.moveExplicitly(to: position)
    }
    output.writeDoubtful(scalars)
    state.stale = max(state.stale, place.lowerBound + DisplayWidth.maxColumns(of: scalars))
  }

  /// Returns true if a character is a symbol that no terminal joins to the character before it.
  private static func standsAlone(_ scalars: String.UnicodeScalarView) -> Bool {
    guard let scalar = scalars.first, scalars.count == 1 else { return false }
    return symbols.contains { $0.contains(scalar.value) }
  }

  /// Signs of Latin scripts, punctuation, arrows, mathematical and technical signs, lines and boxes.
  private static let symbols: [ClosedRange<UInt32>] = [
    0xA1...0xAC, 0xAE...0xBF, 0x2010...0x2027, 0x2030...0x205E, 0x2190...0x25FF,
  ]

  /// Moves the cursor to a column and sets the attributes for what is written there. Writes the
  /// unchanged cells before it if that takes fewer bytes.
  private func reach(
    _ row: Int, _ column: Int, _ style: Attributes, _ state: RowState, _ output: inout FrameOutput
  ) {
    defer { output.set(style) }
    // The first column has the shortest position.
    if output.position?.row != row, column == 1,
      let style = commonStyle(of: state.new[..<1], style, output.attributes)
    {
      output.move(to: CellPosition(row: row, column: 0))
      return write(state.new[..<1], style, &output)
    }
    if let here = output.position, here.row == row, here.column < column, column - here.column <= Self.maxGap,
      let style = commonStyle(of: state.new[here.column..<column], style, output.attributes)
    {
      return write(state.new[here.column..<column], style, &output)
    }
    output.move(to: CellPosition(row: row, column: column))
  }

  /// Returns the attributes that all cells have, if they are one of two and the texts are ASCII.
  private func commonStyle(of cells: ArraySlice<Canvas.Cell>, _ style: Attributes, _ other: Attributes)
    -> Attributes?
  {
    guard cells.allSatisfy({ $0.onlyScalar.map(\.isASCII) ?? false }) else { return nil }
    return [other, style].first { candidate in cells.allSatisfy { attributes($0) == candidate } }
  }

  private func write(_ cells: ArraySlice<Canvas.Cell>, _ style: Attributes, _ output: inout FrameOutput) {
    output.set(style)
    for cell in cells { if let scalar = cell.onlyScalar { output.write(scalar, columns: 1) } }
  }

  private func attributes(_ cell: Canvas.Cell) -> Attributes {
    attributes[Int(cell.style.ink.rawValue) * Style.Paper.allCases.count + Int(cell.style.paper.rawValue)]
  }
}

private struct RowState {
  let old: [Canvas.Cell]
  let new: [Canvas.Cell]
  /// The column up to which a character can have covered cells by mistake.
  var stale = 0

  func end(of column: Int) -> Int {
    var end = column + 1
    while end < new.count, new[end].isContinuation { end += 1 }
    return end
  }

  /// Returns true if the terminal may show something else in these cells.
  func isStale(_ place: Range<Int>) -> Bool {
    place.lowerBound < stale || place.contains { old[$0] != new[$0] }
  }
}
