/// The numbers of the frames, and which of them the terminal shows.
///
/// A frame is painted when all its bytes are written. Where the terminal answers queries, a frame
/// can end with one (a fence): it and those after it are painted when its answer arrives. Input
/// that comes before belongs to the older frame, however slow the line is.
struct FrameLedger {
  /// The most frames that may wait for an answer.
  static let maxFences = 8
  /// The most bytes that may wait for an answer, so that a slow line shows few old frames. One
  /// frame may be larger.
  static let maxBytes = 24 << 10
  /// How long the answer may take after the first input that arrived before it.
  static let patience = Duration.seconds(5)
  /// How long an answer may take while no frame can be shown.
  static let longPatience = Duration.seconds(30)

  private(set) var last = 0
  private var written = 0
  private var fences: [(frame: Int, bytes: Int, sent: ContinuousClock.Instant)] = []
  /// When input arrived while an answer was expected.
  private var lateSince: ContinuousClock.Instant?
  /// False if an answer did not come: no more are expected.
  private(set) var isTrusted = true

  var painted: Int { fences.first.map { min(written, $0.frame - 1) } ?? written }

  var hasRoom: Bool {
    if fences.isEmpty { return true }
    return fences.count < FrameLedger.maxFences && fences.reduce(0) { $0 + $1.bytes } < FrameLedger.maxBytes
  }

  var awaitsAnswer: Bool { !fences.isEmpty }

  mutating func record(isFenced: Bool, bytes: Int, at time: ContinuousClock.Instant) -> Int {
    last += 1
    if isFenced { fences.append((last, bytes, time)) }
    return last
  }

  mutating func recordWritten() { written = last }

  mutating func recordAnswer() {
    if !fences.isEmpty { fences.removeFirst() }
    lateSince = nil
  }

  mutating func recordInput(at time: ContinuousClock.Instant) {
    if awaitsAnswer, lateSince == nil { lateSince = time }
  }

  /// When to call `abandon(at:)`; nil if no answer is late.
  var deadline: ContinuousClock.Instant? {
    guard let oldest = fences.first else { return nil }
    if let lateSince { return lateSince + FrameLedger.patience }
    return hasRoom ? nil : oldest.sent + FrameLedger.longPatience
  }

  /// Stops waiting for answers if one is late: the terminal has stopped answering.
  mutating func abandon(at time: ContinuousClock.Instant) {
    guard let deadline, deadline <= time else { return }
    isTrusted = false
    forgetAnswers()
  }

  /// Stops waiting for the answers that are under way: they were read by another program.
  mutating func forgetAnswers() {
    fences.removeAll()
    lateSince = nil
  }
}

/// Limits how many frames are shown: a few at once, and at most 60 in any second.
struct FramePacer {
  /// The frames that may follow each other at once.
  static let burst = 4
  /// The time per frame of a longer series.
  static let interval = Duration.seconds(1) / (60 - burst)

  /// When the frames so far are used up, at one per interval.
  private var used: ContinuousClock.Instant?

  /// The earliest time of the next frame; nil if it may be shown at any time.
  var earliest: ContinuousClock.Instant? {
    used.map { $0 - FramePacer.interval * (FramePacer.burst - 1) }
  }

  mutating func record(at time: ContinuousClock.Instant) {
    used = max(used ?? time, time) + FramePacer.interval
  }
}
