/// A key press: what was pressed, with the modifiers.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// A character; a letter in lower case if Control was held.
    case character(Character)
    /// A key with a name. Ctrl-i, ctrl-m and ctrl-[ are tab, enter and escape on every terminal.
    case enter, tab, escape, backspace, delete, insert, up, down, left, right, home, end, pageUp, pageDown
    /// A function key, from 1 to 35.
    case function(Int)
  }

  /// The modifiers that were held. Shift is not reported for characters.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  package var code: Code
  package var modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }
}

package enum TerminalInput: Hashable, Sendable {
  /// A key was pressed, or is repeated.
  case key(Key)
  /// The left button, the wheel, or a movement with the button held, at a cell.
  case mouse(MouseAction, CellPosition, Key.Modifiers)
  /// A pasted text with its line ends as they came, at most `InputParser.maxPaste` bytes of it.
  case paste(String)
  /// True if the window of the terminal got the focus.
  case focus(Bool)
  case reply(TerminalReply)
}

package enum MouseAction: Hashable, Sendable {
  case press, release, drag, wheelUp, wheelDown
}

package enum TerminalReply: Hashable, Sendable {
  /// The answer to DA1, which ends the queries at the start.
  case attributes
  /// The answer to DSR 5, which says that everything before it was drawn.
  case fence
  /// The background colour, each part from 0 to 1.
  case background(red: Double, green: Double, blue: Double)
  /// A private mode and its state, as DECRPM has them.
  case mode(Int, state: Int)
  /// The flags of the keyboard protocol.
  case keyboard(Int)
  case cursor(CellPosition)
}
