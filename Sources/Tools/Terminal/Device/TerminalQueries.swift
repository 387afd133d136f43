/// The questions about what the terminal can do, and its answers.
///
/// They go out after the first frame and end with the answer to DA1, which all terminals give.
/// Answers may come at any time: on a slow line, long after the first keys.
struct TerminalQueries {
  /// The capabilities that are known so far.
  private(set) var capabilities = TerminalCapabilities()
  /// When the questions were sent; nil before that.
  private(set) var sent: ContinuousClock.Instant?
  /// The time between the questions and their last answer; nil until it arrives.
  private(set) var roundTrip: Duration?

  /// How long a terminal that did not answer may still do so.
  static let patience = Duration.seconds(1)

  /// Returns true if answers may be under way.
  func awaitsAnswer(at time: ContinuousClock.Instant) -> Bool {
    guard let sent, roundTrip == nil else { return false }
    return time < sent + TerminalQueries.patience
  }

  /// Records that the questions are sent, and returns their bytes.
  ///
  /// - Parameter term: The value of `TERM`. The Linux console shows questions that it does not
  ///   know.
  mutating func begin(term: String, at time: ContinuousClock.Instant) -> [UInt8] {
    sent = time
    let questions = term.hasPrefix("linux") ? "" : "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[?u"
    return Array((questions + "\u{1B}[c").utf8)
  }

  /// Records an answer, and changes the modes that the terminal offers.
  ///
  /// - Returns: The bytes to send.
  mutating func record(_ reply: TerminalReply, _ modes: inout ScreenModes, at time: ContinuousClock.Instant)
    -> [UInt8]
  {
    switch reply {
    case .attributes:
      if let sent, roundTrip == nil { roundTrip = time - sent }
      capabilities.answers = true
    case .background(let red, let green, let blue):
      capabilities.isLight = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5
    // A mode is set (1), reset (2), always set (3), or cannot be set (4 or 0).
    case .mode(2026, let state): capabilities.synchronizesFrames = (1...3).contains(state)
    case .mode(2027, let state):
      capabilities.measuresClusters = (1...3).contains(state)
      guard state == 2, !modes.setsClusters else { return [] }
      modes.setsClusters = true
      return Array(ScreenModes.clusters.utf8)
    case .keyboard:
      if modes.hasKeyboardProtocol { return [] }
      modes.hasKeyboardProtocol = true
      return Array(ScreenModes.keyboardProtocol.utf8)
    case .mode, .fence, .cursor: break
    }
    return []
  }
}

/// The capabilities that the terminal reported.
public struct TerminalCapabilities: Hashable, Sendable {
  /// True if it draws a frame at once between two marks (mode 2026).
  public var synchronizesFrames = false
  /// True if it measures grapheme clusters as Unicode does (mode 2027).
  public var measuresClusters = false
  /// True if it answers queries.
  public var answers = false
  /// True if its background is light; nil if it did not say.
  public var isLight: Bool?

  /// Creates the capabilities of a terminal that said nothing.
  public init() {}
}
