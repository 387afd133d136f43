public import TerminalDevice

/// The model of the full screen: state and event → state, canvas and effects. Pure: it knows no
/// terminal, no file and no clock.
///
/// `draw()` is a function of the state and the size alone.
public struct Screen: Sendable {
  public private(set) var size: ScreenSize

  public init(size: ScreenSize, options: ScreenOptions) { self.size = size }

  /// Applies an event, and returns what to do in its order.
  public mutating func handle(_ event: ScreenEvent, at time: ContinuousClock.Instant) -> [ScreenEffect] { [] }

  /// Draws the complete screen.
  public func draw() -> Canvas { Canvas(size) }

  /// True if `draw()` shows another item on some row than the last frame that was drawn: the terminal
  /// then reports when the frame is painted.
  public var movesItems: Bool { true }

  /// The time at which a mark fades and the screen has to be drawn again; nil if none is shown.
  public var deadline: ContinuousClock.Instant? { nil }
}
