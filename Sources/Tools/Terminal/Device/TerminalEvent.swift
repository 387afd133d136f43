/// An event at the terminal.
public enum TerminalEvent: Hashable, Sendable {
  /// Something was typed, clicked or pasted while the frame with this number was on the terminal.
  /// Before the first frame the number is 0.
  case input(TerminalInput, frame: Int)
  /// The terminal shows this frame: input from here on belongs to it.
  case painted(frame: Int)
  /// The part of the window that is drawn has another size. The next frame is drawn completely.
  case resize(ScreenSize)
  /// The terminal reported what it can do.
  case capabilities(TerminalCapabilities)
  /// The program was stopped and continues. The next frame is drawn completely.
  case resumed
  /// Another thread called `TerminalWakeup.signal()`.
  case wakeup
  /// The terminal is gone. Nothing more comes from it; the program should end as SIGHUP ends it.
  case closed
}
