/// Turns the difference of two canvases into the bytes that change one into the other on a
/// terminal.
///
/// Only changed cells are written. A character that some terminals draw in another number of
/// columns than `DisplayWidth` says is written after an explicit position, and so is what follows
/// it. The cells that it can have covered by mistake are written again. So a wrong width never
/// moves another character. The terminal must not wrap lines (mode 7 is reset while the screen is
/// up).
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
  /// True if the terminal can move rows (DECSTBM, IL and DL). A VT100 cannot.
  public var movesRows = true
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

  /// Returns the bytes that draw `new` where `old` is; none if they are equal.
  ///
  /// - Parameters:
  ///   - old: The canvas that is on the terminal, drawn with the same palette; nil if it is not
  ///     known what is there. With another size, it counts as unknown.
  ///   - new: The canvas to draw.
  public func bytes(from old: Canvas?, to new: Canvas) -> [UInt8] {
    let known = old?.size == new.size ? old : nil
    var output = FrameOutput(top: top, columns: new.size.columns)
    if let known, movesRows { output = moving(known, to: new) } else { draw(known, new, &output) }
    let isDrawn = !output.bytes.isEmpty
    if !isDrawn, known?.cursor == new.cursor { return [] }
    output.set(.plain)
    output.move(to: clamped(new.cursor, new.size))
    guard isDrawn else { return output.bytes }
    let (begin, end) = synchronizesFrames ? ("\u{1B}[?2026h", "\u{1B}[?2026l") : ("\u{1B}[?25l", "\u{1B}[?25h")
    return Array(begin.utf8) + output.bytes + Array(end.utf8)
  }

  /// The smallest frame for which a search for moved rows may be worth its time.
  private static let minSearched = 64
  /// The most blocks of rows that one frame moves.
  private static let maxShifts = 4

  /// Draws with the fewest bytes: as it is, or after blocks of rows were moved.
  private func moving(_ old: Canvas, to new: Canvas) -> FrameOutput {
    var before = FrameOutput(top: top, columns: new.size.columns)
    var best = before
    draw(old, new, &best)
    var shown = old
    for _ in 0..<Self.maxShifts where best.bytes.count - before.bytes.count >= Self.minSearched {
      guard let shift = RowShift.find(from: shown, to: new) else { break }
      before.move(shift)
      shown.move(shift.rows, by: shift.distance)
      var output = before
      draw(shown, new, &output)
      if output.bytes.count >= best.bytes.count { break }
      best = output
    }
    return best
  }

  private func draw(_ old: Canvas?, _ new: Canvas, _ output: inout FrameOutput) {
    let rows = RowWriter(old: old?.cells ?? [], new: new.cells, columns: new.size.columns, attributes: attributes)
    for row in 0..<new.size.rows { rows.draw(row, &output) }
  }

  private func clamped(_ position: CellPosition, _ size: ScreenSize) -> CellPosition {
    CellPosition(row: max(min(position.row, size.rows - 1), 0), column: max(min(position.column, size.columns - 1), 0))
  }

  private static func attributes(of palette: Palette) -> [Attributes] {
    Style.Ink.allCases.flatMap { ink in Style.Paper.allCases.map { palette.attributes(for: Style(ink, on: $0)) } }
  }
}

/// The bytes of a frame, with the state of the terminal after them.
struct FrameOutput {
  private(set) var bytes: [UInt8] = []
  /// The place of the cursor; nil if it is not known.
  private(set) var position: CellPosition?
  /// True if the cursor was moved to its place and nothing was written since.
  private(set) var isExplicit = false
  private(set) var attributes = Attributes.plain
  private let top: Int
  private let columns: Int

  init(top: Int, columns: Int) {
    (self.top, self.columns) = (top, columns)
  }

  /// Moves the cursor, unless it is there.
  mutating func move(to target: CellPosition) {
    if position == target { return }
    moveExplicitly(to: target)
  }

  /// Moves the cursor, unless it was just moved there.
  mutating func moveExplicitly(to target: CellPosition) {
    if position == target, isExplicit { return }
    bytes.append(contentsOf: [0x1B, 0x5B])
    bytes.append(contentsOf: String(top + target.row + 1).utf8)
    if target.column > 0 {
      bytes.append(UInt8(ascii: ";"))
      bytes.append(contentsOf: String(target.column + 1).utf8)
    }
    bytes.append(UInt8(ascii: "H"))
    (position, isExplicit) = (target, true)
  }

  /// Changes the attributes.
  mutating func set(_ target: Attributes) {
    attributes.appendChange(to: target, &bytes)
    attributes = target
  }

  /// Writes a text of which all terminals know the width.
  mutating func write(_ scalar: Unicode.Scalar, columns width: Int) {
    append(scalar)
    isExplicit = false
    guard let here = position, here.column + width < columns else {
      // After the last column, terminals differ in where the cursor is.
      position = nil
      return
    }
    position = CellPosition(row: here.row, column: here.column + width)
  }

  /// Writes a text after which the place of the cursor is unknown.
  mutating func writeDoubtful(_ scalars: String.UnicodeScalarView) {
    for scalar in scalars { append(scalar) }
    (position, isExplicit) = (nil, false)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    } else if let encoded = UTF8.encode(scalar) {
      bytes.append(contentsOf: encoded)
    }
  }

  /// Moves rows. Those that come free get the background of the plain style.
  mutating func move(_ shift: RowShift) {
    set(.plain)
    append(parameters: [top + shift.rows.lowerBound + 1, top + shift.rows.upperBound], "r")
    // Setting the margins has moved the cursor.
    position = nil
    move(to: CellPosition(row: shift.rows.lowerBound, column: 0))
    // Deleted and inserted lines, unlike scrolled ones, never get into a terminal's history.
    let count = Int(min(shift.distance.magnitude, UInt(shift.rows.count)))
    append(parameters: count == 1 ? [] : [count], shift.distance < 0 ? "M" : "L")
    append(parameters: [], "r")
    (position, isExplicit) = (nil, false)
  }

  private mutating func append(parameters: [Int], _ end: Unicode.Scalar) {
    bytes.append(contentsOf: [0x1B, 0x5B])
    bytes.append(contentsOf: parameters.map(String.init).joined(separator: ";").utf8)
    append(end)
  }

  /// Makes the rest of the row blank. The cursor stays.
  mutating func eraseRest() {
    bytes.append(contentsOf: [0x1B, 0x5B, UInt8(ascii: "K")])
  }

  /// Makes `count` cells blank. The cursor stays.
  mutating func erase(_ count: Int) {
    bytes.append(contentsOf: [0x1B, 0x5B])
    bytes.append(contentsOf: String(count).utf8)
    bytes.append(UInt8(ascii: "X"))
  }
}
