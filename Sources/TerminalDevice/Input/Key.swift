/// A key press: what was pressed, with the modifiers.
public struct Key: Hashable, Sendable, CustomStringConvertible {
  /// What was pressed.
  public enum Code: Hashable, Sendable {
    case character(Character)
    case enter, tab, escape, backspace, delete, insert, up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  /// The modifiers that were held. Shift is not reported for characters.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public static let shift = Modifiers(rawValue: 1)
    public static let alt = Modifiers(rawValue: 2)
    public static let control = Modifiers(rawValue: 4)

    public init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  public var code: Code
  public var modifiers: Modifiers

  public init(_ code: Code, _ modifiers: Modifiers = []) {
    (self.code, self.modifiers) = (code, modifiers)
  }

  /// Parses the name of a key as it stands in a configuration or after `--expect`: `a`, `ctrl-n`,
  /// `alt-enter`, `f5`, `space`, `shift-tab`; nil if there is no such key.
  public init?(parsing text: String) { return nil }

  /// The name of the key, as `init(parsing:)` reads it.
  public var description: String { "" }
}

/// What came from the terminal.
public enum TerminalInput: Hashable, Sendable {
  case key(Key)
  /// A button, the wheel or a movement at a cell.
  case mouse(MouseAction, CellPosition, Key.Modifiers)
  /// A pasted text, with its bytes as they came.
  case paste(String)
  /// True if the window of the terminal got the focus.
  case focus(Bool)
  /// An answer to a query.
  case reply(TerminalReply)
}

/// What a mouse did.
public enum MouseAction: Hashable, Sendable {
  case press, release, drag, wheelUp, wheelDown
}

/// An answer of the terminal to a query.
public enum TerminalReply: Hashable, Sendable {
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
}
