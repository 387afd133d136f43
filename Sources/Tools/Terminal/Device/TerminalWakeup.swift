import Files

/// Ends the wait of a terminal's loop from another thread.
public final class TerminalWakeup: Sendable {
  private let counter = EventCounter()

  init() {}

  /// The descriptor to wait for.
  var descriptor: CInt { counter.raw }

  /// Makes `TerminalDevice.wait` return `.wakeup`. Any number of signals before that are one.
  public func signal() { counter.signal() }

  /// Forgets the signals so far.
  func clear() { counter.clear() }
}
