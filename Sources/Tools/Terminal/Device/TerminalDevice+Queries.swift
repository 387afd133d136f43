/// The questions about what the terminal can do, and its answers.
///
/// They go out after the first frame and end with the answer to DA1, which all terminals give.
/// Answers may come at any time: on a slow line, long after the first keys.
extension TerminalDevice {
  /// How long a terminal that did not answer may still do so.
  private static let answerPatience = Duration.seconds(1)

  var awaitsAnswer: Bool {
    if ledger.awaitsAnswer { return true }
    guard let asked, roundTrip == nil else { return false }
    return .now < asked + TerminalDevice.answerPatience
  }

  /// The bytes of the questions. The Linux console shows those that it does not know.
  var questions: [UInt8] {
    let others = term.hasPrefix("linux") ? "" : "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[?u"
    return Array((others + "\u{1B}[c").utf8)
  }

  func record(_ reply: TerminalReply, at time: ContinuousClock.Instant) {
    switch reply {
    case .fence:
      ledger.recordAnswer()
      reportPainted()
    case .cursor(let position):
      if regionDeadline != nil { moveRegion(cursorRow: position.row) }
    default:
      let known = capabilities
      answer(reply, at: time)
      if capabilities != known { adopt(capabilities, before: known) }
      reportPainted()
    }
  }

  /// Records the answer to a question, and sets the modes that the terminal offers.
  private func answer(_ reply: TerminalReply, at time: ContinuousClock.Instant) {
    switch reply {
    case .attributes:
      if let asked, roundTrip == nil { roundTrip = time - asked }
      capabilities.answers = true
    case .background(let red, let green, let blue):
      capabilities.isLight = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5
    // A mode is set (1), reset (2), always set (3), or cannot be set (4 or 0).
    case .mode(2026, let state): capabilities.synchronizesFrames = (1...3).contains(state)
    case .mode(2027, let state):
      guard state == 2, !modes.setsClusters else { return }
      modes.setsClusters = true
      updateRestoration()
      send(Array(ScreenModes.clusters.utf8))
    case .keyboard:
      if modes.hasKeyboardProtocol { return }
      modes.hasKeyboardProtocol = true
      updateRestoration()
      send(Array(ScreenModes.keyboardProtocol.utf8))
    case .mode, .fence, .cursor: break
    }
  }

  private func adopt(_ capabilities: TerminalCapabilities, before known: TerminalCapabilities) {
    if capabilities.isLight != known.isLight {
      // The new palette draws each style in other colours, so every cell is drawn again.
      writer.palette = Palette(writer.palette.depth, isLight: capabilities.isLight)
      shown = nil
    }
    if capabilities.answers { events.append(.capabilities(capabilities)) }
  }
}

package struct TerminalCapabilities: Hashable, Sendable {
  /// True if it draws a frame at once between two marks (mode 2026).
  package var synchronizesFrames = false
  package var answers = false
  /// True if its background is light; nil if it did not say.
  package var isLight: Bool?

  package init() {}
}
