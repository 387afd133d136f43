import CLinux
import Files
import Glibc
package import SystemPackage

/// The terminal of this process (`/dev/tty`): its input, its frames, and everything that restores
/// it at any end. One thread uses it; only `wakeup` may be used by others. A process has one at a
/// time.
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
///
/// The terminal is restored once at every end but `kill -9`: by `close()`, by the handlers of the
/// signals that end a program, and by `exit`.
package final class TerminalDevice {
  /// The size of the part of the window that is drawn.
  package internal(set) var size: ScreenSize
  /// The capabilities that the terminal reported so far.
  package internal(set) var capabilities = TerminalCapabilities()
  /// Ends a wait from another thread.
  package let wakeup: TerminalWakeup

  let line: TerminalLine
  let options: TerminalOptions
  let term: String
  private let isInMultiplexer: Bool
  let signals = TerminalWakeup()
  var parser: InputParser
  /// When an incomplete sequence of input ends.
  var inputDeadline: ContinuousClock.Instant?
  /// The frame that was painted when an incomplete sequence began: its key was pressed then.
  var inputFrame: Int?
  var writer: FrameWriter
  /// The cells that are on the terminal; nil if they are not known.
  var shown: Canvas?
  var modes = ScreenModes()
  /// When the questions about the terminal were sent; nil before that.
  var asked: ContinuousClock.Instant?
  /// The time between the questions and their last answer; nil until it arrives.
  var roundTrip: Duration?
  var ledger = FrameLedger()
  var pacer = FramePacer()
  /// The events that `wait` did not return yet.
  var events = EventQueue()
  /// The last frame that `.painted` reported.
  var reported = 0
  var isEntered = false
  var isClosed = false
  var isGone = false
  /// When the rows below the prompt count as where they were, although the terminal did not say so
  /// after a change of its size.
  var regionDeadline: ContinuousClock.Instant?

  /// Opens the terminal of this process. Nothing is drawn before `enter()`.
  ///
  /// - Throws: The error of opening it; `.inappropriateIOCTLForDevice` if its type (`TERM`) cannot place the cursor.
  ///   `advice(opening:)` says it in sentences.
  package init(
    _ options: TerminalOptions = TerminalOptions(), wakeup: TerminalWakeup = TerminalWakeup()
  ) throws(Errno) {
    var environment = TerminalDevice.environment
    if let usesColors = options.usesColors { environment["NO_COLOR"] = usesColors ? nil : "1" }
    term = environment["TERM"] ?? ""
    if ["", "dumb", "unknown"].contains(term) { throw .inappropriateIOCTLForDevice }
    line = TerminalLine(try Descriptor.open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY))
    self.options = options
    self.wakeup = wakeup
    isInMultiplexer = environment["TMUX"]?.isEmpty == false
    parser = InputParser(prefixesAlt: term.hasPrefix("rxvt"))
    writer = FrameWriter(palette: Palette(environment: environment), terminal: term)
    size = line.windowSize
    modes.usesMouse = options.usesMouse
    modes.hasAlternateScreen = !term.hasPrefix("linux")
    if let height = options.height { size.rows = height.rows(of: size.rows) }
    clinux_terminal_begin(line.raw)
  }

  deinit {
    close()
  }

  private static var environment: [String: String] {
    var found: [String: String] = [:]
    for name in ["TERM", "COLORTERM", "NO_COLOR", "TMUX"] {
      if let value = getenv(name) { found[name] = String(cString: value) }
    }
    return found
  }

  /// The sentence that names what needs no full screen.
  package static let withoutScreen =
    "Screen readers get the list from `notes-watch serve`, as a web page, and as lines from `watch`, `list` and `set`."

  /// Returns why the terminal cannot be opened, and what to do.
  package static func advice(opening error: Errno) -> String {
    if error == .inappropriateIOCTLForDevice {
      let term = environment["TERM"] ?? ""
      let variable = term.isEmpty ? "TERM is not set" : "TERM=\(term)"
      return "This terminal cannot show a full screen (\(variable)). Set TERM to its type. \(withoutScreen)"
    }
    return "There is no terminal: /dev/tty cannot be opened (\(reason(error))). Use `notes-watch list`."
  }

  /// Returns the reason for an error of the terminal, as a part of a sentence.
  package static func reason(_ error: Errno) -> String {
    switch error {
    case .noSuchAddressOrDevice: "this process has none"
    case .ioError: "it is gone"
    default: error.reason
    }
  }

  // MARK: - Frames

  /// True if a frame may be shown now: the last one is written, few wait for the terminal's answer,
  /// and no more than 60 were shown within a second.
  package var canShow: Bool {
    guard isEntered, !isGone, line.isWritten, ledger.hasRoom, regionDeadline == nil else { return false }
    // Input that waits belongs to an older frame, and the program keeps few older frames.
    if events.isFull || events.oldestFrame.map({ ledger.last - $0 >= FrameLedger.maxFences }) == true {
      return false
    }
    return pacer.earliest.map { $0 <= .now } ?? true
  }

  /// Writes what changed since the last frame. Input that has arrived before belongs to the frame
  /// before this one, and is returned by the next `wait`.
  ///
  /// - Parameter movesItems: True if another item is on some row than in the last frame. If the
  ///   terminal answers, input then belongs to this frame only after the terminal has drawn it.
  /// - Returns: The number of the frame: 1 for the first one, then one more each time.
  @discardableResult
  package func show(_ canvas: Canvas, movesItems: Bool) -> Int {
    readInput()
    let now = ContinuousClock.now
    writer.synchronizesFrames = capabilities.synchronizesFrames
    writer.top = modes.region?.top ?? 0
    var bytes = writer.bytes(from: shown, to: canvas)
    shown = canvas
    // Large frames have a fence, too, so that a slow line shows few old ones.
    let isFenced =
      capabilities.answers && ledger.isTrusted && !bytes.isEmpty && (movesItems || bytes.count > 1024)
    if isFenced { bytes += Array("\u{1B}[5n".utf8) }
    let number = ledger.record(isFenced: isFenced, bytes: bytes.count, at: now)
    pacer.record(at: now)
    // The questions follow the first frame, and do not delay it.
    if asked == nil {
      asked = now
      bytes += questions
    }
    send(bytes)
    return number
  }

  /// Draws the next frame completely, as if nothing were known about what the terminal shows.
  package func redraw() { shown = nil }

  // MARK: - Other output

  /// Sends a text to the clipboard of the terminal (OSC 52), which may ignore it. Returns false if the
  /// text is too long to be sent.
  package func copy(_ text: String) -> Bool {
    guard let bytes = TerminalDevice.clipboardBytes(text, isInMultiplexer: isInMultiplexer) else {
      return false
    }
    send(bytes)
    return true
  }

  /// Sets the title of the window. The old title is restored at the end.
  package func setTitle(_ text: String) {
    let isFirst = modes.title == nil
    modes.title = DisplayText.safe(text, limit: 200)
    if isFirst {
      updateRestoration()
      send(Array(ScreenModes.keptTitle.utf8))
    }
    send(modes.titleBytes)
  }

  /// Writes bytes, at once if the terminal accepts them.
  func send(_ bytes: [UInt8]) {
    guard isEntered, !isGone else { return }
    line.append(bytes)
    flushOutput()
  }

  /// Writes what the terminal accepts now, and reports the frame that is painted then.
  func flushOutput() {
    guard clinux_terminal_begin_write() != 0 else { return }
    let isOpen = line.write()
    clinux_terminal_end_write()
    if !isOpen { markGone() }
    if line.isWritten { ledger.recordWritten() }
    reportPainted()
  }

  func reportPainted() {
    clinux_terminal_expect_answers(awaitsAnswer ? 1 : 0)
    guard ledger.painted > reported else { return }
    reported = ledger.painted
    events.append(.painted(frame: reported))
  }

  func markGone() {
    guard !isGone else { return }
    isGone = true
    line.discardOutput()
    events.append(.closed)
  }

  /// Gives the restorers the bytes for the modes that are set from here on.
  func updateRestoration() {
    let bytes = modes.leaving
    _ = clinux_terminal_set_restoration(bytes, bytes.count)
  }
}
