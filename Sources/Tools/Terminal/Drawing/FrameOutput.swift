import Files

/// The bytes of a frame, with the state of the terminal after them.
struct FrameOutput {
  private(set) var bytes: [UInt8] = []
  private(set) var position: CellPosition?
  private(set) var attributes = Attributes.plain
  /// The row of the cursor; nil if it is not known. After a character whose width is not certain,
  /// the row is known and the column is not.
  private var row: Int?
  /// True if the cursor was moved to its place and nothing was written since.
  private var isExplicit = false
  private let top: Int
  private let columns: Int
  private let setsColumns: Bool

  init(top: Int, columns: Int, setsColumns: Bool) {
    self.top = top
    self.columns = columns
    self.setsColumns = setsColumns
  }

  mutating func move(to target: CellPosition) {
    if position == target { return }
    guard let here = position, here.row == target.row, here.column < target.column else {
      return moveExplicitly(to: target)
    }
    append(parameter: target.column - here.column, "C")
    position = target
    isExplicit = false
  }

  /// Moves the cursor to a place by its column or its position, unless it was just moved there.
  mutating func moveExplicitly(to target: CellPosition) {
    if position == target, isExplicit { return }
    if row == target.row, setsColumns {
      append(parameter: target.column + 1, "G")
    } else if target.column == 0 {
      append(parameter: top + target.row + 1, "H")
    } else {
      append(parameters: [top + target.row + 1, target.column + 1], "H")
    }
    position = target
    row = target.row
    isExplicit = true
  }

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
      return forgetPlace()
    }
    position = CellPosition(row: here.row, column: here.column + width)
  }

  /// Writes a text after which the column of the cursor is unknown.
  mutating func writeDoubtful(_ scalars: String.UnicodeScalarView) {
    for scalar in scalars { append(scalar) }
    let isWithinRow = position.map { $0.column + DisplayWidth.maxColumns(of: scalars) < columns } ?? false
    if !isWithinRow { row = nil }
    position = nil
    isExplicit = false
  }

  /// Moves rows. Those that come free get the background of the plain style.
  ///
  /// - Parameter usesMargins: True to move no other rows. False takes fewer bytes, but moves the
  ///   rows below for a moment.
  mutating func move(_ shift: RowShift, usesMargins: Bool) {
    set(.plain)
    // Deleted and inserted lines, unlike scrolled ones, never get into a terminal's history.
    let count = Int(min(shift.distance.magnitude, UInt(shift.rows.count)))
    let first = shift.rows.lowerBound
    let last = shift.rows.upperBound - count
    if usesMargins {
      append(parameters: [top + shift.rows.lowerBound + 1, top + shift.rows.upperBound], "r")
      // Setting the margins has moved the cursor.
      forgetPlace()
      changeLines(at: first, count, shift.distance < 0 ? "M" : "L")
      append(parameters: [], "r")
      forgetPlace()
    } else {
      // Deletes first: an insertion pushes the last row of the terminal out.
      changeLines(at: shift.distance < 0 ? first : last, count, "M")
      changeLines(at: shift.distance < 0 ? last : first, count, "L")
    }
  }

  /// Deletes or inserts lines. The cursor stays at the start of its row.
  private mutating func changeLines(at row: Int, _ count: Int, _ end: Unicode.Scalar) {
    move(to: CellPosition(row: row, column: 0))
    append(parameter: count, end)
  }

  private mutating func forgetPlace() {
    position = nil
    row = nil
    isExplicit = false
  }

  /// Makes the rest of the row blank. The cursor stays.
  mutating func eraseRest() {
    append(parameters: [], "K")
  }

  /// Makes `count` cells blank. The cursor stays.
  mutating func erase(_ count: Int) {
    append(parameter: count, "X")
  }

  /// Appends a control sequence with one number, which is 1 if it is left out.
  private mutating func append(parameter: Int, _ end: Unicode.Scalar) {
    append(parameters: parameter == 1 ? [] : [parameter], end)
  }

  private mutating func append(parameters: [Int], _ end: Unicode.Scalar) {
    bytes.append(contentsOf: [0x1B, 0x5B])
    bytes.append(contentsOf: parameters.map(String.init).joined(separator: ";").utf8)
    append(end)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    } else if let encoded = UTF8.encode(scalar) {
      bytes.append(contentsOf: encoded)
    }
  }
}
