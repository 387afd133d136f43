import Glibc

/// The terminal of this process (`/dev/tty`): its input, its frames, and everything that restores
/// it at any end. One thread uses it; only `wakeup` may be used by others.
///
/// ```swift
/// let device = try TerminalDevice()
/// try device.enter()
/// defer { device.close() }
/// while true {
///   for event in device.wait(until: deadline, hasFrame: mustDraw) { … }
///   if mustDraw, device.canShow { frame = device.show(canvas, movesItems: true) }
/// }
/// ```
public final class TerminalDevice {
  /// The size of the part of the window that is drawn.
  public private(set) var size: ScreenSize = ScreenSize(columns: 80, rows: 24)
  /// What the terminal reported so far.
  public private(set) var capabilities = TerminalCapabilities()
  /// Ends a wait from another thread.
  public let wakeup = TerminalWakeup()

  /// Opens the terminal of this process, and starts the guard that restores it if this process is
  /// killed. Nothing is drawn before `enter()`.
  ///
  /// - Parameter options: The part of the window that is used, and how.
  /// - Throws: `TerminalFailure` if there is no terminal or it cannot draw.
  public init(_ options: TerminalOptions = TerminalOptions()) throws(TerminalFailure) {}

  /// Enters the screen: raw mode, alternate screen (or the rows below the prompt), mouse, paste and
  /// focus reports. Also after `leave()`; the next frame is then drawn completely.
  ///
  /// - Throws: `TerminalFailure` if the terminal cannot be changed.
  public func enter() throws(TerminalFailure) {}

  /// Leaves the screen and restores the terminal, for an editor. `enter()` returns to it.
  public func leave() {}

  /// Restores the terminal for good. Waits at most a second for a slow line, and for answers of the
  /// terminal that the shell would get otherwise.
  public func close() {}

  /// Waits until something happened, until `deadline`, or until a frame may be shown.
  ///
  /// - Parameters:
  ///   - deadline: When to return without an event; nil to wait without end.
  ///   - hasFrame: True if the caller has a frame to show: the wait then also ends when `canShow`
  ///     becomes true.
  /// - Returns: What happened, in order.
  public func wait(until deadline: ContinuousClock.Instant?, hasFrame: Bool) -> [TerminalEvent] { [.closed] }

  /// True if a frame may be shown now: the last one is written, few wait for the terminal's answer,
  /// and no more than 60 were shown within a second.
  public var canShow: Bool { true }

  /// Writes what changed since the last frame. Input that has arrived before belongs to the frame
  /// before this one, and is returned by the next `wait`.
  ///
  /// - Parameters:
  ///   - canvas: The complete contents.
  ///   - movesItems: True if another item is on some row than in the last frame. If the terminal
  ///     answers, input then belongs to this frame only after the terminal has drawn it.
  /// - Returns: The number of the frame: 1 for the first one, then one more each time.
  @discardableResult
  public func show(_ canvas: Canvas, movesItems: Bool) -> Int { 0 }

  /// Sends a text to the clipboard of the terminal (OSC 52). Whether the terminal accepts it is not
  /// known.
  ///
  /// - Returns: False if the text is too long to be sent.
  public func copy(_ text: String) -> Bool { true }

  /// Sets the title of the window. The old title is restored at the end.
  public func setTitle(_ text: String) {}

  /// Restores the terminal and stops the process group, as Ctrl-Z does; returns when it continues.
  /// `wait` then returns `.resumed`.
  ///
  /// - Returns: False if nobody could continue it: the shell of this process group ignores stops.
  public func suspend() -> Bool { false }
}
