import Scripts
import Store
import Streams

/// The progress of a sink, for its status. It is pure: it gets steps with their times.
struct SinkProgress {
  static let maxLines = 20
  /// The number of bytes of a line that are kept.
  static let maxLength = 4_096

  var state = CommandProgress.State.idle
  /// The last step that the sink has.
  private(set) var position: StreamPosition?
  private(set) var list: ListSnapshot<Item>?
  /// The time of the oldest change that the sink does not have.
  private(set) var since: Timestamp?
  /// The time of the first change since the last run began.
  private var sinceRun: Timestamp?
  private(set) var lastRun: Timestamp?
  private(set) var lastEnd: RunEnd?
  /// The number of failures since the last success.
  private(set) var failures = 0
  /// The last thing that a person should know; nil after a success.
  var message: String?
  /// The last lines of its output without their line breaks, the last one at the end.
  private(set) var lines: [String] = []
  /// True if a run has only a part of the changes.
  private let runsInParts: Bool

  init(runsInParts: Bool = false) {
    self.runsInParts = runsInParts
  }

  /// Adds complete lines of its output, and returns them without their line breaks.
  mutating func addOutput(_ bytes: [UInt8]) -> [String] {
    let pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // After the last line break there is nothing.
    let new = (pieces.last?.isEmpty == true ? pieces.dropLast() : pieces[...]).map { piece in
      let text = String(decoding: piece.prefix(SinkProgress.maxLength), as: UTF8.self)
      return piece.count > SinkProgress.maxLength ? "\(text)…" : text
    }
    lines = Array((lines + new).suffix(SinkProgress.maxLines))
    return new
  }

  mutating func apply(_ step: CommandProgress, at time: Timestamp) {
    switch step {
    case .changed:
      since = since ?? time
      sinceRun = sinceRun ?? time
    case .runBegan:
      lastRun = time
      sinceRun = nil
    case .runEnded(let end):
      lastEnd = end
      switch end {
      case .exited(0): succeeded()
      case .stopped: break
      default: failures += 1
      }
    case .advanced(let position, let list):
      self.position = position
      self.list = list
      if !runsInParts { since = sinceRun }
      succeeded()
    case .state(let state):
      self.state = state
      if state == .idle {
        since = nil
        sinceRun = nil
      }
    }
  }

  /// Records a failure of a sink that runs no command.
  mutating func fail(_ message: String, as state: CommandProgress.State) {
    self.message = message
    self.state = state
    failures += 1
  }

  private mutating func succeeded() {
    failures = 0
    message = nil
  }
}
