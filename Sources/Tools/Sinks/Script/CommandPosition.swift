import PlainStore
import Streams
import TextEdits
import Values

/// The position of a command, and the attempt to move it past the next update.
struct CommandPosition {
  private let start: ScriptStart
  private var encoder: StreamEncoder
  /// The position of the command if it acknowledges the update that was offered last.
  private var attempt: StreamEncoder?

  /// Creates the position of a command at its start.
  init(_ start: ScriptStart, _ tokens: TokenSource) {
    self.start = start
    encoder = StreamEncoder(at: start.position, tokens: tokens)
    if start.position == nil, !start.isFromNothing { encoder.begin(start.list) }
  }

  /// The last step that the command has acknowledged.
  var current: StreamPosition { encoder.position }

  /// Records the position of a command that isn't in the log yet.
  func recordStart() {
    if start.position != nil { return }
    start.log?.begin(start.list, at: current, isAcknowledged: true)
  }

  /// Records an update that is about to be delivered.
  ///
  /// - Returns: The line of the update, its position, and true unless it could not be recorded.
  mutating func offer(_ update: ResultsUpdate, time: Timestamp) -> (
    line: [UInt8], position: StreamPosition, isRecorded: Bool
  ) {
    var attempt = encoder
    let line = attempt.update(update, time: time)
    // If this program is killed after the delivery, the token of the update must be known, and what
    // it may have changed outside.
    start.log?.offer(update, at: attempt.position)
    self.attempt = attempt
    return (line, attempt.position, start.log?.isRecorded ?? true)
  }

  /// Records that the command has the update that was offered last.
  mutating func acknowledge() {
    guard let attempt else { return }
    encoder = attempt
    self.attempt = nil
    _ = start.log?.acknowledge(current.token)
  }

  /// Records that the command needs no delivery of an update.
  mutating func skip(_ update: ResultsUpdate) {
    encoder.skip(update)
    start.log?.offer(update, at: current)
    _ = start.log?.acknowledge(current.token)
  }
}
