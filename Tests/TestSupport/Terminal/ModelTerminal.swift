import Files
package import Terminal

/// A terminal in memory that knows what `OutputGrammar` allows, and nothing else. It shows how a
/// program looks on terminals that measure characters in different ways.
package struct ModelTerminal {
  /// How a terminal measures characters.
  package enum Widths: CaseIterable {
    /// As `DisplayWidth` does.
    case ours
    /// As we do, but those that are not certain are one column narrower, down to one.
    case narrower
    /// As we do, but those that are not certain are one column wider.
    case wider
    /// Each scalar by itself, as in terminals that do not know grapheme clusters.
    case perScalar
  }

  /// One cell.
  package struct Cell: Hashable {
    package var text = " "
    package var rendition = Rendition()
    /// True if the cell is covered by the wide character before it.
    package var isContinuation = false
  }

  package let size: ScreenSize
  package let widths: Widths
  package internal(set) var cells: [Cell]
  package internal(set) var cursor = CellPosition(row: 0, column: 0)
  /// The private modes that are set.
  package internal(set) var modes: Set<Int> = [7, 25]
  package internal(set) var title = ""
  package internal(set) var keyboard: [Int] = [0]
  /// The texts that were sent to the clipboard, in Base64.
  package internal(set) var clipboard: [String] = []
  /// The bytes that the terminal answered to queries, which the reader may remove.
  package var replies: [UInt8] = []
  /// The rows that were written or erased, which the reader may remove.
  package var touchedRows: Set<Int> = []
  /// What was received and is not allowed, in words.
  package internal(set) var offenders: [String] = []

  package internal(set) var rendition = Rendition()
  /// The rows that insertions and deletions move; nil for all.
  package internal(set) var margins: Range<Int>?
  /// The character that was written last, if the next scalar may belong to it.
  var last: (place: Range<Int>, row: Int, text: String)?
  /// True if the last column was written, and the next character belongs into the next row.
  var isPastEnd = false
  var titles: [String] = []
  var other: (cells: [Cell], cursor: CellPosition)?
  private var tokenizer = TerminalTokenizer()

  package init(_ size: ScreenSize, widths: Widths = .ours) {
    (self.size, self.widths) = (size, widths)
    cells = Array(repeating: Cell(), count: size.columns * size.rows)
  }

  /// True if the main screen is covered by the other one.
  package var isAlternate: Bool { other != nil }

  /// The texts of the rows, without the spaces at their ends.
  package var lines: [String] {
    (0..<size.rows).map { row in
      let text = cells[row * size.columns..<(row + 1) * size.columns].reduce(into: "") { $0 += $1.text }
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Takes output, cut anywhere.
  package mutating func receive(_ output: [UInt8]) {
    for byte in output {
      guard let token = tokenizer.next(byte) else { continue }
      if let offense = OutputGrammar.offense(of: token) { offenders.append(offense) }
      receive(token)
    }
  }

  private mutating func receive(_ token: TerminalToken) {
    switch token {
    case .text(let scalar): return write(scalar)
    case .sequence(let sequence): receive(sequence)
    case .command(let text): receive(command: text)
    case .control(0x0A): lineFeed()
    case .control(0x0D): (cursor.column, isPastEnd) = (0, false)
    default: break
    }
    last = nil
  }

  private mutating func receive(_ sequence: ControlSequence) {
    let row = cursor.row * size.columns
    switch sequence.kind {
    case "H":
      let (line, column) = (sequence.parameter(0), sequence.parameter(1))
      cursor = CellPosition(row: min(line, size.rows) - 1, column: min(column, size.columns) - 1)
      isPastEnd = false
    case "C":
      (cursor.column, isPastEnd) = (min(cursor.column + sequence.parameter(0), size.columns - 1), false)
    case "G": (cursor.column, isPastEnd) = (min(sequence.parameter(0), size.columns) - 1, false)
    case "m": rendition.apply(sequence.parameters)
    case "K": erase(row + cursor.column..<row + size.columns)
    case "J": erase(sequence.parameters == [2] ? 0..<cells.count : row + cursor.column..<cells.count)
    case "X": erase(row + cursor.column..<row + min(cursor.column + sequence.parameter(0), size.columns))
    case "r": setMargins(sequence.parameters)
    case "L": moveRows(by: sequence.parameter(0))
    case "M": moveRows(by: -sequence.parameter(0))
    case "n" where sequence.parameters == [5]: replies += Array("\u{1B}[0n".utf8)
    case "n": replies += Array("\u{1B}[\(cursor.row + 1);\(cursor.column + 1)R".utf8)
    case "c": replies += Array("\u{1B}[?62;22c".utf8)
    case "?$p":
      replies += Array(
        "\u{1B}[?\(sequence.parameter(0));\(modes.contains(sequence.parameter(0)) ? 1 : 2)$y".utf8)
    case "?u": replies += Array("\u{1B}[?\(keyboard.last ?? 0)u".utf8)
    case ">u": keyboard.append(sequence.parameter(0, default: 0))
    case "<u": if keyboard.count > 1 { keyboard.removeLast() }
    case "t" where sequence.parameters.first == 22: titles.append(title)
    case "t": title = titles.popLast() ?? title
    case "?h": for mode in sequence.parameters { set(mode, true) }
    case "?l": for mode in sequence.parameters { set(mode, false) }
    default: break
    }
  }

  private mutating func receive(command: String) {
    if command.hasPrefix("2;") { title = String(command.dropFirst(2)) }
    if command.hasPrefix("52;c;") { clipboard.append(String(command.dropFirst(5))) }
    if command == "11;?" { replies += Array("\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\".utf8) }
  }

  private mutating func set(_ mode: Int, _ isSet: Bool) {
    if isSet { modes.insert(mode) } else { modes.remove(mode) }
    guard mode == 1049, isSet != isAlternate else { return }
    if isSet {
      other = (cells, cursor)
      cells = Array(repeating: Cell(), count: cells.count)
    } else if let main = other {
      (cells, cursor, other) = (main.cells, main.cursor, nil)
    }
  }

  /// Erases cells. Terminals differ in the background that this leaves, unless it is the plain one.
  private mutating func erase(_ range: Range<Int>) {
    if rendition.paper != .standard || rendition.isReversed { offenders.append("erased with a background") }
    for index in range {
      touchedRows.insert(index / size.columns)
      detach(index)
      cells[index] = Cell()
    }
  }
}
